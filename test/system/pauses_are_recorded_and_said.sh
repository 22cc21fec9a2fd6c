# MPI_Pcontrol(0) pauses and 1 resumes; what is unmatched because of that is said to be
# so, and a communicator made in the pause is known. What a pause left out on one side only moves
# the matches behind it: that is said, and not that clocks of one host disagree.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >one_side.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 6; i++) {
        if (rank == 0) {
            MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            usleep(20000);
            MPI_Pcontrol(i != 1);
            MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Pcontrol(1);
        }
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o one_side one_side.c
    run_mpi "$mpi" 2 "$record" --force -o one_side.otf2.zip ./one_side >out 2>err ||
        wrong "$mpi: $(cat err)"
    waits=$("$analyze" waits one_side.otf2.zip)
    assert_contains "$waits" \
        "1 of them since recording was paused: those behind them may be matched wrongly"
    assert_contains "$waits" "waits cut off where clocks disagree or matches are wrong"
    for command in "info --full" report; do
        assert_contains "$("$analyze" $command one_side.otf2.zip | tr -s ' \n' ' ')" \
            "; or messages are matched wrongly)"
    done
    "$analyze" report -q --force --html=one_side.html one_side.otf2.zip
    grep -q "clock violations, or messages matched wrongly" one_side.html || wrong "$mpi: the page"

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
