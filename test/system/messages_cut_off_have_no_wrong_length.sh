# A message that was longer than its receive's buffer (MPI_ERR_TRUNCATE) has been received: in the
# archive are its own bytes where the MPI's status tells them, as Open MPI's does, and none where it
# says 0, as MPICH's does; never others. An empty message has 0 bytes.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
# Open MPI 4.1 copies all of a message that is cut off where it reads it from the sender's memory
# (CMA), and the program ends by SIGSEGV, with the recorder and without; so does Open MPI 5.
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_smsc=^cma

cat >cut_off.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>

static char big[1000000];

/* Receives tag in one of several ways, with room for 16 bytes. */
static int receive(int tag)
{
    char room[16];
    MPI_Status status;
    MPI_Request request;
    MPI_Message message;

    switch (tag % 10) {
    case 0:
        return MPI_Recv(room, 16, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &status);
    case 1:
        MPI_Irecv(room, 16, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &request);
        return MPI_Wait(&request, &status);
    case 2:
        MPI_Irecv(room, 16, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &request);
        return MPI_Waitall(1, &request, &status) == MPI_SUCCESS ? MPI_SUCCESS : status.MPI_ERROR;
    default:
        MPI_Mprobe(1, tag, MPI_COMM_WORLD, &message, &status);
        return MPI_Mrecv(room, 16, MPI_BYTE, &message, &status);
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = { 64, 1000000, 0, 16 };
    int rank, class;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int size = 0; size < 4; size++) {
        for (int way = 0; way < 4; way++) {
            const int tag = size * 10 + way;

            MPI_Barrier(MPI_COMM_WORLD);
            if (rank == 1) {
                MPI_Send(big, sizes[size], MPI_BYTE, 0, tag, MPI_COMM_WORLD);
                continue;
            }
            MPI_Error_class(receive(tag), &class);
            if (class != (sizes[size] > 16 ? MPI_ERR_TRUNCATE : MPI_SUCCESS)) {
                abort();
            }
        }
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o cut_off cut_off.c
    run_mpi "$mpi" 2 "$record" -q --force -o cut_off.otf2.zip ./cut_off >out 2>err ||
        fail "$mpi: $(cat err)"
    "$analyze" dump --rank 0 cut_off.otf2.zip |
        sed -n 's/.* i*recv  .* tag=\([0-9]*\) bytes=\([^ ]*\).*/\1 \2/p' >received
    case $mpi in
    mpich) short=- long=- ;;
    *) short=64 long=1000000 ;;
    esac
    for way in 0 1 2 3; do
        printf '%s\n' "$way $short" "1$way $long" "2$way 0" "3$way 16"
    done | sort -n | cmp - received || fail "$mpi: $(paste -s -d, received)"
    "$analyze" validate cut_off.otf2.zip >validated || fail "$mpi: $(cat validated)"
    assert_contains "$(cat validated)" "16 messages matched"
    ! grep -q "size" validated || fail "$mpi: $(cat validated)"
    "$analyze" messages --json cut_off.otf2.zip >messages.json || fail "$mpi: messages"
    assert_contains "$(tr -d ' \n' <messages.json)" '"bytes":4000320'
done
