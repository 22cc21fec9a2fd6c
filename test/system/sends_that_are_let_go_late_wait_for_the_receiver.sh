# Rank 1 sends how many bytes there are, and then these, while rank 0 computes before it takes both.
# Where the MPI keeps them, but lets the call go only when the receiver is in MPI, as Open MPI does
# of some sizes in shared memory, it waits for that for as long as the program measures itself, and
# the verdict names who computes. Where it is let go at once nobody waits for anything there.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >waited.py <<'PYTHON'
import json
import sys

sending = int(open("said").read())
patterns = {each["name"]: each for each in json.load(open("waits.json"))["patterns"]}
progress = patterns["late_progress"]["total_ns"]
receiver = patterns["late_receiver"]["total_ns"]
if sending < 50e6:  # of 200 ms: it was not held, or of few messages only
    sys.exit(progress + receiver > 1.1 * sending)
if not 0.8 * sending < progress + receiver < 1.05 * sending:
    sys.exit("in the calls %d, late progress %d, receiver %d" % (sending, progress, receiver))
causes = [(each["id"], each["ranks"]) for each in json.load(open("report.json"))["causes"]]
if ("imbalance", [0]) not in causes:
    sys.exit("not said of rank 0: %s" % causes)
print("held")
PYTHON

# waits_so BYTES: whether what is told of so many is as the program says.
waits_so() {
    # shellcheck disable=SC2086
    run_mpi "$mpi" 2 $foremost "$record" -q --force -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/hands_over-$mpi" "$1" 20 >said
    "$analyze" waits --json run.otf2.zip >waits.json
    "$analyze" report --json run.otf2.zip >report.json
    "$python" waited.py >told
}

held=0
for mpi in $(built_mpis); do
    # Kept; kept nowhere, so that both ends have to be there.
    for bytes in 1000 4000 60000; do
        # Who has no core when it is let go is late for that: where others use the machine, once.
        waits_so "$bytes" || waits_so "$bytes" || waits_so "$bytes" ||
            wrong "$mpi, $bytes bytes: $(cat said)"
        [ "$mpi $bytes $(cat told)" = "openmpi 1000 held" ] && held=1
        "$analyze" waits --json -q -j 2 run.otf2.zip | cmp -s - waits.json ||
            wrong "$mpi, $bytes bytes: by two threads"
    done
done
echo "1,000 bytes by Open MPI were let go late: $held"
finish
