# Tools that sample write calls as calling contexts, which libotf2 tells as calls, and streams
# of GPUs into groups that a process has made. What is expected is what streams in foreign.py says.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" streams traces
for command in calls waits ranks imbalance; do
    "$analyze" "$command" --json -o "$command.json" traces
done
"$analyze" validate traces >out || fail "validate: $(cat out)"
"$python" - <<'PYTHON'
import json

calls = {each["name"]: each for each in json.load(open("calls.json"))["calls"]}
assert (calls["MPI_Barrier"]["count"], calls["MPI_Barrier"]["time_ns"]) == (2, 500 + 200), calls
waits = {each["name"]: each for each in json.load(open("waits.json"))["patterns"]}
assert waits["wait_at_barrier"]["total_ns"] == 300, waits["wait_at_barrier"]
ranks = json.load(open("ranks.json"))["ranks"]
assert [each["locations"] for each in ranks] == [2, 1], ranks
assert [each["mpi_ns"] for each in ranks] == [500, 200], ranks
PYTHON

# By all threads: 2 x 105,000 calls of 3 ns.
"$python" "$TOP_SRCDIR/test/system/foreign.py" sampled sampled
for threads in 1 2; do
    "$analyze" calls --json -j "$threads" -o "calls.$threads" sampled
done
cmp calls.1 calls.2
"$python" - <<'PYTHON'
import json

calls = {each["name"]: each for each in json.load(open("calls.2"))["calls"]}
assert (calls["MPI_Iprobe"]["count"], calls["MPI_Iprobe"]["time_ns"]) == (210000, 630000), calls
PYTHON
