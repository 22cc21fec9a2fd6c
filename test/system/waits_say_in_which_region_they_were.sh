# In which region of the program each wait was: the innermost at the call. What is expected is what
# regions in foreign.py says.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" regions traces
"$analyze" waits --json -o waits.json traces
"$analyze" waits traces >waits
grep -q '2\.00 us .*solve (solve.c:88)$' waits || fail "no region on screen: $(cat waits)"
"$python" - <<'PYTHON'
import json

patterns = {each["name"]: each for each in json.load(open("waits.json"))["patterns"]}
barrier = patterns["wait_at_barrier"]
assert barrier["total_ns"] == 2400, barrier
# The one of main is left out, which makes no call itself; that of 100 ns is in none.
assert {(row["region"], row["file"], row["line"]): row["wait_ns"]
        for row in barrier["per_region"]} == {("solve", "/app/solve.c", 88): 2000,
                                              ("exchange", "/app/exchange.c", 30): 300}, barrier
assert [(wait["wait_ns"], wait["region"]) for wait in barrier["worst"]] == [
    (2000, "solve"), (300, "exchange"), (100, None)], barrier["worst"]
assert patterns["late_sender"]["per_region"] == [], patterns["late_sender"]
PYTHON
