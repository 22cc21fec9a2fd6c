# An archive of another tool: EZTrace records the late sender of examples/late_sender.c, and the
# analyzer finds it. EZTrace's processes have a clock each that begins when they start, and it
# leaves out which receives a Waitall completes; so only the one wait is held against the truth,
# with three tries as in test/system/waits.sh.
. "$TOP_SRCDIR/test/system/lib.sh"

need_mpi openmpi # Debian's EZTrace is made for it
eztrace=$(command -v eztrace) || skip "eztrace is not installed"

cat >late.py <<'PYTHON'
import json, re, sys

slept = float(re.search(r"late_sender: ranks 1 wait ([\d.]+) s for rank 0", open("out").read())[1])
found = {each["name"]: each for each in json.load(open("waits.json"))["patterns"]}
late = found["late_sender"]
assert late["instances"] == 1 and late["worst"][0]["call"] == "MPI_Recv", late
assert (late["worst"][0]["rank"], late["worst"][0]["cause_rank"]) == (1, 0), late
assert 0.6 * slept <= late["total_ns"] / 1e9 <= 1.4 * slept, (late["total_ns"], slept)
PYTHON

for try in 1 2 3; do
    rm -rf traces
    if ! run_openmpi 2 "$eztrace" -t openmpi -o "$PWD/traces" \
        "$(example late_sender openmpi)" >out 2>err; then
        # What goes wrong inside of EZTrace, and not without it, says nothing of the analyzer.
        [ "$try" = 3 ] || continue
        run_openmpi 2 "$(example late_sender openmpi)" >/dev/null || fail "without eztrace, too"
        skip "eztrace itself fails, three times of three: $(tail -1 err)"
    fi
    archive=$(find traces -name '*.otf2' | head -1)
    [ -n "$archive" ] || skip "this eztrace writes no archive: $(tail -1 err)"
    status=0
    "$analyze" waits --json -o waits.json "$archive" 2>err || status=$?
    [ "$status" = 0 ] || [ "$status" = 4 ] || fail "waits: exit $status: $(cat err)"
    if "$python" late.py 2>why; then
        break
    fi
    [ "$try" -lt 3 ] || fail "$(tail -1 why)"
done
for command in report info calls ranks messages comms imbalance pop critical-path; do
    status=0
    "$analyze" "$command" "$archive" >out 2>err || status=$?
    [ "$status" = 0 ] || [ "$status" = 4 ] || fail "$command: exit $status: $(cat err)"
    [ -s out ] || fail "$command prints nothing"
done
