# What other tools write and is odd, but no contradiction: validate notes it down, reports read it,
# and both say so in the same way. What is expected is what odd and crossed_calls in foreign.py say.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" odd odd
"$python" "$TOP_SRCDIR/test/system/foreign.py" crossed_calls crossed

"$analyze" validate odd >out || fail "odd: $(cat out)"
grep -q '^note .*leaves Region .*, which is not the one entered last, and 1 more like it' out ||
    fail "no note of crossed regions: $(cat out)"
grep -q "^note .*regions entered and never left: 1$" out || fail "the open one: $(cat out)"
! grep -vq '^note \|^odd: sound;' out || fail "something else: $(cat out)"
"$analyze" odd >report || fail "report: $(cat report)"
! grep -q '^settings' report || fail "settings of nobody: $(cat report)"
# from the end of MPI_Init to the beginning of MPI_Finalize
"$analyze" ranks --json -o ranks.json odd
"$python" - <<'PYTHON'
import json

for rank in json.load(open("ranks.json"))["ranks"]:
    assert rank["run_ns"] == 8000 and rank["calls"] == 3, rank
    assert rank["mpi_ns"] == 500 + 100 * rank["rank"], rank
PYTHON

# Where it is, once: the anchor's name is no folder of the location's file.
status=0
"$analyze" validate crossed/traces.otf2 >out 2>err || status=$?
[ "$status" = 3 ] || fail "crossed calls: exit $status: $(cat out)"
grep -q '^mpiwatch-analyze: crossed/traces/0.evt: ' err || fail "the path is $(cat err)"
grep -q '^corrupt  *traces/0.evt: ' out || fail "the member is $(cat out)"
for path in crossed/ "$PWD/crossed"; do
    status=0
    "$analyze" validate "$path" >out 2>err || status=$?
    [ "$status" = 3 ] || fail "$path: exit $status: $(cat out)"
    grep -q "^mpiwatch-analyze: ${path%/}/traces/0.evt: " err || fail "the path is $(cat err)"
    grep -q '^corrupt  *traces/0.evt: ' out || fail "the member is $(cat out)"
done
rm crossed/traces/0.evt
status=0
"$analyze" crossed/traces.otf2 >out 2>err || status=$?
[ "$status" = 3 ] || fail "without events: exit $status: $(cat out err)"
grep -q "^mpiwatch-analyze: crossed/traces/0.evt: .*it is missing" err || fail "missing: $(cat err)"
