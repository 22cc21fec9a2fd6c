# One-sided communication as Score-P writes it: the waits are those that onesided in foreign.py
# says, worked out by hand from its times.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" onesided traces
"$analyze" waits --json -o waits.json traces
"$analyze" validate traces >out || fail "validate: $(cat out)"
"$python" - <<'PYTHON'
import json

waits = {each["name"]: each for each in json.load(open("waits.json"))["patterns"]}
for name, rank, cause, call, ns in (("late_post", 0, 1, "MPI_Win_start", 2800),
                                    ("early_wait", 1, 0, "MPI_Win_wait", 3000),
                                    ("late_complete", 1, 0, "MPI_Win_wait", 2900),
                                    ("lock_contention", 1, 0, "MPI_Win_lock", 2550)):
    wait = waits[name]
    assert (wait["instances"], wait["total_ns"]) == (1, ns), (name, wait)
    worst = wait["worst"][0]
    assert (worst["rank"], worst["cause_rank"], worst["call"]) == (rank, cause, call), worst
PYTHON

# Calls alone say nothing of who waited: that is not known, and said everywhere.
"$python" "$TOP_SRCDIR/test/system/foreign.py" calls_alone alone
"$analyze" waits --json -o alone.json alone
"$analyze" waits alone >out
grep -q '^note: not known, .*: late post, early wait, late complete, lock contention$' out ||
    fail "waits: $(cat out)"
"$analyze" alone | tr -s ' \n' '  ' >report
grep -q 'waits not known: late post, early wait, late complete, lock contention' report ||
    fail "report: $(cat report)"
"$python" - <<'PYTHON'
import json

for wait in json.load(open("alone.json"))["patterns"]:
    is_known = wait["name"] not in ("late_post", "early_wait", "late_complete", "lock_contention")
    for key in "total_ns", "share", "instances":
        assert (wait[key] == 0) if is_known else (wait[key] is None), wait
    assert (wait["unknown"] is None) == is_known, wait
for wait in json.load(open("waits.json"))["patterns"]:
    assert wait["unknown"] is None, wait
PYTHON
