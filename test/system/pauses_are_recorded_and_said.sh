# MPI_Pcontrol(0) pauses and 1 resumes; what is unmatched because of that is said to be
# so, and a communicator made in the pause is known.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" pcontrol
    assert_equal 0 "$status" "$mpi: status"
    as_expected "$mpi" "$ranks" pcontrol.c
    reported comms pcontrol
    python_check "$mpi" "$ranks" <<'PYTHON'
import json, sys
n = int(sys.argv[1])
made, = [c for c in json.load(open("comms.json"))["communicators"]
         if c["name"] == "made in the pause"]
assert made["created_by"] == "MPI_Comm_dup", made
assert (made["messages"], made["bytes"]) == (10 * n, 40 * n), made
assert made["freed_ns"] is not None, made
PYTHON
    "$analyze" report pcontrol.otf2.zip >report.txt || wrong "$mpi: report: exit $?"
    grep -qi 'pause' report.txt || wrong "$mpi: no word of the pause: $(cat report.txt)"
done
finish
