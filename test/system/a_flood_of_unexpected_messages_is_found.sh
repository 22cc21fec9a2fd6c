# The default selection, asked for by nobody, finds the flood of examples/flood.c: 200
# unexpected messages on rank 0, in MPI_Recv.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # Debian's MPICH has no variables of its queues

run_openmpi 2 "$record" -q -o flood.otf2.zip "$(example flood openmpi)" >/dev/null
"$analyze" watermarks --json flood.otf2.zip >watermarks.json
row="[row for row in d['watermarks'] if row['name'] == 'pml_ob1_unexpected_msgq_length.sum'
    and row['rank'] == 0][0]"
assert_equal '[200, "MPI_Recv", "MPI_COMM_WORLD"]' \
    "$(json watermarks.json "[$row['high']['value'], $row['high']['call'], $row['comm']]")" \
    "the highest queue"
sum="[row for row in d['across_ranks'] if row['name'] == 'pml_ob1_unexpected_msgq_length.sum'][0]"
assert_equal 200 "$(json watermarks.json "$sum['peak_of_sum']")" "the peak of the sum"
t=$(json watermarks.json "$row['high']['t_ns']")

# The time is that of the one MPI_Recv that got the last message: it is left there.
"$analyze" dump --json --rank=0 flood.otf2.zip |
    grep -m1 '"event":"leave","region":"MPI_Recv"' >first
assert_contains "$(cat first)" "\"time_ns\":$t,"

# The same thing by the events says how it differs from it, and the other way round.
assert_contains "$(json watermarks.json "$row['relation']")" "messages (of collectives) included"
assert_contains "$(json watermarks.json "[row['relation'] for row in d['watermarks']
    if row['source'] == 'events' and row['name'] == 'unexpected messages'][0]")" \
    "the MPI's own, too"
assert_contains "$("$analyze" watermarks flood.otf2.zip)" "what has arrived, the MPI's own messages"
"$analyze" --html=page.html flood.otf2.zip >/dev/null
assert_contains "$(cat page.html)" "what has arrived, the MPI"

# Before it, in a window of its own, there is nothing.
"$analyze" watermarks --json --to=$((t - 1))ns flood.otf2.zip >before.json
assert_equal 0 "$(json before.json "$row['high']['value']")" "the highest queue before the flood"

# The first screen names it, with its rank and time.
"$analyze" flood.otf2.zip >screen
grep -q "pml_ob1_unexpected_msgq_length >=200 (rank 0 at [0-9.]* [mu]*s)" screen ||
    fail "the first screen: $(cat screen)"

# The same by the events alone: at any time, what was sent and not yet posted, or not yet
# received, worked out here from the dump.
"$analyze" dump --json flood.otf2.zip >events
cat >sweep.py <<'PYTHON'
import json
sends, receives, enter = {}, {}, {}
for line in open("events"):
    event = json.loads(line)
    if event["event"] == "enter":
        enter[event["rank"]] = event["time_ns"]
    elif event["event"] == "send":
        sends.setdefault(event["tag"], []).append((event["time_ns"], event["bytes"]))
    elif event["event"] == "recv":
        receives.setdefault(event["tag"], []).append((enter[0], event["time_ns"]))
unexpected, flight = [], []
for tag, list_of_sends in sends.items():
    for (sent, size), (posted, received) in zip(list_of_sends, receives[tag]):
        unexpected += [(sent, 1), (posted, -1)] if sent < posted else []
        flight += [(sent, size), (received, -size)]
def peak(steps):
    value, most = 0, 0
    for at in sorted(set(time for time, _ in steps)):
        value += sum(by for time, by in steps if time == at)
        most = max(most, value)
    return most
print(peak(unexpected), peak(flight))
PYTHON
# of NAME RANK: the mark per rank, the one on MPI_COMM_WORLD, and whether both are exact.
of() {
    json watermarks.json "[[row['high']['value'] for row in rows] + [row['high']['exact'] and
        row['source'] == 'events' for row in rows] for rows in [[row for row in d['watermarks']
        if row['name'] == '$1' and row['rank'] == $2]]][0]"
}
read -r unexpected flight <<<"$("$python" sweep.py)"
[ "$unexpected" -ge 200 ] || fail "the dump has only $unexpected unexpected messages"
assert_equal "[$unexpected, $unexpected, true, true]" "$(of 'unexpected messages' 0)" \
    "unexpected messages by the events"
assert_equal "[$flight, $flight, true, true]" "$(of 'bytes in flight' 1)" "bytes in flight"

# Instead of statistics: the sum alone, the greatest with its peer, and all values.
# values ARRAY: the name of each value and the highest that rank 0 has of it.
values() {
    run_openmpi 2 "$record" -q --force -o array.zip --pvars='pml_ob1_unexpected*' \
        --pvar-array="$1" "$(example flood openmpi)" >/dev/null
    "$analyze" counters --json array.zip >array.json
    json array.json '[[row["name"].split("_length")[1], row["max"]]
        for row in d["pvars"] if row["rank"] == 0 and row["comm"] == "MPI_COMM_WORLD"]'
}
assert_equal '[[".sum", 200]]' "$(values sum)" "--pvar-array=sum"
assert_equal '[[".top1", 200], [".peer1", 1]]' "$(values top:1)" "--pvar-array=top:1"
assert_equal '[["[0]", 0], ["[1]", 200]]' "$(values full)" "--pvar-array=full"
