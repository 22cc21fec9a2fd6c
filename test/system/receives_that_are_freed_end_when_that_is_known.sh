# A receive whose request the program frees: where MPI_Request_get_status has said that it is complete
# it ends in MPI_Request_free, and otherwise in a later call; who waits for the next message has none
# in wrong order by that, as one has that receives both by MPI_Recv the other way round.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >freed.c <<'PROGRAM'
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int in, out, flag;

static void receive(const char *how, MPI_Request *request)
{
    if (strcmp(how, "seen") == 0) {
        while (!flag) {
            MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
        }
    }
    if (strcmp(how, "turned") != 0) {
        MPI_Request_free(request);
    }
    MPI_Recv(&in, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "turned") == 0) {
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        receive(argv[1], &request);
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
        assert_equal "$([ "$name" = turned ] && echo True || echo False)" "$(json waits.json \
            'any(row["total_ns"] > 5e7 for row in d["patterns"] if "wrong_order" in row["name"])')" \
            "$mpi, $name: wrong order"
        assert_equal True "$(json waits.json 'any(row["total_ns"] > 5e7 for row in d["patterns"]
            if row["name"] == "late_sender")')" "$mpi, $name: late sender"
    done
done
