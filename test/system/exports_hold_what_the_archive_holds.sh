# mpiwatch-analyze export: what Perfetto, Chrome and tables get is what was recorded, also of a
# part of the run; files that can't be written are said so and leave nothing behind.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" names names # test/data/archives_page.c says what is in it

# read_back KIND FILE: what is in it, in KIND.read.
read_back() {
    "$python" -B "$TOP_SRCDIR/test/system/exported.py" "$1" "$2" >"$1.read" || fail "$1 of $2"
}

# --- all of it -----------------------------------------------------------------------

"$analyze" export --perfetto all.pftrace --chrome all.json --csv tables names
# A rank: MPI_Init, four communicators, 20 steps of six regions, MPI_Comm_free, MPI_Finalize.
for kind in perfetto chrome; do
    case $kind in perfetto) file=all.pftrace ;; *) file=all.json ;; esac
    read_back $kind $file
    assert_equal '[4, 16, 80, 80, 80, 160, 80, 4, 4]' "$(json $kind.read '[d["slices"][name]
        for name in ("MPI_Init", "MPI_Comm_dup", "solve", "MPI_Irecv", "MPI_Isend", "MPI_Wait",
                     "MPI_Allreduce", "MPI_Comm_free", "MPI_Finalize")]')" "$kind: slices"
    # 20 steps of 1000 + 200 rank; 80 of 2100. MPI_Init is left at 100: times count from there.
    assert_equal "[104000, 168000, 0, 99000]" "$(json $kind.read \
        '[d["time_ns"]["solve"], d["time_ns"]["MPI_Allreduce"], d["first_ns"], d["last_ns"]]')" \
        "$kind: times"
    assert_equal "[80, [[0, 1], [1, 2], [2, 3], [3, 0]], 0]" \
        "$(json $kind.read '[d["flows"], d["flow_pairs"], d["flows_back_in_time"]]')" \
        "$kind: messages"
    assert_equal '["rank 0 one", "rank 1 two", "rank 2 one", "rank 3 two"]' \
        "$(json $kind.read 'd["processes"]')" "$kind: processes"
    text='half way <script>window.hostile=1</script>'
    assert_equal "[[48600, 2, \"$text\"], [48700, 3, \"$text\"]]" \
        "$(json $kind.read 'd["markers"]')" "$kind: markers"
done
# Step k begins at 900 + 4800 k; in it rank 0 waits from 1030 on for rank 3, which sends at 1620. In
# three of them it waits 10 more, until that rank is in MPI_Wait.
first='{"for rank": 3, "communicator": "<script>window.hostile=1</script>"}'
assert_equal "[23, 20, [0, 1930, 2520], $first]" \
    "$(json perfetto.read '[len(d["waits"]), sum(w[0] == 0 and w[3] == "late sender" and
        w[2] - w[1] == 590 and (w[1] - 1930) % 4800 == 0 for w in d["waits"]),
        min(d["waits"], key=lambda w: w[1])[:3], min(d["waits"], key=lambda w: w[1])[4]]')" \
    "waits on tracks of their own"
# Of 80 messages 20 are on each communicator; step 2 sends 4 bytes with tag 2 on the third.
assert_equal '[20, 20, 20, 20]' "$(json chrome.read 'list(d["flow_arguments"].values())')" \
    "communicators of flows"
for kind in perfetto chrome; do
    assert_equal '[[0, 4, 0], [1, 4, 0], [2, 4, 0], [3, 4, 0]]' "$(json $kind.read \
        '[[a["peer"], a["bytes sent"], a["bytes received"]] for name, a, count in d["arguments"]
         if name == "MPI_Isend" and a["tag"] == 2 and count == 1
         and a["communicator"].startswith("]]></script>")]')" "$kind: arguments of sends"
    assert_equal '[[0, 4], [1, 4], [2, 4], [3, 4]]' "$(json $kind.read \
        '[[a["peer"], a["bytes received"]] for name, a, count in d["arguments"]
         if name == "MPI_Wait" and a["tag"] == 2]')" "$kind: arguments of receives"
    assert_equal '[["MPI_COMM_WORLD", 8, 8, 80]]' "$(json $kind.read \
        '[[a["communicator"], a["bytes sent"], a["bytes received"], count]
         for name, a, count in d["arguments"] if name == "MPI_Allreduce"]')" "$kind: collectives"
done
if command -v protoc >/dev/null; then
    protoc --decode_raw <all.pftrace >decoded || fail "protoc does not decode the trace"
    assert_equal 80 "$(grep -c '^    48: 0x' decoded)" "ends of flows that protoc sees"
fi
assert_equal "from,to,count,bytes
0,1,20,1048575
1,2,20,1048575
2,3,20,1048575
3,0,20,1048575" "$(cat tables/messages.csv)" "the table of messages"
for what in "timeline.csv timeline" "comm_timeline.csv timeline --comms"; do
    set -- $what
    "$analyze" "${@:2}" --csv names | diff - "tables/$1" || fail "$1 is not what ${*:2} says"
done
for table in calls comms imbalance ranks sizes timeline waits; do
    [ "$(wc -l <tables/$table.csv)" -ge 2 ] || fail "the table $table has no lines"
done
"$python" - <<'PYTHON' || fail "the tables are no CSV"
import csv, glob
for path in glob.glob("tables/*.csv"):
    rows = list(csv.reader(open(path, encoding="utf-8")))
    assert all(len(row) == len(rows[0]) for row in rows), path
names = [row["name"] for row in csv.DictReader(open("tables/comms.csv", encoding="utf-8"))]
assert "<script>window.hostile=1</script>" in names, names
PYTHON

# Of one communicator, steps 0, 4, … 16: four messages each, of 2^k bytes; no collective.
"$analyze" export --csv limited --comm '<script>*' names
assert_equal "4 20" "$(sed 1d limited/messages.csv |
    awk -F, '{ lines++; count += $3 } END { print lines, count }')" "messages of a communicator"
assert_equal "" "$(grep Allreduce limited/calls.csv)" "calls of a communicator"
rm -r limited
assert_equal 2 "$(status_of "$analyze" export --chrome x --comm world names)" "only of tables"
assert_contains "$(cat stderr)" "--comm and --chrome exclude each other"

# Each name is in the dump, that which is not UTF-8 with question marks.
"$analyze" dump --json names >dump.json
assert_equal "4 4" "$(grep comm_create dump.json | grep -c '"comm":"back???wards ?? {{verdict}}') \
$(grep comm_create dump.json | grep -c '"comm":"<script>')" "names in the dump"

# --- a part of it --------------------------------------------------------------------

# Step 1 is 5700 to 10499; of its messages, the one from rank 0 to rank 1 is between the two.
"$analyze" export --perfetto step.pftrace --chrome step.json --from 5.7us --to 10.499us \
    --ranks 0-1 names
for kind in perfetto chrome; do
    case $kind in perfetto) file=step.pftrace ;; *) file=step.json ;; esac
    read_back $kind $file
    assert_equal '[12, 4, [[0, 1]], 5700, 9700]' "$(json $kind.read '[sum(d["slices"].values()),
        d["slices"]["MPI_Wait"], d["flow_pairs"], d["first_ns"], d["last_ns"]]')" "$kind: a step"
done
# From 7900 to 8900 all ranks are inside of an MPI_Allreduce that is longer.
"$analyze" export --perfetto part.pftrace --from 7.9us --to 8.9us --ranks 1,3 names
read_back perfetto part.pftrace
assert_equal '[{"MPI_Allreduce": 2}, {"MPI_Allreduce": 2000}, 7900, 8900, 0]' "$(json \
    perfetto.read '[d["slices"], d["time_ns"], d["first_ns"], d["last_ns"], d["flows"]]')" \
    "a call that is cut"

# --- a smaller archive ----------------------------------------------------------------------

# events.py FILE: what python's otf2 reads, as lines of location, time, event.
cat >events.py <<'PYTHON'
import sys, otf2
with otf2.reader.open(sys.argv[1]) as trace:
    locations = list(trace.definitions.locations)
    for location, event in trace.events:
        print(locations.index(location), event.time, type(event).__name__)
PYTHON
# OTF2's 7000 to 9000: ranks are in MPI_Wait or about to be, rank 0's message is on its way; then
# all are in MPI_Allreduce, which goes on.
"$analyze" export --otf2 cut.otf2.zip --from 6.9us --to 8.9us names
"$analyze" validate cut.otf2.zip >validated || fail "the cut archive: $(cat validated)"
assert_contains "$(cat validated)" "sound"
assert_contains "$(cat validated)" "4 messages matched"
mkdir cut && (cd cut && "$python" -m zipfile -e ../cut.otf2.zip .)
"$python" events.py cut/traces.otf2 >events
# Rank 0: recording on, the message, in MPI_Wait, its receive; receive, second MPI_Wait without the
# end of the send, MPI_Allreduce that ends early, recording off.
assert_equal "7000 MeasurementOnOff
7000 MpiSend
7000 Enter
7000 MpiIrecvRequest
7600 MpiIrecv
7600 Leave
7610 Enter
7620 Leave
7700 Enter
7700 MpiCollectiveBegin
9000 MpiCollectiveEnd
9000 Leave
9000 MeasurementOnOff" "$(sed -n 's/^0 //p' events)" "rank 0 of the cut archive"
otf2-print cut/traces.otf2 >printed 2>&1 || fail "otf2-print: $(tail -3 printed)"
[ "$(grep -c '^MPI_COLLECTIVE_END .*Sent: 8, Received: 8' printed)" = 4 ] ||
    fail "bytes of the collective that is cut: $(grep COLLECTIVE_END printed)"
"$analyze" info --json -o info.json cut.otf2.zip || fail "info of the cut archive"
assert_equal "[2000, 0, 0]" "$(json info.json \
    '[d["duration_ns"], d["unmatched_sends"], d["unmatched_receives"]]')" "info of the cut archive"
# All of it is what there was; of some ranks the others have no events.
"$analyze" export --otf2 whole names
# Names are UTF-8 in the copy, one was not before.
"$analyze" dump names | sed 's/ comm=.* comm_id=/ comm_id=/' >dump.names
"$analyze" dump whole | sed 's/ comm=.* comm_id=/ comm_id=/' | diff dump.names - >/dev/null ||
    fail "a copy differs"
status=0
"$analyze" export --otf2 two.otf2.zip --ranks 0,1 names
"$analyze" info --json -o info.json two.otf2.zip 2>/dev/null || status=$?
assert_equal 4 "$status" "the archive of two ranks is incomplete"
assert_equal "[758, 20, 20]" "$(json info.json \
    '[d["events"], d["unmatched_sends"], d["unmatched_receives"]]')" "two ranks"

# One that was recorded: mpiwatch.json goes with it.
mpi=$(mpis | head -n 1)
if [ -n "$mpi" ] && [ -x "$(example ring "$mpi")" ]; then
    run_mpi "$mpi" 2 "$record" -o ring.otf2.zip "$(example ring "$mpi")" >out 2>err ||
        fail "recording: $(cat err)"
    "$analyze" export --otf2 half.otf2.zip --to 20ms --ranks 0-1 ring.otf2.zip
    "$analyze" validate half.otf2.zip >validated || fail "half: $(cat validated)"
    "$analyze" report half.otf2.zip >out || fail "report of half"
    assert_contains "$(cat out)" \
        "cut out of a longer archive: the beginning to 0.02 s, 2 of 2 ranks"

    # What was under way where it is cut went on: nobody is blamed.
    run_mpi "$mpi" 2 "$record" -o halo.otf2.zip "$(example halo "$mpi")" >out 2>err ||
        fail "recording: $(cat err)"
    posted=$("$analyze" dump halo.otf2.zip | awk '$3 == "isend" { print $1; exit }')
    "$analyze" export --otf2 begun.otf2.zip --to "$((posted + 1))ns" halo.otf2.zip
    "$analyze" mistakes begun.otf2.zip >out || fail "mistakes of begun"
    assert_contains "$(cat out)" "never complete"
    assert_equal "" "$(grep -E '^(sent|begun|posted)' out)" "what was begun in the part"
fi

# --- what is refused, and what can't be written -----------------------------------------

assert_equal 2 "$(status_of "$analyze" export names)" "nothing to export"
assert_equal 2 "$(status_of "$analyze" report --perfetto x names)" "not of report"
assert_equal 2 "$(status_of "$analyze" export --chrome x --ranks 4 names)" "rank 4 of 4"
assert_equal 2 "$(status_of "$analyze" export --chrome x --ranks 2-1 names)" "ranks 2 to 1"
assert_equal 2 "$(status_of "$analyze" export --chrome x --from 2us --to 1us names)" "no time"
assert_equal 3 "$(status_of "$analyze" export --perfetto no/such/place names)" "no directory"
[ ! -e x ] && [ ! -e x.partial ] || fail "something was written that was refused"
assert_equal 3 "$(status_of "$analyze" export --otf2 no/such/place.zip names)" "no directory"
for options in "export --perfetto" "export --chrome" "report --html"; do
    # shellcheck disable=SC2086 # two words
    assert_equal 3 "$(status_of "$analyze" $options /dev/full names)" "$options: a full disk"
    assert_contains "$(cat stderr)" "No space left on device"
done
(
    trap '' XFSZ
    ulimit -f 8
    status=0
    "$analyze" export --csv limited names 2>stderr || status=$?
    [ $status = 3 ] || fail "a limit on files: exit $status"
)
[ -z "$(find limited -name '*.partial')" ] || fail "a part of a table is left"
