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
    # 20 steps of 1000 + 200 rank; 80 of 2100.
    assert_equal "[104000, 168000, 0, 99100]" "$(json $kind.read \
        '[d["time_ns"]["solve"], d["time_ns"]["MPI_Allreduce"], d["first_ns"], d["last_ns"]]')" \
        "$kind: times"
    assert_equal "[80, [[0, 1], [1, 2], [2, 3], [3, 0]], 0]" \
        "$(json $kind.read '[d["flows"], d["flow_pairs"], d["flows_back_in_time"]]')" \
        "$kind: messages"
    assert_equal '["rank 0 one", "rank 1 two", "rank 2 one", "rank 3 two"]' \
        "$(json $kind.read 'd["processes"]')" "$kind: processes"
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

# --- a part of it --------------------------------------------------------------------

# Step 1 is 5800 to 10599; of its messages, the one from rank 0 to rank 1 is between the two.
"$analyze" export --perfetto step.pftrace --chrome step.json --from 5.8us --to 10.599us \
    --ranks 0-1 names
for kind in perfetto chrome; do
    case $kind in perfetto) file=step.pftrace ;; *) file=step.json ;; esac
    read_back $kind $file
    assert_equal '[12, 4, [[0, 1]], 5800, 9800]' "$(json $kind.read '[sum(d["slices"].values()),
        d["slices"]["MPI_Wait"], d["flow_pairs"], d["first_ns"], d["last_ns"]]')" "$kind: a step"
done
# From 8000 to 9000 all ranks are inside of an MPI_Allreduce that is longer.
"$analyze" export --perfetto part.pftrace --from 8us --to 9us --ranks 1,3 names
read_back perfetto part.pftrace
assert_equal '[{"MPI_Allreduce": 2}, {"MPI_Allreduce": 2000}, 8000, 9000, 0]' "$(json \
    perfetto.read '[d["slices"], d["time_ns"], d["first_ns"], d["last_ns"], d["flows"]]')" "a call that is cut"

# --- what is refused, and what can't be written -----------------------------------------

assert_equal 2 "$(status_of "$analyze" export names)" "nothing to export"
assert_equal 2 "$(status_of "$analyze" report --perfetto x names)" "not of report"
assert_equal 2 "$(status_of "$analyze" export --chrome x --ranks 4 names)" "rank 4 of 4"
assert_equal 2 "$(status_of "$analyze" export --chrome x --ranks 2-1 names)" "ranks 2 to 1"
assert_equal 2 "$(status_of "$analyze" export --chrome x --from 2us --to 1us names)" "no time"
assert_equal 3 "$(status_of "$analyze" export --perfetto no/such/place names)" "no directory"
[ ! -e x ] && [ ! -e x.partial ] || fail "something was written that was refused"
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
