# A program that calls MPI by functions of its own that do nothing else (my_MPI_Barrier) has one
# place for each of them: without stacks the report says so, and what tells the lines calling them.
# The same of what stands in headers of the system, as templates of libraries do. Nothing is said
# where other functions make half of the calls or more, and where stacks are told.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void my_MPI_Barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Which is named as another function of MPI than it calls. */
static void my_MPI_Recv(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

#line 1 "/usr/include/no/such/header.h"
static void meet_in_header(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
#line 29 "program.c"

static void wait_for_one(int rank, void (*how)(void))
{
    if (rank == 1) {
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    }
    how();
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < atoi(argv[1]); i++) {
        wait_for_one(rank, argc == 3             ? my_MPI_Barrier
                           : argv[3][0] == 'h' ? meet_in_header
                                               : my_MPI_Recv);
    }
    for (int i = 0; i < atoi(argv[2]); i++) {
        wait_for_one(rank, meet);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# told OPTION WRAPPED OWN [header|other]: the report of so many waits.
told() {
    run_mpi "$mpi" 2 "$record" -q --force $1 -o run.zip ./program "${@:2}" >out 2>err ||
        fail "$*: $(cat err)"
    "$analyze" report run.zip | tr -s ' \n' ' '
}

mpi=$(built_mpis | head -1)
"$(mpicc_of "$mpi")" -g -O1 -fno-inline -o program program.c

# 30 of 33 waits of 5 ms, all MPI that there is but a few us.
assert_matches "$(told "" 30 3)" \
    "places [5-9][0-9]\.[0-9]% of the time [a-zA-Z ]* by wrappers, as my_MPI_Barrier; .*=stack"
"$analyze" report --html=page.html run.zip >out
assert_contains "$(cat page.html)" "by wrappers, as my_MPI_Barrier"
assert_lacks "$(told "" 3 30)" "wrappers"
assert_matches "$(told "" 30 3 other)" " by wrappers, as my_MPI_Recv; .*=stack"
assert_matches "$(told "" 30 3 header)" " by functions in headers, as meet_in_header; .*=stack"
assert_lacks "$(told --sites=off 30 3)" "wrappers"
if [ "$(uname -m)" = x86_64 ]; then
    assert_lacks "$(told --sites=stack 30 3)" "wrappers"
    assert_contains "$("$analyze" sites --stacks run.zip)" "my_MPI_Barrier < wait_for_one"
fi
finish
