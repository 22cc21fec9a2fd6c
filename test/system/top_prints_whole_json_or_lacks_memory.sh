# The n-th allocation of mpiwatch-top fails: its line of JSON, its list of runs, and what --why says
# as JSON, are what they are without; or nothing is printed, it says that it lacks memory, and ends
# with status 3. Never is a key left out in silence.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
# Without the program beside it that looks up lines, which are left out where that fails.
cp "$TOP_BUILDDIR/mpiwatch-top" .
top=./mpiwatch-top
failing=$scratch/libfailing.so
$CC -shared -fPIC -O1 -o "$failing" "$TOP_SRCDIR/test/system/failing_malloc.c"
unset FAIL_RANK FAIL_ON

# A run that is gone looks the same each time: rank 0 dies while rank 1 waits for it.
cat >dies.c <<'PROGRAM'
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int rank, got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        raise(SIGKILL);
    }
    MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
PROGRAM
for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o dies dies.c
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip ./dies >log 2>&1 || true
    ranks_have_ended
    break
done
[ -f run.otf2.zip.run ] || fail "nothing was recorded: $(cat log)"

# starved AT WORD…: mpiwatch-top, whose AT-th allocation fails; but for how long ranks have waited.
starved() {
    local at=$1
    shift
    rm -f count
    status=$(status_of env LD_PRELOAD="$failing" FAIL_COUNT="$PWD/count" FAIL_AT="$at" FAIL_IN=all \
        "$top" "$@")
    sed -E 's/ for [0-9.]+ m?s//g' stdout >told
}

# torture STEP WORD…: every STEP-th allocation fails, and each of the last hundred. EACH=1: all of
# them do.
torture() {
    local step=${EACH-$1} most at held=0
    shift
    starved 0 "$@"
    assert_equal 0 "$status" "$*: $(cat stderr)"
    mv told expected
    most=$(cat count)
    [ "$most" -gt 100 ] || fail "$*: only $most allocations: are they seen?"
    for at in $(seq 1 "$step" $((most - 101))) $(seq $((most - 100)) "$most"); do
        starved "$at" "$@"
        if [ "$status" = 0 ]; then
            cmp -s told expected || wrong "$*: allocation $at: the output differs: $(cat told)"
        else
            assert_equal 3 "$status" "$*: allocation $at"
            assert_empty told
            grep -q '^mpiwatch-top: .*memory' stderr || wrong "$*: allocation $at: $(cat stderr)"
            held=$((held + 1))
        fi
    done
    [ "$held" -gt 20 ] || wrong "$*: memory lacks but $held times: do they fail?"
}
torture 17 --json --count=1 run.otf2.zip.run
torture 67 --why --json run.otf2.zip.run
finish
