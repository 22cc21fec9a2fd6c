/*
 * Makes communicators at random, by every call that creates some, and tells the archive
 * which of them are one: random_comms STEPS THREADS [SEED].
 *
 * All ranks make the same choices, since their generators have the same seed. What a step
 * makes goes to a slot, in which each rank has what it got: the piece of a split that it is
 * in, or MPI_COMM_NULL. The next step may take any slot for a parent.
 *
 * Each new communicator gets a token, a number that no other has, from its first member by
 * MPI itself (a broadcast; on an inter-communicator from the group with the lowest world rank).
 * Each member then sends an empty message on the new communicator with the token as the
 * tag: to itself, or to rank 0 of the remote group. So in the archive the messages with one tag
 * must all be on one communicator, and those with different ones on different ones.
 *
 * Slots are freed at random, also with requests pending, by MPI_Comm_disconnect, and inside of
 * an attribute's delete function. Handles are reused by MPI at once.
 *
 * With THREADS, each thread does the same on a dup of MPI_COMM_WORLD of its own.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define SLOTS   10
#define MEMBERS 64
#define THREADS 4

enum kind { PLAIN, GRID, INTER };

struct slot {
    MPI_Comm comm;
    enum kind kind;
    int token;
};

/* One thread's walk. */
struct walk {
    int thread;
    int steps;
    int made; /* tokens that this process has given in it */
    uint64_t random;
    MPI_Comm alone; /* a dup of MPI_COMM_SELF */
    struct slot slots[SLOTS]; /* 0: the thread's dup of MPI_COMM_WORLD */
};

static int world_rank, world_size, delete_key;

/*
 * Whose turn it is. Threads create and free in turns, on all ranks in the same order: Open MPI
 * 4.1 hangs at times when threads create communicators at once, even on different parents.
 * What they do on them, and what they make of MPI_COMM_SELF, goes on at the same time.
 */
static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int turn, thread_count = 1;

static void begin_turn(const struct walk *walk)
{
    pthread_mutex_lock(&turn_lock);
    while (turn != walk->thread) {
        pthread_cond_wait(&turn_changed, &turn_lock);
    }
    pthread_mutex_unlock(&turn_lock);
}

static void end_turn(void)
{
    pthread_mutex_lock(&turn_lock);
    turn = (turn + 1) % thread_count;
    pthread_cond_broadcast(&turn_changed);
    pthread_mutex_unlock(&turn_lock);
}

/* Of what all ranks draw alike. */
static unsigned draw(uint64_t *random, unsigned below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*random >> 33) % below;
}

/* A choice of this rank alone. */
static unsigned draw_of_rank(uint64_t random, unsigned below)
{
    random = (random ^ (uint64_t)(world_rank + 1) * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return (unsigned)(random >> 40) % below;
}

/* --- tokens -------------------------------------------------------------------- */

static int new_token(struct walk *walk)
{
    return ((world_rank * 8 + walk->thread) << 12) + ++walk->made;
}

/* The lowest world rank of a group. */
static int lowest(MPI_Group group)
{
    int ranks[MEMBERS], worlds[MEMBERS], size, least = world_size;
    MPI_Group world;

    MPI_Group_size(group, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < size; i++) {
        ranks[i] = i;
    }
    MPI_Group_translate_ranks(group, size, ranks, world, worlds);
    for (int i = 0; i < size; i++) {
        least = worlds[i] < least ? worlds[i] : least;
    }
    MPI_Group_free(&world);
    return least;
}

static int is_first_group(MPI_Comm inter)
{
    MPI_Group local, remote;
    int is_first;

    MPI_Comm_group(inter, &local);
    MPI_Comm_remote_group(inter, &remote);
    is_first = lowest(local) < lowest(remote);
    MPI_Group_free(&local);
    MPI_Group_free(&remote);
    return is_first;
}

static int inter_token(struct walk *walk, MPI_Comm comm)
{
    int rank, token = 0, is_first = is_first_group(comm);

    MPI_Comm_rank(comm, &rank);
    if (is_first && rank == 0) {
        token = new_token(walk);
    }
    /* To the other group, and back. */
    MPI_Bcast(&token, 1, MPI_INT, !is_first ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, comm);
    MPI_Bcast(&token, 1, MPI_INT, is_first ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, comm);
    return token;
}

static void show_inter(MPI_Comm comm, int token)
{
    MPI_Request request;
    int rank, remote_size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_remote_size(comm, &remote_size);
    MPI_Isend(NULL, 0, MPI_INT, 0, token, comm, &request);
    for (int i = 0; rank == 0 && i < remote_size; i++) {
        MPI_Recv(NULL, 0, MPI_INT, i, token, comm, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* All members of a new communicator agree on its token, and show it. Returns the token. */
static int show(struct walk *walk, MPI_Comm comm)
{
    int is_inter, rank, token = 0;

    if (comm == MPI_COMM_NULL) {
        return 0;
    }
    MPI_Comm_test_inter(comm, &is_inter);
    if (is_inter) {
        token = inter_token(walk, comm);
        show_inter(comm, token);
        return token;
    }
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        token = new_token(walk);
    }
    MPI_Bcast(&token, 1, MPI_INT, 0, comm);
    MPI_Sendrecv(NULL, 0, MPI_INT, rank, token, NULL, 0, MPI_INT, rank, token, comm,
                 MPI_STATUS_IGNORE);
    return token;
}

/* --- ends ---------------------------------------------------------------------- */

/* The value of the attribute is a communicator that goes with the one that has it. */
static int free_companion(MPI_Comm comm, int key, void *value, void *extra)
{
    MPI_Comm_free(value);
    free(value);
    return MPI_SUCCESS;
}

static void free_with_companion(struct walk *walk, MPI_Comm *comm)
{
    MPI_Comm *companion = malloc(sizeof *companion);

    MPI_Comm_dup(*comm, companion);
    show(walk, *companion);
    MPI_Comm_set_attr(*comm, delete_key, companion);
    MPI_Comm_free(comm);
}

/* Frees an intra-communicator while a message to itself is under way on it. */
static void free_pending(struct walk *walk, MPI_Comm *comm, int token)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm next;
    int rank;

    MPI_Comm_rank(*comm, &rank);
    MPI_Irecv(NULL, 0, MPI_INT, rank, token, *comm, &requests[0]);
    MPI_Isend(NULL, 0, MPI_INT, rank, token, *comm, &requests[1]);
    MPI_Comm_free(comm);
    MPI_Comm_dup(walk->alone, &next); /* may get its handle */
    show(walk, next);
    MPI_Waitall(2, requests, statuses);
    MPI_Comm_free(&next);
}

static void end(struct walk *walk, struct slot *slot, unsigned how)
{
    if (slot->comm == MPI_COMM_NULL) {
        return;
    }
    if (how == 0) {
        MPI_Comm_disconnect(&slot->comm);
    } else if (how == 1 && slot->kind != INTER) {
        free_with_companion(walk, &slot->comm);
    } else if (how == 2 && slot->kind != INTER) {
        free_pending(walk, &slot->comm, slot->token);
    } else {
        MPI_Comm_free(&slot->comm);
    }
}

/* --- beginnings ------------------------------------------------------------------ */

static void by_group(MPI_Comm parent, int is_collective, int tag, unsigned mask, MPI_Comm *made)
{
    int ranks[MEMBERS], size, rank, count = 0;
    MPI_Group all, some;

    MPI_Comm_size(parent, &size);
    for (int i = size - 1; i >= 0; i--) {
        if (mask >> i & 1 || (i == 0 && count == 0)) {
            ranks[count++] = i;
        }
    }
    MPI_Comm_group(parent, &all);
    MPI_Group_incl(all, count, ranks, &some);
    MPI_Group_rank(some, &rank);
    if (is_collective) {
        MPI_Comm_create(parent, some, made);
    } else if (rank != MPI_UNDEFINED) {
        MPI_Comm_create_group(parent, some, tag, made);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
}

static void by_idup(struct walk *walk, MPI_Comm parent, MPI_Comm *made)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm other;

    MPI_Comm_idup(parent, made, &requests[0]);
    MPI_Comm_idup(parent, &other, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    show(walk, other);
    MPI_Comm_free(&other);
}

/* A ring, with edges to the next one. */
static void by_graph(MPI_Comm parent, unsigned which, MPI_Comm *made)
{
    int index[MEMBERS], edges[MEMBERS], rank, size, before, after, one = 1;

    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    if (which == 0) {
        MPI_Graph_create(parent, size, index, edges, 0, made);
    } else if (which == 1) {
        MPI_Dist_graph_create(parent, 1, &rank, &one, &after, &one, MPI_INFO_NULL, 0, made);
    } else {
        MPI_Dist_graph_create_adjacent(parent, 1, &before, &one, 1, &after, &one, MPI_INFO_NULL,
                                       0, made);
    }
}

static void by_cart(MPI_Comm parent, int is_short, MPI_Comm *made)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, size;

    MPI_Comm_size(parent, &size);
    size -= is_short && size > 1;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(parent, 2, dims, periods, 0, made);
}

/* Halves by parity, backwards, and an inter-communicator between them; the halves go again. */
static void by_intercomm(struct walk *walk, MPI_Comm parent, int is_merged, MPI_Comm *made)
{
    MPI_Comm half, merged;
    int rank, size;

    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    if (size < 2) {
        return;
    }
    MPI_Comm_split(parent, rank % 2, -rank, &half);
    show(walk, half);
    MPI_Intercomm_create(half, 0, parent, rank % 2 ? (size - 1) / 2 * 2 : (size - 2) / 2 * 2 + 1,
                         walk->thread, made);
    MPI_Comm_free(&half);
    if (is_merged) {
        MPI_Intercomm_merge(*made, rank % 2, &merged);
        show(walk, merged);
        MPI_Comm_free(&merged);
    }
}

enum making {
    DUP, DUP_WITH_INFO, IDUP, SPLIT, SPLIT_SOME, SPLIT_TYPE, CREATE, CREATE_GROUP, CART, GRAPH,
    DIST_GRAPH, ADJACENT, INTERCOMM, INTERCOMM_MERGE, MAKINGS
};

/* Of a plain communicator; random is the step's, color this rank's own. */
static void make(struct walk *walk, enum making making, MPI_Comm parent, uint64_t random,
                 int color, MPI_Comm *made)
{
    unsigned choice = draw(&random, 1u << 16);

    switch (making) {
    case DUP:
        MPI_Comm_dup(parent, made);
        break;
    case DUP_WITH_INFO:
        MPI_Comm_dup_with_info(parent, MPI_INFO_NULL, made);
        break;
    case IDUP:
        by_idup(walk, parent, made);
        break;
    case SPLIT:
    case SPLIT_SOME:
        MPI_Comm_split(parent, making == SPLIT_SOME && color == 0 ? MPI_UNDEFINED : color,
                       choice % 2 ? -world_rank : world_rank, made);
        break;
    case SPLIT_TYPE:
        MPI_Comm_split_type(parent, color == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, world_rank,
                            MPI_INFO_NULL, made);
        break;
    case CREATE:
    case CREATE_GROUP:
        by_group(parent, making == CREATE, walk->thread, choice, made);
        break;
    case CART:
        by_cart(parent, choice % 2, made);
        break;
    case INTERCOMM:
    case INTERCOMM_MERGE:
        by_intercomm(walk, parent, making == INTERCOMM_MERGE, made);
        break;
    default:
        by_graph(parent, making - GRAPH, made);
        break;
    }
}

/* What a step does is drawn by all ranks alike, also by those that have no part in it. */
static void step(struct walk *walk)
{
    const struct slot *parent = &walk->slots[draw(&walk->random, SLOTS)];
    struct slot *to = &walk->slots[1 + draw(&walk->random, SLOTS - 1)];
    unsigned how = draw(&walk->random, 4), making = draw(&walk->random, MAKINGS);
    int is_special = draw(&walk->random, 2) == 0, remains[2] = {making % 2, making / 2 % 2};
    int color = (int)draw_of_rank(walk->random, 3), token;
    MPI_Comm made = MPI_COMM_NULL;
    enum kind kind = PLAIN;

    if (to == parent) {
        return;
    }
    if (parent->kind == INTER) {
        kind = is_special ? INTER : PLAIN;
        if (parent->comm != MPI_COMM_NULL && is_special) {
            MPI_Comm_dup(parent->comm, &made);
        } else if (parent->comm != MPI_COMM_NULL) {
            MPI_Intercomm_merge(parent->comm, is_first_group(parent->comm), &made);
        }
    } else if (parent->kind == GRID && is_special) {
        if (parent->comm != MPI_COMM_NULL) {
            MPI_Cart_sub(parent->comm, remains, &made);
        }
    } else {
        kind = making == CART ? GRID : making >= INTERCOMM ? INTER : PLAIN;
        if (parent->comm != MPI_COMM_NULL) {
            make(walk, making, parent->comm, walk->random, color, &made);
        }
    }
    token = show(walk, made);
    end(walk, to, how);
    *to = (struct slot){made, kind, token};
}

static void *run(void *argument)
{
    struct walk *walk = argument;

    walk->slots[0].token = show(walk, walk->slots[0].comm);
    show(walk, walk->alone);
    for (int i = 0; i < walk->steps; i++) {
        MPI_Comm mine;

        begin_turn(walk);
        step(walk);
        end_turn();
        MPI_Comm_dup(walk->alone, &mine);
        show(walk, mine);
        MPI_Comm_free(&mine);
    }
    begin_turn(walk);
    for (int i = 0; i < SLOTS; i++) {
        end(walk, &walk->slots[i], 3);
    }
    end_turn();
    return NULL;
}

int main(int argc, char **argv)
{
    struct walk walks[THREADS] = {{0}};
    pthread_t threads[THREADS];
    int provided, count = argc > 2 ? atoi(argv[2]) : 0;
    unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 20261120u;

    thread_count = count > 0 ? count : 1;
    MPI_Init_thread(&argc, &argv, count > 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_companion, &delete_key, NULL);
    for (int i = 0; i < thread_count; i++) {
        walks[i] = (struct walk){.thread = i, .steps = atoi(argv[1]), .random = seed + (unsigned)i};
        for (int k = 0; k < SLOTS; k++) {
            walks[i].slots[k].comm = MPI_COMM_NULL;
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &walks[i].slots[0].comm);
        MPI_Comm_dup(MPI_COMM_SELF, &walks[i].alone);
    }
    for (int i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, run, &walks[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    if (count == 0) {
        run(&walks[0]);
    }
    for (int i = 0; i < thread_count; i++) {
        MPI_Comm_free(&walks[i].alone);
    }
    MPI_Finalize();
    return 0;
}
