# Cartesian topologies, and where ranks are in them. What is expected is what topologies in
# foreign.py says: coordinates are of ranks in the communicator, which numbers them backwards.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" topologies traces
"$analyze" info --json -o info.json traces
"$analyze" info traces >info
grep -qx 'topology  *grid: x 2 (periodic), y 2; of backwards' info || fail "info: $(cat info)"
grep -qx 'topology  *line: z 3; of MPI_COMM_WORLD' info || fail "info: $(cat info)"
[ "$(grep -c ^topology info)" -eq 2 ] || fail "info: $(cat info)"
"$analyze" ranks traces >ranks
grep -q '^ *0 .* at 1,1 of grid; at 0 of line$' ranks || fail "ranks: $(cat ranks)"
grep -q '^ *3 .* at 0,0 of grid$' ranks || fail "ranks: $(cat ranks)"
"$python" - <<'PYTHON'
import json

grid, line = json.load(open("info.json"))["topologies"]
assert (grid["name"], grid["comm"]) == ("grid", "backwards"), grid
assert grid["dimensions"] == [{"name": "x", "size": 2, "periodic": True},
                              {"name": "y", "size": 2, "periodic": False}], grid
assert grid["ranks"] == [{"rank": 0, "coordinates": [1, 1]}, {"rank": 1, "coordinates": [1, 0]},
                         {"rank": 2, "coordinates": [0, 1]}, {"rank": 3, "coordinates": [0, 0]}]
assert (line["name"], line["comm"]) == ("line", "MPI_COMM_WORLD"), line
assert line["ranks"] == [{"rank": rank, "coordinates": [rank]} for rank in range(3)], line
PYTHON
