# export --csv writes a row for each call of MPI and for each message: their sums are the numbers of
# calls.csv, messages.csv and waits, and what they say of one call is what test/data/archives_page.c
# says of it. A window, ranks and communicators choose rows; --max-rows bounds them, with a word.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" names names
for name in waits_messages waits_collective threads nested uneven; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
done

# By pandas where it is there, whose types tell numbers from texts; else by Python's csv.
cat >read.py <<'PYTHON'
import csv

def rows(path):
    try:
        import pandas
    except ImportError:
        return [{key: None if value == "" else int(value) if value.lstrip("-").isdigit() else value
                 for key, value in row.items()} for row in csv.DictReader(open(path, newline=""))]
    frame = pandas.read_csv(path).convert_dtypes()
    return [{key: None if pandas.isna(value) else value for key, value in row.items()}
            for row in frame.to_dict("records")]
PYTHON

# --- the sums are those of the analyses -------------------------------------------------

cat >sums.py <<'PYTHON'
import collections, json, sys
from read import rows

directory, waits = sys.argv[1:3]
sums = collections.defaultdict(lambda: [0, 0, 0])
times = collections.Counter()
for row in rows(directory + "/call_records.csv"):
    for i, value in enumerate((row["calls"], row["bytes_sent"], row["bytes_received"])):
        sums[row["name"]][i] += value
    times[row["name"]] += row["leave_ns"] - row["enter_ns"]
calls = {row["name"]: [row["count"], row["bytes_sent"], row["bytes_received"]]
         for row in rows(directory + "/calls.csv")}
assert dict(sums) == {name: row for name, row in calls.items() if row[0]}, (sums, calls)
if directory == "names.tables":
    assert times == {row["name"]: row["time_ns"] for row in rows(directory + "/calls.csv")}, times
messages = rows(directory + "/message_records.csv")
pairs = collections.defaultdict(lambda: [0, 0])
for row in messages:
    pairs[row["from"], row["to"]][0] += 1
    pairs[row["from"], row["to"]][1] += row["bytes"]
assert dict(pairs) == {(row["from"], row["to"]): [row["count"], row["bytes"]]
                       for row in rows(directory + "/messages.csv")}, pairs
patterns = {row["name"]: row["total_ns"] for row in json.load(open(waits))["patterns"]}
waited = {column: sum(row[column] for row in messages) for column in messages[0]
          if column.endswith("wait_ns")} if messages else collections.Counter()
assert waited["wait_ns"] == patterns.get("late_sender", 0), (waited, patterns)
assert waited["send_wait_ns"] == patterns.get("late_receiver", 0), (waited, patterns)
assert waited["progress_wait_ns"] + waited["send_progress_wait_ns"] == \
    patterns.get("late_progress", 0), (waited, patterns)
assert [row["sent_ns"] for row in messages] == sorted(row["sent_ns"] for row in messages)
PYTHON
for name in names waits_messages waits_collective threads nested uneven; do
    "$analyze" export --csv "$name.tables" "$name" || [ $? -eq 4 ]
    "$analyze" waits --json -o "$name.waits" "$name" || [ $? -eq 4 ]
    "$python" -B sums.py "$name.tables" "$name.waits" || fail "$name: sums"
done

# --- single ones ------------------------------------------------------------------------------

# Step 3 is at 15400 - 100; rank 0 sends 8 bytes to rank 1, and waits 590 for those of rank 3.
"$python" -B - <<'PYTHON' || fail "single calls and messages"
from read import rows
calls = rows("names.tables/call_records.csv")
send, wait = (next(row for row in calls if row["name"] == name and row["rank"] == 0 and
                   row["tag"] == 3) for name in ("MPI_Isend", "MPI_Wait"))
assert (send["enter_ns"], send["peer"], send["bytes_sent"], send["bytes_received"], send["root"],
        send["file"]) == (16320, 1, 8, 0, None, None), send
assert (wait["enter_ns"], wait["leave_ns"], wait["peer"], wait["bytes_received"]) == \
    (16330, 17100, 3, 8), wait
message, = (row for row in rows("names.tables/message_records.csv")
            if row["tag"] == 3 and row["to"] == 0)
assert (message["from"], message["bytes"], message["sent_ns"], message["received_ns"],
        message["wait_ns"], message["send_wait_ns"], message["send_call"],
        message["receive_call"]) == (3, 8, 16920, 17100, 590, 0, "MPI_Isend", "MPI_Wait"), message
assert message["comm"].startswith("back"), message
PYTHON

# 10 times 200 us of the receiver, whose sender computes for 300 and not for 100 before MPI_Waitall;
# or of the sender, whose receiver does.
if "$python" -c 'import otf2' 2>/dev/null; then
    for fault in "one_hides 0,0,200000,0" "one_hides_not 0,0,0,200000"; do
        name=${fault% *}
        "$python" "$TOP_SRCDIR/test/system/planted.py" "$name" "$name" || fail "planted.py $name"
        "$analyze" export --csv "$name.tables" "$name"
        "$analyze" waits --json -o "$name.waits" "$name"
        "$python" -B sums.py "$name.tables" "$name.waits" || fail "$name: sums"
        assert_equal "10 ${fault#* }" "$(sed 1d "$name.tables/message_records.csv" |
            cut -d, -f12-15 | sort | uniq -c | sed 's/^ *//')" "late progress: $name"
    done
fi

# --- a part of them ---------------------------------------------------------------------------

# count NAME: rows of the table in the directory part.
count() {
    sed 1d "part/$1.csv" | wc -l
}
# Step 1 is 5700 to 10499: five calls of each of two ranks, and the message between the two.
"$analyze" export --csv part --from 5.7us --to 10.499us --ranks 0-1 names
assert_equal "10 1" "$(count call_records) $(count message_records)" "a step of two ranks"
# All are in MPI_Allreduce then.
"$analyze" export --csv part --from 7.9us --to 8.9us names 2>said
assert_equal "0,MPI_Allreduce,7900,8900
1,MPI_Allreduce,7900,8900
2,MPI_Allreduce,7900,8900
3,MPI_Allreduce,7900,8900" "$(sed 1d part/call_records.csv | cut -d, -f1,3,7,8)" "cut calls"
"$analyze" export --csv part --comm '<script>*' names
# 5 steps of 4 ranks: sends and the waits for receives; 4 creations.
assert_equal "44 20" "$(count call_records) $(count message_records)" "one communicator"

"$analyze" export --csv part --max-rows 17 names 2>said || fail "with --max-rows"
assert_equal "17 17" "$(count call_records) $(count message_records)" "at most 17 rows"
for name in call_records message_records; do
    head -18 "names.tables/$name.csv" | diff - "part/$name.csv" || fail "$name: not the first"
done
assert_contains "$(cat said)" "part/call_records.csv has the first 17 of 428: --max-rows"
assert_contains "$(cat said)" "part/message_records.csv has the first 17 of 80: --max-rows"
"$analyze" export -q --csv part --max-rows 17 names 2>said
assert_equal "" "$(cat said)" "quiet"
"$analyze" export --csv sums --max-rows 0 names
[ ! -e sums/call_records.csv ] && [ -e sums/calls.csv ] || fail "--max-rows=0"
assert_equal 2 "$(status_of "$analyze" export --csv part --max-rows x names)" "no number"
echo "my,own" >part/call_records.csv
assert_equal 2 "$(status_of "$analyze" export --csv part names)" "a table of somebody else's"

# --- recorded ---------------------------------------------------------------------------------

mpi=$(mpis | head -n 1)
if [ -n "$mpi" ] && [ -x "$(example ring "$mpi")" ]; then
    run_mpi "$mpi" 2 "$record" -o ring.otf2.zip "$(example ring "$mpi")" >out 2>err ||
        fail "recording: $(cat err)"
    "$analyze" export --csv ring.tables ring.otf2.zip
    "$analyze" waits --json -o ring.waits ring.otf2.zip
    "$python" -B sums.py ring.tables ring.waits || fail "ring: sums"
    grep -q "ring.c,[0-9]" ring.tables/call_records.csv ||
        fail "no lines: $(head -3 ring.tables/call_records.csv)"
fi
