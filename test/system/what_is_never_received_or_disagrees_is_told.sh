# mpiwatch-analyze mistakes: sends that nobody receives, requests that never complete, collectives
# with another order, root, MPI_Op, type or count on one rank, each with its line; and nothing of a
# program that does what looks like it and is right.
. "$TOP_SRCDIR/test/system/lib.sh"

# Who calls on a communicator that he is no member of leaves nothing to compare.
"$TOP_BUILDDIR/test/data/make_archive" comm_stranger stranger
assert_matches "$("$analyze" mistakes stranger 2>&1)" '^none: ' "a stranger"

cat >mistaken.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>

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
        MPI_Irecv(others, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request); /* only_cancelled */
        MPI_Cancel(&request);
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

static void terms(void)
{
    MPI_Comm op = fresh(), type = fresh(), own = fresh(), scan = fresh();
    MPI_Request request;

    MPI_Allreduce(numbers, others, 2, MPI_INT, MPI_SUM, op);
    MPI_Allreduce(numbers, others, 2, MPI_INT, rank == 0 ? MPI_SUM : MPI_MAX, op); /* op */
    MPI_Allreduce(numbers, others, 2, MPI_INT, MPI_SUM, op);
    MPI_Ireduce(numbers, others, 2, rank == 0 ? MPI_INT : MPI_FLOAT, MPI_SUM, 0, /* type */
                type, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgather(numbers, 2, MPI_FLOAT, others, 2, MPI_INT, own); /* own */
#ifndef ENDS_THE_RUN
    if (MPI_Exscan(numbers, others, rank == 0 ? 2 : 3, MPI_INT, MPI_SUM, scan) == /* scan */
        MPI_SUCCESS) {
        puts("scanned"); /* an MPI may see it itself */
    }
#endif
}

/* The order of calls, and not that of completions. */
static void order_of_posts(void)
{
    MPI_Comm post = fresh(), counts = fresh();
    MPI_Request request[2];
    MPI_Comm ring;
    int yes = 1;

    if (rank == 0) {
        MPI_Ibcast(numbers, 1, MPI_INT, 0, post, &request[0]); /* post0 */
        MPI_Ireduce(numbers, others, 1, MPI_INT, MPI_SUM, 1, post, &request[1]);
    } else {
        MPI_Ireduce(numbers, others, 1, MPI_INT, MPI_SUM, 1, post, &request[1]); /* post1 */
        MPI_Ibcast(numbers, 1, MPI_INT, 0, post, &request[0]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Cart_create(counts, 1, &size, &yes, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    MPI_Neighbor_allgather(numbers, rank == 0 ? 1 : 2, MPI_INT, others, 2, /* near */
                           MPI_INT, ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    requests();
    collectives();
    terms();
    order_of_posts();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >right.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>

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
    MPI_Bcast(numbers, rank == 0 ? 2 : 1, rank == 0 ? MPI_DOUBLE : MPI_C_DOUBLE_COMPLEX, 0, comm);
    MPI_Bcast(numbers, rank == 0 ? 8 : 2, rank == 0 ? MPI_BYTE : MPI_INT32_T, 0, comm);
    MPI_Bcast(numbers, 1, rank == 0 ? MPI_INT : MPI_INTEGER, 0, comm);
    MPI_Bcast(numbers, 1, MPI_DOUBLE, 0, comm);
    MPI_Bcast(numbers, 0, rank == 0 ? MPI_INT : MPI_DOUBLE, 0, comm);
    MPI_Type_free(&pair);
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    for (int i = 0; i < *length; i++) {
        ((int *)inout)[i] += ((int *)in)[i];
    }
}

/* What MPI does not look at may be anything; roots and others need not have it alike. */
static void of_what_does_not_matter(MPI_Comm comm)
{
    int counts[3] = {0, 0, 2}, places[3] = {0, 0, 0};
    MPI_Datatype other = rank == 0 ? MPI_INT : MPI_FLOAT;
    MPI_Op own;

    MPI_Op_create(add, 1, &own);
    MPI_Gather(numbers, 2, MPI_INT, others, 2, rank == 1 ? MPI_INT : MPI_CHAR, 1, comm);
    MPI_Scatter(numbers, 2, rank == 1 ? MPI_INT : MPI_CHAR, others, 2, MPI_INT, 1, comm);
    MPI_Allgather(MPI_IN_PLACE, 7, other, others, 2, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, 7, other, others, 2, MPI_INT, comm);
    MPI_Gatherv(numbers, rank == 2 ? 2 : 0, rank == 2 ? MPI_INT : MPI_DOUBLE, others, counts,
                places, MPI_INT, 0, comm);
    MPI_Reduce(numbers, others, 0, other, rank == 0 ? MPI_SUM : MPI_MAX, 0, comm);
    MPI_Allreduce(numbers, others, 2, MPI_INT, own, comm);
    MPI_Allreduce(numbers, others, 2, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(numbers, others, 2, MPI_2INT, MPI_MAXLOC, comm);
    MPI_Scan(rank == 1 ? MPI_IN_PLACE : (void *)numbers, others, 2, MPI_INT, MPI_SUM, comm);
    MPI_Scan(rank == 0 ? MPI_IN_PLACE : (void *)numbers, others, 2, MPI_INT, MPI_SUM, comm);
    MPI_Op_free(&own);
}

/* Ranks complete in another order than they have called in, which is the same. */
static void at_once(MPI_Comm comm)
{
    MPI_Request request[3];
    MPI_Comm ring;
    int yes[1] = {0}, more[64], most[64];

    MPI_Ireduce(numbers, others, 1, MPI_INT, MPI_SUM, 0, comm, &request[0]);
    MPI_Ibcast(more, 1, MPI_INT, 1, comm, &request[1]);
    MPI_Barrier(comm);
    MPI_Iallgather(numbers, 1, MPI_INT, most, 1, MPI_INT, comm, &request[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Wait(&request[(rank + i) % 3], MPI_STATUS_IGNORE);
    }
    MPI_Cart_create(comm, 1, &size, yes, 0, &ring);
    MPI_Neighbor_allgather(numbers, 2, MPI_INT, others, 2, MPI_INT, ring);
    MPI_Ineighbor_alltoall(numbers, 2, MPI_INT, others, 2, MPI_INT, ring, &request[0]);
    MPI_Allreduce(numbers, more, 1, MPI_INT, MPI_MIN, ring);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
}

/* What is made in one order may be started in another. */
static void persistent(MPI_Comm comm)
{
#if MPI_VERSION >= 4
    MPI_Request request[2];

    MPI_Bcast_init(numbers, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request[0]);
    MPI_Allreduce_init(&rank, others, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request[1]);
    MPI_Start(&request[rank == 0]);
    MPI_Start(&request[rank != 0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
#endif
}

static void *on_its_own(void *comm)
{
    MPI_Request request;
    int one = 1, sum;

    for (int i = 0; i < 20; i++) {
        MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)comm, &request);
        MPI_Barrier(*(MPI_Comm *)comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void *on_all(void *comm)
{
    rank % 2 ? MPI_Bcast(numbers, 1, MPI_INT, 0, *(MPI_Comm *)comm)
             : MPI_Barrier(*(MPI_Comm *)comm);
    return NULL;
}

static void *await(void *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return NULL;
}

/* Requests that one thread begins and another one completes. */
static void handed_on(void)
{
    MPI_Request request;
    pthread_t thread;

    for (int i = 0; i < 3; i++) {
        MPI_Iallreduce(numbers, others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, await, &request);
        pthread_join(thread, NULL);
        MPI_Irecv(others, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, await, &request);
        MPI_Send(numbers, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
        MPI_Irecv(others, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        pthread_create(&thread, NULL, await, &request);
        pthread_join(thread, NULL);
    }
}

/* Threads with a communicator each, in any order, and with one, by turns. */
static void by_threads(void)
{
    MPI_Comm own[2], all;
    pthread_t thread;

    MPI_Comm_dup(MPI_COMM_WORLD, &own[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &own[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    pthread_create(&thread, NULL, on_its_own, &own[0]);
    on_its_own(&own[1]);
    pthread_join(thread, NULL);
    for (int i = 0; i < 5; i++) {
        if (rank % 2 == 0) {
            MPI_Bcast(numbers, 1, MPI_INT, 0, all);
        }
        pthread_create(&thread, NULL, on_all, &all);
        pthread_join(thread, NULL);
        if (rank % 2) {
            MPI_Barrier(all);
        }
    }
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
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++) {
        of_many_sizes(MPI_COMM_WORLD);
        of_other_types(MPI_COMM_WORLD);
        of_what_does_not_matter(MPI_COMM_WORLD);
        at_once(MPI_COMM_WORLD);
        persistent(MPI_COMM_WORLD);
        requests();
    }
    if (level == MPI_THREAD_MULTIPLE) {
        by_threads();
        handed_on();
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
    # MPICH 4.2 ends the run when it sees it, whatever the handler of errors.
    [ "$mpi" = openmpi ] || mpich_is_4_0 || ends=-DENDS_THE_RUN
    "$(mpicc_of "$mpi")" -g -w ${ends-} -o "mistaken-$mpi" mistaken.c
    run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip "./mistaken-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    "$analyze" mistakes run.otf2.zip >said
    told "$mpi" '^sent by rank 0 to rank 1 \(tag 8, MPI_COMM_WORLD\) in MPI_Send' unreceived
    assert_matches "$(cat said)" 'and never received \(2 times\)$'
    told "$mpi" '^begun by rank 0 in MPI_Issend' unfinished
    told "$mpi" '^begun by rank 1 in MPI_Irecv' unmatched
    # It was cancelled, which does not complete it (MPI 4.0, 3.8.4).
    told "$mpi" '^begun by rank 1 in MPI_Irecv' only_cancelled
    assert_equal 2 "$(grep -c ' never was complete (MPI_Cancel alone completes none), or ' said)"
    assert_lacks "$(cat said)" "nor cancelled"
    told "$mpi" '^rank 0 in MPI_Bcast' order0
    told "$mpi" 'rank 1 in MPI_Reduce' order1
    told "$mpi" '^rank [01] in MPI_Bcast at mistaken\.c:[0-9]*, rank [01] in MPI_Bcast' root
    assert_matches "$(cat said)" 'MPI_COMM_WORLD/dup#[0-9]: the roots differ$'
    told "$mpi" '^rank [01] in MPI_Gather' count
    assert_matches "$(cat said)" ': the counts differ \(48 bytes sent, 64 received in all\)$'
    told "$mpi" '^rank [01] in MPI_Allreduce at mistaken\.c:[0-9]*, rank [01] in MPI_Allreduce' op
    assert_matches "$(cat said)" ': the operations differ \((MPI_SUM, MPI_MAX|MPI_MAX, MPI_SUM)\)$'
    told "$mpi" '^rank [01] in MPI_Ireduce' type
    assert_matches "$(cat said)" ': the types differ \((int32, float32|float32, int32)\)$'
    told "$mpi" '^rank 0 in MPI_Allgather' own
    assert_matches "$(cat said)" ': the types of what it sends and receives differ$'
    is_scanned=$(($(grep -c scanned out || true) / 2))
    [ "$is_scanned" -eq 0 ] || told "$mpi" '^rank [01] in MPI_Exscan' scan
    told "$mpi" '^rank 0 in MPI_Ibcast' post0
    told "$mpi" 'rank 1 in MPI_Ireduce' post1
    told "$mpi" '^rank [01] in MPI_Neighbor_allgather' near
    assert_matches "$(cat said)" ': the counts differ \(24 bytes sent, 32 received in all\)$'
    # MPIs may return errors of what disagrees, which are told beside.
    assert_equal $((12 + is_scanned)) "$(grep -vc ' returned MPI_ERR_' said)" \
        "$mpi: sentences: $(cat said)"
    "$analyze" report --html page.html --force run.otf2.zip >/dev/null 2>&1
    while read -r sentence; do
        grep -qF "<li>$sentence</li>" page.html || fail "$mpi: not on the page: $sentence"
    done <said
    assert_equal 1 "$("$analyze" mistakes --top=1 run.otf2.zip |
        grep -vcE '^and .* more(:| errors:) | returned MPI_ERR_')" "$mpi: --top=1"
    "$analyze" mistakes --json -o said.json run.otf2.zip
    assert_equal "order of collectives,roots differ,operations differ,types differ,counts differ,\
send never received,receive never complete,request never complete" \
        "$(json said.json '",".join(dict.fromkeys(m["kind"] for m in d["mistakes"]))')" \
        "$mpi: in JSON"
    assert_equal "[2]" "$(json said.json '[m["count"] for m in d["mistakes"]
        if m["kind"] == "send never received"]')" "$mpi: how often"
    assert_equal "['MPI_MAX', 'MPI_SUM'] ['float32', 'int32'] ['at odds', None]" \
        "$(json said.json '"%s %s %s" % tuple(sorted([m["term"], m["other_term"]], key=str)
            if m["other_term"] else [m["term"], None] for m in d["mistakes"][3:6])')" "$mpi: terms"

    rm -f run.otf2.zip
    "$(mpicc_of "$mpi")" -g -w -pthread -o "right-$mpi" right.c
    run_mpi "$mpi" 3 "$record" -q -o run.otf2.zip "./right-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    assert_matches "$("$analyze" mistakes run.otf2.zip)" '^none: '
    "$analyze" report --html page.html --force run.otf2.zip >/dev/null 2>&1
    ! grep -q 'id="mistakes"\|href="#mistakes"' page.html || fail "$mpi: a section of nothing"

    # Calls that complete requests are of p2p: without them, or in a pause, nothing is known.
    for option in --events=coll --start-paused; do
        rm -f run.otf2.zip
        run_mpi "$mpi" 3 "$record" -q "$option" -o run.otf2.zip "./right-$mpi" >out 2>err ||
            fail "$mpi: $option: $(head -5 err)"
        assert_equal "none in what was recorded, which is not all that the program did" \
            "$("$analyze" mistakes run.otf2.zip)" "$mpi: $option"
        "$analyze" report --json -o report.json run.otf2.zip
        assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" \
            requests_not_completed "$mpi: $option"
    done
done
