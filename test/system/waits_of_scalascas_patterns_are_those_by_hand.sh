# Archives as Score-P writes them, each with waits of one of Scalasca's patterns (late sender, late
# receiver, NxN, barrier, early reduce, late broadcast), blocking and non-blocking, and one with
# what mpiwatch and Scalasca count otherwise: all waits, with who waited in which call for whom, are
# those worked out by hand in score_p_waits.py. What Scalasca's own scout says of these archives is
# held against the same list by test/long/scout_finds_the_waits_worked_out_by_hand.sh.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
for name in late_sender late_receiver nxn barrier early_reduce late_broadcast apart; do
    "$python" "$TOP_SRCDIR/test/system/score_p_waits.py" "$name" "$name" >"$name.json"
    "$analyze" validate "$name" >out || fail "validate $name: $(cat out)"
    assert_matches "$(cat out)" 'sound; 3 locations'
    "$analyze" waits --json -o waits.json "$name"
    "$python" - "$name" <<'PYTHON' || fail "$name"
import json
import sys

expected = [wait[:5] for wait in json.load(open(sys.argv[1] + ".json")) if wait[5] != "scout"]
found = [[pattern["name"], wait["call"], wait["rank"], wait["cause_rank"], wait["wait_ns"]]
         for pattern in json.load(open("waits.json"))["patterns"] for wait in pattern["worst"]]
for wait in expected:
    if wait not in found:
        print("missing:", wait)
for wait in found:
    if wait not in expected:
        print("not expected:", wait)
sys.exit(sorted(map(str, found)) != sorted(map(str, expected)))
PYTHON
    rm waits.json
done
