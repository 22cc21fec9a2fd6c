# Runs that stand still until there is a file "said", for tests that have sourced lib.sh: what their
# programs have in common, in stands.h, and when their watch has spoken.
cat >stands.h <<'HEADER'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank;

static void send(int to)
{
    MPI_Send(&rank, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
}

static void receive(int from)
{
    int got;

    MPI_Recv(&got, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void until_said(void)
{
    while (access("said", F_OK) != 0) {
        usleep(20000);
    }
}
HEADER

# is_told: the watch has said what it does not do, in the file that a launcher keeps of its rank.
is_told() {
    grep -rqs "not killed: " "$scratch"/outputs.*
}
