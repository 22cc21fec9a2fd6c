/*
 * All that is done between MPI_Init and MPI_Finalize is to start, to ask whether it is done, and to
 * forget: a message that comes late is of times that were given up. How often is decided by counts
 * alone, which are the same on all ranks, and doubles, so that of a run there are some 40 messages
 * to a host at most, should one of them not even take them.
 */
#include "recorder/hooks/clock_renewal.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"

#define KEPT       16u
#define FIRST      32u
#define POLLS      64u /* collectives at which the message is looked for */
#define TAG_TIMES  3
#define TAG_NUMBER 4

struct times {
    uint64_t enter;
    uint64_t leave;
};

/* What rank 0 sends: its times of KEPT collectives, up to that number, by it modulo KEPT. */
struct message {
    uint64_t number;
    struct times times[KEPT];
};

/* Both are written by the thread that is in the collective: there is one at a time. */
struct mwr_renewal_state mwr_renewal_state;

/* Likewise. */
static struct {
    bool takes_part;
    struct times times[KEPT]; /* own, of the collectives now … */
    struct message own;       /* … and those of the latest that were to be compared */
    uint32_t polls;           /* left, for what is compared with them */
    /* another host's first rank */
    struct message message;
    MPI_Request request; /* receives it */
    uint64_t received;
    /* rank 0: of the others */
    int *ranks;
    uint32_t count;
    struct message *messages;
    MPI_Request *requests;
    uint64_t *sent;
} renewal;

/* --- rank 0 -------------------------------------------------------------------------- */

/* To those that the message before is on its way to no longer. */
static void send_times(void)
{
    for (uint32_t i = 0; i < renewal.count; i++) {
        int is_done = renewal.requests[i] == MPI_REQUEST_NULL;

        if (!is_done) {
            MWR_PMPI(Test)(&renewal.requests[i], &is_done, MPI_STATUS_IGNORE);
        }
        if (is_done) {
            renewal.messages[i] = renewal.own;
            if (MWR_PMPI(Isend)(&renewal.messages[i], (int)sizeof(struct message), MPI_BYTE,
                                renewal.ranks[i], TAG_TIMES, mwr_recorder.comm,
                                &renewal.requests[i]) != MPI_SUCCESS) {
                renewal.requests[i] = MPI_REQUEST_NULL;
                mwr_renewal_state.is_on = false;
                return;
            }
            renewal.sent[i]++;
        }
    }
}

/* --- the others ------------------------------------------------------------------------ */

/* The point that the narrowest pair of times tells; false: they contradict each other. */
static bool find_point(struct mw_clock_point *point)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < KEPT; i++) {
        const struct times *own = &renewal.own.times[i];
        const struct times *theirs = &renewal.message.times[i];
        int64_t low = (int64_t)(theirs->enter - own->leave);
        int64_t high = (int64_t)(theirs->leave - own->enter);
        uint64_t width = (uint64_t)high - (uint64_t)low;

        if (low <= high && width < least) {
            least = width;
            point->error = (width + 1) / 2;
            point->offset = low + (int64_t)(width / 2);
            point->time = own->enter + (own->leave - own->enter) / 2;
        }
    }
    return least < UINT64_MAX;
}

static void take_message(void)
{
    struct mw_clock_point point;

    renewal.received++;
    if (renewal.message.number == renewal.own.number) {
        renewal.polls = 0;
        if (find_point(&point)) {
            mwr_recorder_define(
                &(struct mw_definition){.kind = MW_DEFINE_CLOCK, .of.clock = point});
        }
    }
}

/* Whether the message has come; what comes is no more than rank 0 has sent. */
static void look_for_message(void)
{
    int is_done = 1;

    renewal.polls--;
    while (is_done) {
        if (renewal.request == MPI_REQUEST_NULL &&
            MWR_PMPI(Irecv)(&renewal.message, (int)sizeof renewal.message, MPI_BYTE, 0, TAG_TIMES,
                            mwr_recorder.comm, &renewal.request) != MPI_SUCCESS) {
            renewal.request = MPI_REQUEST_NULL;
            mwr_renewal_state.is_on = false;
            return;
        }
        if (MWR_PMPI(Test)(&renewal.request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            mwr_renewal_state.is_on = false;
            return;
        }
        if (is_done) {
            take_message();
            if (renewal.polls == 0) {
                return;
            }
        }
    }
}

/* --- all that take part ---------------------------------------------------------------------- */

uint64_t mwr_renewal_enter_slowly(MPI_Comm comm, bool synchronises)
{
    const struct mwr_renewal_state *state = &mwr_renewal_state;

    if (!synchronises) {
        return 0;
    }
    return state->count + KEPT >= state->next ? mwr_clock() : MWR_RENEWAL_UNTIMED;
}

void mwr_renewal_leave(uint64_t enter, int result)
{
    struct mwr_renewal_state *state = &mwr_renewal_state;

    if (result != MPI_SUCCESS) {
        state->is_on = false; /* who counts it, and who is still there, is not known */
        return;
    }
    state->count++;
    if (enter != MWR_RENEWAL_UNTIMED) {
        renewal.times[state->count % KEPT] = (struct times){enter, mwr_clock()};
    }
    if (state->count == state->next) {
        state->next *= 2;
        renewal.own.number = state->count;
        memcpy(renewal.own.times, renewal.times, sizeof renewal.times);
        if (mwr_recorder.rank == 0) {
            send_times();
        } else {
            renewal.polls = POLLS;
        }
    }
    if (renewal.polls > 0) {
        look_for_message();
    }
}

/* Rank 0 learns who takes part. */
static bool list_ranks(const struct mw_transport *transport)
{
    char takes_part = mwr_recorder.host_leader == transport->rank;
    struct mw_parts parts = {0};
    bool is_listed =
        transport->gather(transport->context, &takes_part, 1, &parts, NULL) == MW_OK;

    if (is_listed && transport->rank == 0) {
        renewal.ranks = calloc(mwr_recorder.hosts, sizeof *renewal.ranks);
        renewal.messages = calloc(mwr_recorder.hosts, sizeof *renewal.messages);
        renewal.requests = calloc(mwr_recorder.hosts, sizeof *renewal.requests);
        renewal.sent = calloc(mwr_recorder.hosts, sizeof *renewal.sent);
        is_listed = renewal.ranks && renewal.messages && renewal.requests && renewal.sent;
        for (uint32_t i = 1; is_listed && i < parts.count; i++) {
            if (parts.parts[i][0] && renewal.count < mwr_recorder.hosts) {
                renewal.requests[renewal.count] = MPI_REQUEST_NULL;
                renewal.ranks[renewal.count++] = (int)i;
            }
        }
    }
    mw_parts_fini(&parts);
    return is_listed;
}

void mwr_renewal_start(const struct mw_transport *transport)
{
    enum mw_status worst = MW_OK;
    bool is_listed;

    if (mwr_recorder.hosts < 2) {
        return;
    }
    is_listed = list_ranks(transport);
    if (transport->agree(transport->context, is_listed ? MW_OK : MW_ERROR_MEMORY, &worst, NULL) ==
            MW_OK &&
        worst == MW_OK) {
        renewal.request = MPI_REQUEST_NULL;
        renewal.takes_part = mwr_recorder.host_leader == transport->rank;
        mwr_renewal_state.is_on = renewal.takes_part;
        mwr_renewal_state.next = FIRST;
    }
}

/* Rank 0 says how many it has sent; when they have been received its requests are complete. */
static void finish_first(void)
{
    for (uint32_t i = 0; i < renewal.count; i++) {
        MWR_PMPI(Send)(&renewal.sent[i], 1, MPI_UINT64_T, renewal.ranks[i], TAG_NUMBER,
                       mwr_recorder.comm);
    }
    for (uint32_t i = 0; i < renewal.count; i++) {
        MWR_PMPI(Wait)(&renewal.requests[i], MPI_STATUS_IGNORE);
    }
    free(renewal.ranks);
    free(renewal.messages);
    free(renewal.requests);
    free(renewal.sent);
}

static void finish_other(void)
{
    uint64_t sent = 0;
    int error = MWR_PMPI(Recv)(&sent, 1, MPI_UINT64_T, 0, TAG_NUMBER, mwr_recorder.comm,
                               MPI_STATUS_IGNORE);

    for (; error == MPI_SUCCESS && renewal.received < sent; renewal.received++) {
        error = renewal.request != MPI_REQUEST_NULL
                    ? MWR_PMPI(Wait)(&renewal.request, MPI_STATUS_IGNORE)
                    : MWR_PMPI(Recv)(&renewal.message, (int)sizeof renewal.message, MPI_BYTE, 0,
                                     TAG_TIMES, mwr_recorder.comm, MPI_STATUS_IGNORE);
    }
    if (renewal.request != MPI_REQUEST_NULL) {
        MWR_PMPI(Cancel)(&renewal.request);
        MWR_PMPI(Wait)(&renewal.request, MPI_STATUS_IGNORE);
    }
}

void mwr_renewal_finish(void)
{
    mwr_renewal_state.is_on = false;
    if (renewal.takes_part && mwr_recorder.rank == 0) {
        finish_first();
    } else if (renewal.takes_part) {
        finish_other();
    }
    renewal.takes_part = false;
}
