# A receive whose request the program frees ends in MPI_Request_free if it is complete by then, and
# otherwise in a later call. Who waits for the next message meanwhile does so in no wrong order; but
# who completes the receive by MPI_Wait behind that does.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >freed.c <<'PROGRAM'
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int in[2], out, flag;

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&in[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        if (strcmp(argv[1], "active") == 0) {
            MPI_Request_free(&request);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* the other one sends behind it */
        while (strcmp(argv[1], "seen") == 0 && !flag) {
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        }
        if (flag) {
            MPI_Request_free(&request);
        }
        MPI_Recv(&in[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* not if it was freed */
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        usleep(200000);
        MPI_Send(&out, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
PROGRAM
for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o "freed-$mpi" freed.c
    for how in "seen MPI_Request_free" "active MPI_Finalize" "turned MPI_Wait"; do
        name=${how% *}
        run_mpi "$mpi" 2 "$record" -q --force -o "$name.otf2.zip" "./freed-$mpi" "$name" 2>err ||
            fail "$mpi, $name: $(head -5 err)"
        "$analyze" export --force --csv tables "$name.otf2.zip" || fail "$mpi, $name: export"
        "$analyze" waits --json "$name.otf2.zip" >waits.json || fail "$mpi, $name: waits"
        assert_equal "$how" "$name $("$python" -c 'import csv
print(*[row["receive_call"] for row in csv.DictReader(open("tables/message_records.csv"))
        if row["tag"] == "1"])')" "$mpi: where it ends"
        # 200 ms of late sender, but for what MPI_Request_get_status has taken.
        assert_equal "$([ "$name" = turned ] && echo true || echo false)" "$(json waits.json \
            'any(row["total_ns"] > 5e7 for row in d["patterns"]
                 if row["name"].startswith("wrong_order"))')" \
            "$mpi, $name: wrong order"
        assert_equal true "$(json waits.json 'any(row["total_ns"] > 5e7 for row in d["patterns"]
            if row["name"] == "late_sender")')" "$mpi, $name: late sender"
    done
done
