/* What exports tell of a call and what a view tells of it is the same because it is this. */
#include "analyzer/analysis/comms/call_facts.h"

#include "analyzer/analysis/comms/charge.h"

const struct mwa_call_facts mwa_no_facts = { .comm = MWA_NONE,
                                             .peer = MWA_NONE,
                                             .tag = MWA_NONE,
                                             .root = MWA_NONE };

/* What is the first of its kind, or the same as all before: else it is none. */
static void share(uint32_t *known, bool is_first, uint32_t value)
{
    *known = is_first || *known == value ? value : MWA_NONE;
}

static void take_peer(struct mwa_call_facts *facts, const struct mwa_trace *trace, uint32_t rank,
                      const struct mwa_message_data *message)
{
    share(&facts->peer, !facts->has_peer,
          mwa_trace_peer(trace, message->comm, rank, message->peer));
    share(&facts->tag, !facts->has_peer, message->tag);
    facts->has_peer = true;
}

static void take_comm(struct mwa_call_facts *facts, uint32_t comm)
{
    if (comm != MWA_NONE) {
        share(&facts->comm, !facts->has_comm, comm);
        facts->has_comm = true;
    }
}

/* What a probe finds is known when it is entered. */
static void take_found(struct mwa_call_facts *facts, const struct mwa_trace *trace, uint32_t rank,
                       const struct mwa_found_data *found)
{
    const struct mwa_message_data message = { .comm = found->comm,
                                              .peer = found->peer,
                                              .tag = found->tag };

    if (found->is_told) {
        take_comm(facts, found->comm);
        take_peer(facts, trace, rank, &message);
    }
}

void mwa_call_facts_take(struct mwa_call_facts *facts, const struct mwa_trace *trace,
                         uint32_t rank, const struct mwa_event *event)
{
    uint64_t sent, received;

    take_comm(facts, mwa_event_comm(event));
    if (mwa_event_bytes(event, &sent, &received)) {
        facts->bytes_sent += sent;
        facts->bytes_received += received;
        facts->has_bytes = true;
    }
    if (event->kind == MWA_ENTER) {
        take_found(facts, trace, rank, &event->of.call.found);
    } else if (event->kind == MWA_SEND || event->kind == MWA_ISEND || event->kind == MWA_RECV ||
        event->kind == MWA_IRECV) {
        take_peer(facts, trace, rank, &event->of.message);
    } else if (event->kind == MWA_COLLECTIVE_END || event->kind == MWA_COLLECTIVE_COMPLETE) {
        facts->root =
            mwa_trace_peer(trace, event->of.collective.comm, rank, event->of.collective.root);
    }
}
