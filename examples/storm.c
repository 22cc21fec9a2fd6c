/*
 * Random messages, in every way that keeps them matched: the ranks draw the same lists of
 * messages from the same seed, 200 steps of 5 n messages of up to 20,000 bytes over three
 * communicators; receives are posted, persistent, probed or matched, for a given source
 * or any; sends start in random modes; completion is by any call. Arguments: steps, seed.
 *
 * Expected in the archive of n ranks (what each rank sent is printed):
 *     calls          any
 *     messages       sent_messages
 *     bytes          sent_bytes
 *     collectives    201 * n
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMMS = 3, RANKS_MAX = 16, MESSAGES = 5 * RANKS_MAX, BYTES_MAX = 20000 };

/* How a rank receives on a communicator in a step. */
enum { GIVEN, PERSISTENT, ANY_SENDER, ANYTHING, PROBED, MATCHED, STYLES };

struct message {
    int from, to, comm, tag, bytes;
};

static MPI_Comm comms[COMMS];
static int rank, size;
static unsigned shared_state, own_state;
static long long sent_messages, sent_bytes;
static char out[BYTES_MAX], in[MESSAGES][BYTES_MAX];
static MPI_Request requests[2 * MESSAGES];
static int request_count;

static int draw(unsigned *state, int below)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)((*state >> 8) % (unsigned)below);
}

/* The same on all ranks: a style per receiver and communicator, with one tag for each. */
static void draw_step(struct message *messages, int count, int styles[RANKS_MAX][COMMS])
{
    for (int i = 0; i < count; i++) {
        struct message *message = &messages[i];
        message->from = draw(&shared_state, size);
        message->to = draw(&shared_state, size);
        message->comm = draw(&shared_state, COMMS);
        message->bytes =
            draw(&shared_state, 4) ? draw(&shared_state, 200) : draw(&shared_state, BYTES_MAX);
        message->tag = message->to;
    }
    for (int i = 0; i < size * COMMS; i++) {
        styles[i / COMMS][i % COMMS] = draw(&shared_state, STYLES);
    }
}

static void post(const struct message *message, int style, char *buffer)
{
    MPI_Request *request = &requests[request_count++];
    MPI_Comm comm = comms[message->comm];
    int from = style == GIVEN || style == PERSISTENT ? message->from : MPI_ANY_SOURCE;
    int tag = style == ANYTHING ? MPI_ANY_TAG : message->tag;

    if (style == PERSISTENT) {
        MPI_Recv_init(buffer, BYTES_MAX, MPI_BYTE, from, tag, comm, request);
        MPI_Start(request);
    } else {
        MPI_Irecv(buffer, BYTES_MAX, MPI_BYTE, from, tag, comm, request);
    }
}

static void start_send(const struct message *message)
{
    MPI_Request *request = &requests[request_count++];
    MPI_Comm comm = comms[message->comm];

    sent_messages++;
    sent_bytes += message->bytes;
    switch (draw(&own_state, 3)) {
    case 0:
        MPI_Isend(out, message->bytes, MPI_BYTE, message->to, message->tag, comm, request);
        break;
    case 1:
        MPI_Issend(out, message->bytes, MPI_BYTE, message->to, message->tag, comm, request);
        break;
    default:
        MPI_Send_init(out, message->bytes, MPI_BYTE, message->to, message->tag, comm, request);
        MPI_Start(request);
    }
}

/* Receives a message of any source now, probing for it first. */
static void receive_probed(const struct message *message, int style, char *buffer)
{
    MPI_Comm comm = comms[message->comm];
    MPI_Message matched;
    MPI_Status status;

    if (style == PROBED) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        MPI_Recv(buffer, BYTES_MAX, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm,
                 MPI_STATUS_IGNORE);
    } else {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &matched, MPI_STATUS_IGNORE);
        MPI_Imrecv(buffer, BYTES_MAX, MPI_BYTE, &matched, &requests[request_count++]);
    }
}

static void complete_all(void)
{
    int done = 0, index, indices[2 * MESSAGES];

    switch (draw(&own_state, 4)) {
    case 0:
        while (!done) {
            MPI_Testall(request_count, requests, &done, MPI_STATUSES_IGNORE);
        }
        return;
    case 1:
        for (int i = 0; i < request_count; i++) {
            MPI_Waitany(request_count, requests, &index, MPI_STATUS_IGNORE);
        }
        return;
    case 2:
        for (; done != MPI_UNDEFINED;) {
            MPI_Waitsome(request_count, requests, &done, indices, MPI_STATUSES_IGNORE);
        }
        return;
    default:
        MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
    }
}

static void run_step(void)
{
    struct message messages[MESSAGES];
    int styles[RANKS_MAX][COMMS], count = 5 * size;

    draw_step(messages, count, styles);
    request_count = 0;
    for (int i = 0; i < count; i++) {
        int style = styles[messages[i].to][messages[i].comm];
        if (messages[i].to == rank && style < PROBED) {
            post(&messages[i], style, in[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        if (messages[i].from == rank) {
            start_send(&messages[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        int style = styles[messages[i].to][messages[i].comm];
        if (messages[i].to == rank && style >= PROBED) {
            receive_probed(&messages[i], style, in[i]);
        }
    }
    complete_all();
    for (int i = 0; i < request_count; i++) { /* persistent ones are still there */
        if (requests[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&requests[i]);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? atoi(argv[1]) : 200;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MAX) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    shared_state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    own_state = shared_state + (unsigned)rank;
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[2]);
    for (int step = 0; step < steps; step++) {
        run_step();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("sent_messages = %lld\nsent_bytes = %lld\n", sent_messages, sent_bytes);
    MPI_Finalize();
    return 0;
}
