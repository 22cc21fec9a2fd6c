# Where a persistent request is over for the program, and not yet for Open MPI, MPI_Start gives it
# another handle: of a buffered send whose message nobody has received. All of its messages are in
# the archive, those of later starts, too.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >restarted.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 20000, ROUNDS = 4 }; /* too long to be sent before there is a receive */

int main(int argc, char **argv)
{
    static int out[COUNT], in[COUNT];
    MPI_Request requests[2], before;
    MPI_Status statuses[2];
    int rank, size, bytes, provided, moved = 0;
    void *buffer;

    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bytes = 2 * ROUNDS * (int)(sizeof out + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(malloc((size_t)bytes), bytes);
    for (int i = 0; i < 2; i++) {
        MPI_Bsend_init(out, COUNT, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        before = requests[1];
        if (round % 2 == 0) {
            MPI_Start(&requests[0]);
            MPI_Start(&requests[1]);
        } else {
            MPI_Startall(2, requests);
        }
        moved += before != requests[1];
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        MPI_Recv(in, COUNT, MPI_INT, (rank + size - 1) % size, i % 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&requests[i]);
    }
    MPI_Buffer_detach(&buffer, &bytes);
    printf("%d\n", moved);
    MPI_Finalize();
    return 0;
}
PROGRAM

# followed MPI [threads]
followed() {
    local mpi=$1
    rm -f restarted.otf2.zip
    assert_equal 0 "$(status_of run_mpi "$mpi" 2 "$record" -q -o restarted.otf2.zip \
        ./restarted "${@:2}")" "$*: status: $(cat stderr)"
    # Without another handle the test would say nothing.
    [ "$mpi" = mpich ] || ! openmpi_is_4 || ! grep -qx 0 stdout ||
        wrong "$*: no start has given another handle"
    "$analyze" info --json restarted.otf2.zip >info.json
    assert_equal "0 0 0" "$(json info.json \
        '" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives", "lost_events"))')" \
        "$*: unmatched sends, unmatched receives, lost events"
    "$analyze" messages --json restarted.otf2.zip >messages.json
    assert_equal "16 1280000" "$(json messages.json '"%d %d" % (d["messages"], d["bytes"])')" \
        "$*: messages, bytes"
    "$analyze" mistakes --json restarted.otf2.zip >mistakes.json
    assert_equal "[]" "$(json mistakes.json 'd["mistakes"]')" "$*: mistakes"
}
for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o restarted restarted.c
    followed "$mpi"
    followed "$mpi" threads
done
finish
