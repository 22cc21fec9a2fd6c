# mpiwatch-analyze mistakes: sends that nobody receives, requests that never complete, collectives
# with another order, root or count on one rank, each with its line; and nothing of a program that
# does what looks like it and is right.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >mistaken.c <<'PROGRAM'
#include <mpi.h>

static int rank, size, numbers[64], others[64];

static MPI_Comm fresh(void)
{
    MPI_Comm made;

    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

static void requests(void)
{
    MPI_Request request;

    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Send(numbers, 1, MPI_INT, 1, 8, MPI_COMM_WORLD); /* unreceived */
        }
        MPI_Issend(numbers, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request); /* unfinished */
    } else if (rank == 1) {
        MPI_Recv(others, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(others, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request); /* unmatched */
    }
}

static void collectives(void)
{
    MPI_Comm order = fresh(), root = fresh(), count = fresh();

    if (rank == 0) {
        MPI_Bcast(numbers, 1, MPI_INT, 0, order); /* order0 */
        MPI_Reduce(numbers, others, 1, MPI_INT, MPI_SUM, 1, order);
    } else {
        MPI_Reduce(numbers, others, 1, MPI_INT, MPI_SUM, 1, order); /* order1 */
        MPI_Bcast(numbers, 1, MPI_INT, 0, order);
    }
    MPI_Bcast(numbers, 1, MPI_INT, rank, root); /* root */
    MPI_Gather(numbers, rank == 0 ? 8 : 4, MPI_INT, others, 8, MPI_INT, 0, count); /* count */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    requests();
    collectives();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >right.c <<'PROGRAM'
#include <mpi.h>

static int rank, size, numbers[64], others[64];

static void of_many_sizes(MPI_Comm comm)
{
    int counts[3] = {1, 2, 3}, places[3] = {0, 1, 3};
    void *in_place = MPI_IN_PLACE;

    MPI_Scatterv(numbers, counts, places, MPI_INT, others, rank + 1, MPI_INT, 0, comm);
    MPI_Gatherv(numbers, rank + 1, MPI_INT, others, counts, places, MPI_INT, 1, comm);
    MPI_Allgatherv(numbers, rank + 1, MPI_INT, others, counts, places, MPI_INT, comm);
    MPI_Gather(rank == 0 ? in_place : numbers, 2, MPI_INT, others, 2, MPI_INT, 0, comm);
    MPI_Scatter(numbers, 2, MPI_INT, rank == 0 ? in_place : others, 2, MPI_INT, 0, comm);
    MPI_Reduce(rank == 1 ? in_place : numbers, others, 3, MPI_INT, MPI_SUM, 1, comm);
    MPI_Allreduce(MPI_IN_PLACE, others, 3, MPI_INT, MPI_SUM, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, others, 2, MPI_INT, comm);
    MPI_Reduce_scatter(numbers, others, counts, MPI_INT, MPI_SUM, comm);
    MPI_Scan(numbers, others, 2, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(numbers, others, 2, MPI_INT, MPI_SUM, comm);
}

static void of_other_types(MPI_Comm comm)
{
    MPI_Datatype pair;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Bcast(numbers, rank == 0 ? 4 : 2, rank == 0 ? MPI_INT : pair, 0, comm);
    MPI_Alltoall(numbers, rank == 0 ? 2 : 1, rank == 0 ? MPI_INT : pair, others,
                 rank == 0 ? 2 : 1, rank == 0 ? MPI_INT : pair, comm);
    MPI_Type_free(&pair);
}

/* Ranks 0 and 1 with rank 2: each side has counts of its own. */
static void between_groups(void)
{
    MPI_Comm side, inter;

    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 5, &inter);
    MPI_Allgather(numbers, rank == 2 ? 3 : 1, MPI_INT, others, rank == 2 ? 1 : 3, MPI_INT, inter);
    MPI_Bcast(numbers, 2, MPI_INT,
              rank == 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
}

static void requests(void)
{
    MPI_Request request[3];

    MPI_Irecv(others, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request[0]);
    MPI_Cancel(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Send(numbers, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Irecv(others, 4, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(numbers, 2, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Iallreduce(numbers, others + 8, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++) {
        of_many_sizes(MPI_COMM_WORLD);
        of_other_types(MPI_COMM_WORLD);
        requests();
    }
    between_groups();
    MPI_Bcast(numbers, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
PROGRAM

# told MPI WORDS MARK: a line with the words, of the line in the program that has the mark.
told() {
    local line
    line=$(grep -n "/\* $3 \*/" mistaken.c | cut -d: -f1)
    assert_matches "$(cat said)" "$2 at mistaken\.c:$line"
}

for mpi in $(mpis); do
    rm -f run.otf2.zip
    "$(mpicc_of "$mpi")" -g -w -o "mistaken-$mpi" mistaken.c
    run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip "./mistaken-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    "$analyze" mistakes run.otf2.zip >said
    told "$mpi" '^sent by rank 0 to rank 1 \(tag 8, MPI_COMM_WORLD\) in MPI_Send' unreceived
    assert_matches "$(cat said)" 'and never received \(2 times\)$'
    told "$mpi" '^begun by rank 0 in MPI_Issend' unfinished
    told "$mpi" '^begun by rank 1 in MPI_Irecv' unmatched
    told "$mpi" '^rank 0 in MPI_Bcast' order0
    told "$mpi" 'rank 1 in MPI_Reduce' order1
    told "$mpi" '^rank [01] in MPI_Bcast at mistaken\.c:[0-9]*, rank [01] in MPI_Bcast' root
    assert_matches "$(cat said)" 'MPI_COMM_WORLD/dup#[0-9]: the roots differ$'
    told "$mpi" '^rank [01] in MPI_Gather' count
    assert_matches "$(cat said)" ': the counts differ \(48 bytes sent, 64 received in all\)$'
    assert_equal 6 "$(wc -l <said)" "$mpi: sentences: $(cat said)"
    "$analyze" mistakes --json -o said.json run.otf2.zip
    assert_equal "order of collectives,roots differ,counts differ,send never received,receive \
never complete,request never complete" \
        "$(json said.json '",".join(m["kind"] for m in d["mistakes"])')" "$mpi: in JSON"
    assert_equal 2 "$(json said.json 'd["mistakes"][3]["count"]')" "$mpi: how often"

    rm -f run.otf2.zip
    "$(mpicc_of "$mpi")" -g -w -o "right-$mpi" right.c
    run_mpi "$mpi" 3 "$record" -q -o run.otf2.zip "./right-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    assert_matches "$("$analyze" mistakes run.otf2.zip)" '^none: '
done
