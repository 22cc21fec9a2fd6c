/*
 * A receive that was posted is not there for each message that fits it: one that was sent before
 * has it, also while its rank has not looked at it since. Programs that keep one receive open and
 * send by MPI_Send hang so, where messages are too long to be buffered.
 */
#include "analyzer/analysis/hang/hang_receives.h"

/*
 * Where comparing all messages with all receives for each rank that sends would take more, some
 * seconds, receives count as free: nothing is told to hang then that does not.
 */
#define COMPARISONS_MAX (UINT64_C(1) << 30)

uint32_t mwa_hang_world_rank(const struct mwa_trace *trace, uint32_t comm, uint32_t self,
                             int32_t peer)
{
    return comm == MWA_NONE || peer < 0 ? MWA_NONE
                                        : mwa_trace_peer(trace, comm, self, (uint32_t)peer);
}

static bool fits(const struct mwa_trace *trace, const struct mwa_hang_sending *sending,
                 uint32_t comm, int32_t source, int32_t tag)
{
    return comm == sending->comm && (tag < 0 || tag == sending->tag) &&
           (source < 0 ||
            mwa_hang_world_rank(trace, comm, sending->to, source) == sending->from);
}

static bool is_posted(const struct mwa_hang_request *request, uint32_t rank)
{
    return request->rank == rank && request->kind == MWA_IRECV_POST && mwa_hang_is_there(request);
}

/* Of what is not told of a receive that may be anything. */
static bool takes(const struct mwa_trace *trace, const struct mwa_hang_request *request,
                  const struct mwa_hang_sending *sending)
{
    return is_posted(request, sending->to) &&
           (!request->is_told ||
            fits(trace, sending, request->comm, request->peer, request->tag));
}

/* Whether the one that was sent before has one of those receives that there are for the other. */
static bool has_one_of(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                       const struct mwa_hang_sending *before,
                       const struct mwa_hang_sending *sending)
{
    bool has_one = false;

    for (uint64_t i = 0; i < states->request_count; i++) {
        if (takes(trace, &states->requests[i], before)) {
            if (!states->requests[i].is_told || !takes(trace, &states->requests[i], sending)) {
                return false; /* it may have this one */
            }
            has_one = true;
        }
    }
    return has_one;
}

static uint64_t count_before(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                             const struct mwa_hang_sending *sending)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < states->message_count; i++) {
        const struct mwa_hang_message *message = &states->messages[i];
        const struct mwa_hang_sending before = { .from = message->from,
                                                 .to = message->to,
                                                 .comm = message->comm,
                                                 .tag = (int32_t)message->tag };

        if (message->count > 0 && message->to == sending->to && message->comm == sending->comm &&
            has_one_of(trace, states, &before, sending)) {
            count += (uint64_t)message->count;
        }
    }
    return count;
}

enum mwa_hang_receive mwa_hang_receive_for(const struct mwa_trace *trace,
                                           const struct mwa_hang_states *states,
                                           const struct mwa_hang_sending *sending)
{
    const struct mwa_hang_rank *to = &states->ranks[sending->to];
    uint64_t receives = 0;

    if (to->where == MWA_HANG_INSIDE && to->has_hint && to->hint.receives &&
        fits(trace, sending, to->hint.comm, to->hint.source, to->hint.source_tag)) {
        return MWA_HANG_RECEIVE;
    }
    for (uint64_t i = 0; i < states->request_count; i++) {
        receives += takes(trace, &states->requests[i], sending);
    }
    if (receives == 0) {
        return MWA_HANG_NO_RECEIVE;
    }
    return states->message_count <=
                       COMPARISONS_MAX / states->request_count / trace->rank_count &&
                   count_before(trace, states, sending) >= receives
               ? MWA_HANG_RECEIVES_TAKEN
               : MWA_HANG_RECEIVE;
}

bool mwa_hang_is_received(const struct mwa_hang_states *states,
                          const struct mwa_hang_sending *sending, bool is_begun)
{
    int64_t count = is_begun ? 0 : 1;

    for (uint64_t i = 0; i < states->message_count; i++) {
        const struct mwa_hang_message *message = &states->messages[i];

        if (message->from == sending->from && message->to == sending->to &&
            message->comm == sending->comm && (int32_t)message->tag == sending->tag) {
            count += message->count;
        }
    }
    return count <= 0;
}
