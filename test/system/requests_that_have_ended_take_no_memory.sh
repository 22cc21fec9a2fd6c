# 100,000 receives outstanding take 6 MB of the recorder's while there are so many. When all are
# complete that is given back before the archive is written, which takes memory of its own: the
# rank's never grows by both.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

mpi=$(built_mpis | head -1)
mpi=${mpi%% *}

cat >outstanding.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>

enum { COUNT = 100000 };

static MPI_Request requests[COUNT];

int main(int argc, char **argv)
{
    struct rusage usage;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < COUNT; i++) {
        MPI_Irecv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}
C
"$(mpicc_of "$mpi")" -O1 -o outstanding outstanding.c
without=$(run_mpi "$mpi" 1 ./outstanding 2>err) || fail "$(cat err)"
with=$(run_mpi "$mpi" 1 "$record" -q --pvars=none -o x.zip ./outstanding 2>err) ||
    fail "$(cat err)"
echo "$mpi: $without kB without, $((with - without)) kB more with"
[ $((with - without)) -lt 16500 ] || wrong "memory grew by $((with - without)) kB"
assert_equal "[100000, 0, 0]" "$("$analyze" info --json x.zip >info.json && json info.json \
    '[d["mpi_calls"] // 3, d["lost_events"], d["pending_receives"]]')" "what was recorded"
finish
