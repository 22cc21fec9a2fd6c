# What Score-P 8 tells of communicators: those that every program has are made in MPI_Init and freed
# in MPI_Finalize, and making and freeing are collectives. What is expected is what communicators in
# foreign.py says.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" communicators traces
for command in comms waits; do
    "$analyze" "$command" --json -o "$command.json" traces
done
"$analyze" validate traces >out || fail "validate: $(cat out)"
! grep -q 'after it was freed' out || fail "validate: $(cat out)"
"$analyze" traces >report
grep -q '^comms  *2 created, 2 alive at once, 0 never freed' report || fail "report: $(cat report)"
"$python" - <<'PYTHON'
import json

comms = json.load(open("comms.json"))
assert comms["created"] == 2 and comms["alive_max"] == 2, comms
rows = {each["name"]: each for each in comms["communicators"]}
for name in "MPI_COMM_WORLD", "MPI_COMM_SELF":
    row = rows[name]
    assert row["predefined"] and row["created_ns"] is row["freed_ns"] is None, row
    assert row["collectives"] == 0, row
# two MPI_Comm_dup of 100 ns and 60 ns, and nothing of MPI_Init
assert rows["MPI_COMM_WORLD"]["time_ns"] == 2 * (100 + 60), rows["MPI_COMM_WORLD"]
assert rows["used"]["collectives"] == 1, rows["used"]
assert rows["used"]["time_ns"] == 150 + 50 + 2 * 100, rows["used"]
assert rows["unused"]["collectives"] == 0, rows["unused"]
assert (rows["unused"]["created_ns"], rows["unused"]["freed_ns"]) == (1590, 3580), rows["unused"]
found = {each["kind"]: each for each in comms["findings"]}
assert list(found) == ["unused"], found
assert found["unused"]["communicators"] == [rows["unused"]["uid"]], found
waits = {each["name"]: each["total_ns"] for each in json.load(open("waits.json"))["patterns"]}
assert waits["wait_at_barrier"] == 100, waits
assert waits["wait_at_comm_create"] == 2 * 40, waits
assert waits["wait_at_nxn"] == 0, waits
PYTHON
