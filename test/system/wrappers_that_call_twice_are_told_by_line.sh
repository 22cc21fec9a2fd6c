# A wrapper that makes the same call of MPI twice (a barrier before and one behind what it prints):
# the line that calls it is that of both, so that the report has the wrapper's own line in place of
# its name; and the name where each of its calls is another one.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

tells_stacks || skip "stacks are not told here"

cat >twice.c <<'PROGRAM'
#include <mpi.h>
#include <time.h>

static volatile int number;

static void late(int is_late)
{
    nanosleep(&(struct timespec){ .tv_nsec = is_late ? 100000000 : 0 }, NULL);
}

static __attribute__((noinline)) void my_MPI_Barrier(int rank)
{
    MPI_Barrier(MPI_COMM_WORLD);
    late(rank == 1);
    MPI_Barrier(MPI_COMM_WORLD); /* second */
    number++;
}

static __attribute__((noinline)) void my_MPI_Bcast(int rank)
{
    int one = rank;

    late(rank == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    number++;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
        if (argc == 1) {
            my_MPI_Barrier(rank); /* twice */
        } else {
            my_MPI_Bcast(rank); /* once */
        }
    }
    MPI_Finalize();
    return number != 10;
}
PROGRAM

# at WHAT: "twice.c:12", where it stands.
at() {
    echo "twice.c:$(grep -n -F "/* $1 */" twice.c | cut -d: -f1)"
}

# report [ARGUMENT]: records the program, and prints its report in one line.
report() {
    run_mpi "$mpi" 2 "$record" -q --force -o run.zip ./twice "$@" 2>err || fail "$mpi: $(cat err)"
    "$analyze" run.zip | tr -s ' \n' ' '
}

mpi=$(built_mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"
"$(mpicc_of "$mpi")" -g -O1 -o twice twice.c
assert_contains "$(report)" "MPI_Barrier, $(at twice) via $(at second)"
assert_contains "$(report once)" "MPI_Barrier, $(at once) via my_MPI_Bcast"
