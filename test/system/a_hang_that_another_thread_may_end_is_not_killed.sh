# mpiwatch-record --hang=TIME:kill: ranks whose main threads wait for each other are not in a
# deadlock that is proved as long as MPI lets other threads of theirs call it, whether one of these
# has called it before or not: here one sends, in the end, what all wait for, and the run is sound.
# Without MPI_THREAD_MULTIPLE nobody can, and the run is ended.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/hangs.sh"
gently

# late LEVEL CALLS: 0 and 1 wait for each other; unless LEVEL is MPI_THREAD_FUNNELED another thread
# of 1 sends to 0 when there is a file "said"; CALLS 1: it has called MPI before.
cat >late.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *send_late(void *calls_before)
{
    int flag;

    if (*(int *)calls_before) {
        MPI_Iprobe(0, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    while (access("said", F_OK) != 0) {
        usleep(50000);
    }
    MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    const int wanted = strcmp(argv[1], "multiple") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    int calls_before = atoi(argv[2]);
    int rank, provided;
    pthread_t other;

    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided != wanted) {
        MPI_Finalize();
        return 77;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && wanted == MPI_THREAD_MULTIPLE) {
        pthread_create(&other, NULL, send_late, &calls_before);
    }
    MPI_Recv(NULL, 0, MPI_INT, 1 - rank, 1 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Send(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD);
        puts("through");
    } else {
        pthread_join(other, NULL);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# hang MPI LEVEL CALLS: its status; what is said is in stderr.
hang() {
    rm -f said
    status_of run_mpi "$1" 2 "$TOP_BUILDDIR/mpiwatch-record" --hang=1s:kill -o "$1-$2-$3.otf2.zip" \
        "./late-$1" "$2" "$3"
}

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o "late-$mpi" late.c -lpthread
    for calls in 0 1; do
        (await "word of the hang" is_told && touch said) &
        waiter=$!
        status=$(hang "$mpi" multiple $calls)
        [ "$status" != 77 ] || { kill "$waiter" && skip "no MPI_THREAD_MULTIPLE here"; }
        wait
        assert_equal 0 "$status" "status of a run that another thread lets go on, by $mpi"
        assert_equal through "$(cat stdout)" "what it prints"
        assert_contains "$(cat stderr)" "possible deadlock: rank 0 in MPI_Recv from 1"
        assert_contains "$(cat stderr)" "unless another thread of rank 0 goes on"
        assert_contains "$(cat stderr)" "not killed: this is no deadlock that is proved"
    done
    status=$(hang "$mpi" funneled 0)
    [ "$status" != 0 ] || fail "a deadlock was not ended"
    assert_contains "$(cat stderr)" ": deadlock: rank 0 in MPI_Recv from 1"
    assert_contains "$(cat stderr)" "the deadlock is proved"
done
