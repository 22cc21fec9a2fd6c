/* A standard send of no more than MWA_EAGER_BYTES is not proved to wait for its receive. */
#include "analyzer/analysis/hang/hang_graph.h"

#include <stdlib.h>

#include "analyzer/analysis/hang/hang_receives.h"
#include "analyzer/analysis/hang/hang_together.h"
#include "analyzer/analysis/hang/hang_window.h"
#include "analyzer/model/needs.h"
#include "formats/table/calls.h"

struct making {
    const struct mwa_trace *trace;
    const struct mwa_hang_states *states;
    struct mwa_hang_graph *graph;
};

static const struct mwa_hang_rank *rank_at(const struct making *making, uint32_t rank)
{
    return &making->states->ranks[rank];
}

static unsigned call_of(const struct making *making, uint32_t rank)
{
    return mwa_hang_call_of(making->trace, making->states, rank);
}

/* --- clauses ----------------------------------------------------------------------- */

/*
 * Whether something that the rank did may be missing from its record, but at the end: what would
 * have answered another one may have been that.
 */
static bool has_holes(const struct making *making, uint32_t rank)
{
    const struct mwa_rank *of = &making->trace->ranks[rank];

    return of->lost > 0 || of->paused || rank_at(making, rank)->has_pauses ||
           making->trace->filtered_count > 0;
}

/*
 * Whether the rank may be in a function of the program's that MPI calls, and that may do anything:
 * it sends to whom the rank seems to wait for, say. Attributes are copied with their communicator;
 * those of a window are deleted in MPI_Win_free, and those of MPI_COMM_SELF in MPI_Finalize, before
 * a rank waits there for others.
 */
static bool may_be_called_back(const struct making *making, uint32_t rank)
{
    const struct mwa_rank *of = &making->trace->ranks[rank];
    const unsigned call = call_of(making, rank);

    return of->handles_errors || (of->has_keyvals && mw_call_means(call, MW_MAKES_COMM)) ||
           (of->has_request_functions && mw_call_waits(call)) ||
           mw_call_kind(call) == MW_KIND_WIN_FREE ||
           (of->has_finalizers && call == MW_CALL_MPI_Finalize);
}

/* A new clause without targets, which are added to the last one. */
static enum mw_status add_clause(struct making *making, struct mwa_hang_clause clause)
{
    struct mwa_hang_graph *graph = making->graph;

    if (!mwa_grow(&graph->clauses, &graph->clause_capacity, graph->clause_count + 1,
                  sizeof *graph->clauses)) {
        return MW_ERROR_MEMORY;
    }
    clause.first = graph->target_count;
    clause.count = 0;
    clause.is_proved &= !has_holes(making, clause.rank) &&
                        !may_be_called_back(making, clause.rank);
    graph->clauses[graph->clause_count++] = clause;
    return MW_OK;
}

static enum mw_status add_target(struct making *making, uint32_t target)
{
    struct mwa_hang_graph *graph = making->graph;

    if (!mwa_grow(&graph->targets, &graph->target_capacity, graph->target_count + 1,
                  sizeof *graph->targets)) {
        return MW_ERROR_MEMORY;
    }
    graph->targets[graph->target_count++] = target;
    graph->clauses[graph->clause_count - 1].count++;
    graph->clauses[graph->clause_count - 1].is_proved &= !has_holes(making, target);
    return MW_OK;
}

static enum mw_status add_one(struct making *making, struct mwa_hang_clause clause,
                              uint32_t target)
{
    enum mw_status status = add_clause(making, clause);

    return status == MW_OK ? add_target(making, target) : status;
}

/* Makes the clauses from first on one: any of their targets will do. */
static void join_clauses(struct mwa_hang_graph *graph, uint64_t first)
{
    struct mwa_hang_clause *one = &graph->clauses[first];

    for (uint64_t i = first + 1; i < graph->clause_count; i++) {
        one->is_proved &= graph->clauses[i].is_proved;
        one->count += graph->clauses[i].count;
    }
    graph->clause_count = first + 1;
}

/* --- messages ---------------------------------------------------------------------- */

static bool fits(int32_t wanted, int32_t given)
{
    return wanted < 0 || wanted == given;
}

static uint32_t world_rank(const struct making *making, uint32_t comm, uint32_t self, int32_t peer)
{
    return mwa_hang_world_rank(making->trace, comm, self, peer);
}

/* Whether there is something for to's receive: sent and not received, or being sent. from MWA_NONE:
 * by anybody. */
static bool is_sent(const struct making *making, uint32_t from, uint32_t to, uint32_t comm,
                    int32_t tag)
{
    const struct mwa_hang_states *states = making->states;

    for (uint64_t i = 0; i < states->message_count; i++) {
        const struct mwa_hang_message *message = &states->messages[i];

        if (message->to == to && message->comm == comm && message->count > 0 &&
            (from == MWA_NONE || message->from == from) && fits(tag, (int32_t)message->tag)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < states->rank_count; i++) {
        const struct mwa_hang_rank *other = &states->ranks[i];

        if ((from == MWA_NONE || from == i) && other->where == MWA_HANG_INSIDE &&
            other->has_hint && other->hint.sends && other->hint.comm == comm &&
            fits(tag, other->hint.tag) && world_rank(making, comm, i, other->hint.peer) == to) {
            return true;
        }
    }
    return false;
}

/* Whether it is told who may send on it: of those of another job it is not what they do. */
static bool are_peers_known(const struct mwa_trace *trace, uint32_t comm)
{
    const struct mwa_comm *of = &trace->comms[comm];

    return !of->other_job && (of->members[0] || of->group != MWA_NONE) &&
           (!of->inter || of->members[1] || of->remote_group != MWA_NONE);
}

static enum mw_status add_peers(struct making *making, uint32_t self, uint32_t comm)
{
    const bool is_inter = making->trace->comms[comm].inter;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; status == MW_OK && i < mwa_trace_comm_size(making->trace, comm); i++) {
        uint32_t peer = mwa_trace_peer(making->trace, comm, self, i);

        if (peer < making->states->rank_count && (peer != self || is_inter)) {
            status = add_target(making, peer);
        }
    }
    return status;
}

/* Adds what a receive needs; *is_met: nothing more. */
static enum mw_status need_message(struct making *making, uint32_t self, uint32_t comm,
                                   int32_t source, int32_t tag, bool *is_met)
{
    uint32_t from = world_rank(making, comm, self, source);
    const struct mwa_hang_clause clause = { .rank = self, .is_proved = true,
                                            .why = MWA_HANG_TO_SEND, .comm = comm, .tag = tag,
                                            .is_any = source < 0, .bytes = UINT64_MAX };
    enum mw_status status;

    *is_met = comm == MWA_NONE ||
              (source >= 0 ? from >= making->states->rank_count
                           : !are_peers_known(making->trace, comm)) ||
              is_sent(making, source < 0 ? MWA_NONE : from, self, comm, tag);
    if (*is_met) {
        return MW_OK;
    }
    status = add_clause(making, clause);
    if (status != MW_OK) {
        return status;
    }
    return source < 0 ? add_peers(making, self, comm) : add_target(making, from);
}

/* Adds what a send needs; is_begun: it is a request's. */
static enum mw_status need_receiver(struct making *making, uint32_t self, uint32_t comm,
                                    int32_t dest, int32_t tag, uint64_t bytes, bool is_begun,
                                    bool *is_met)
{
    static const char *const synchronous[] = { "MPI_Ssend", "MPI_Issend", "MPI_Ssend_c" };
    const unsigned call = call_of(making, self);
    uint32_t to = world_rank(making, comm, self, dest);
    const struct mwa_hang_sending sending = { self, to, comm, tag };
    bool is_proved = bytes != UINT64_MAX && bytes > MWA_EAGER_BYTES;
    enum mwa_hang_receive there = MWA_HANG_RECEIVE;

    for (unsigned i = 0; i < sizeof synchronous / sizeof *synchronous; i++) {
        is_proved |= call == mw_call_find(synchronous[i]);
    }
    if (to < making->states->rank_count) {
        there = mwa_hang_receive_for(making->trace, making->states, &sending);
    }
    *is_met = there == MWA_HANG_RECEIVE ||
              mwa_hang_is_received(making->states, &sending, is_begun);
    return *is_met ? MW_OK
                   : add_one(making,
                             (struct mwa_hang_clause){
                                 .rank = self,
                                 .is_proved = is_proved && there == MWA_HANG_NO_RECEIVE,
                                 .why = MWA_HANG_TO_RECEIVE,
                                 .is_behind = there == MWA_HANG_RECEIVES_TAKEN,
                                 .comm = comm,
                                 .tag = tag,
                                 .bytes = bytes },
                             to);
}

/* --- what ranks do together -------------------------------------------------------- */

/* A clause for each member that has not come, or does something else. */
static enum mw_status need_members(struct making *making, uint32_t self,
                                   const struct mwa_hang_meeting *meeting)
{
    const uint64_t most = making->graph->first_clause[self] + MWA_HANG_MEMBERS_MAX;
    enum mw_status status = MW_OK;

    for (unsigned group = 0; group < 2; group++) {
        uint64_t count;
        const uint32_t *members =
            mwa_trace_members(making->trace, meeting->comm, group, &count);

        for (uint64_t i = 0; status == MW_OK && i < count; i++) {
            uint32_t other = members[i];
            bool disagree;

            if (other == self || other >= making->states->rank_count) {
                continue;
            }
            disagree = mwa_hang_disagrees(making->trace, making->states, meeting, self, other);
            if (!disagree && mwa_hang_has_come(making->trace, making->states, meeting, other)) {
                continue;
            }
            if (making->graph->clause_count >= most) {
                making->graph->is_cut = true;
                return MW_OK;
            }
            status = add_one(making,
                             (struct mwa_hang_clause){
                                 .rank = self,
                                 .is_proved = mwa_hang_are_in_step(making->states, meeting, self,
                                                                   other) &&
                                              (disagree ||
                                               mwa_hang_needs_surely(making->trace,
                                                                     making->states, meeting,
                                                                     self, other)),
                                 .why = disagree ? MWA_HANG_TO_AGREE : MWA_HANG_TO_COME,
                                 .comm = meeting->comm,
                                 .bytes = UINT64_MAX },
                             other);
        }
    }
    return status;
}

/* MPI_Finalize is collective over all that are connected. */
static enum mw_status need_finalize(struct making *making, uint32_t self)
{
    const uint64_t most = making->graph->clause_count + MWA_HANG_MEMBERS_MAX;
    enum mw_status status = MW_OK;

    for (uint32_t other = 0; status == MW_OK && other < making->states->rank_count; other++) {
        if (making->graph->clause_count == most) {
            making->graph->is_cut = true;
            return MW_OK;
        }
        if (other != self && rank_at(making, other)->where != MWA_HANG_FINISHED &&
            call_of(making, other) != call_of(making, self)) {
            status = add_one(making,
                             (struct mwa_hang_clause){ .rank = self, .is_proved = true,
                                                       .why = MWA_HANG_TO_COME,
                                                       .comm = MWA_NONE,
                                                       .bytes = UINT64_MAX },
                             other);
        }
    }
    return status;
}

/* --- one-sided communication ------------------------------------------------------- */

/* A clause for each member whose post, completion or unlocking is waited for; of a start one: for
 * whose posts it waits is not told. That a wait is for all completions is proved; whether a call
 * waits for a post or a lock is the library's affair. */
static enum mw_status need_window(struct making *making, uint32_t self, bool *is_known)
{
    const uint32_t comm = making->trace->metrics.objects[rank_at(making, self)->hint.window].comm;
    const unsigned kind = mw_call_kind(call_of(making, self));
    enum mw_status status = MW_OK;
    uint64_t count = 0;
    const uint64_t first = making->graph->clause_count;
    struct mwa_hang_clause clause = { .rank = self, .comm = comm, .bytes = UINT64_MAX,
                                      .is_proved = kind == MW_KIND_WIN_WAIT };
    const uint32_t *members =
        comm == MWA_NONE ? NULL : mwa_trace_members(making->trace, comm, 0, &count);

    *is_known = false;
    for (uint64_t i = 0; status == MW_OK && members && i < count; i++) {
        if (members[i] != self && members[i] < making->states->rank_count &&
            mwa_hang_waits_on_window(making->trace, making->states, kind, self, members[i],
                                     &clause.why)) {
            *is_known = true;
            status = add_one(making, clause, members[i]);
        }
    }
    if (kind == MW_KIND_WIN_START && making->graph->clause_count > first + 1) {
        join_clauses(making->graph, first);
        *is_known = false;
    }
    return status;
}

/* --- requests ---------------------------------------------------------------------- */

static enum mw_status need_request(struct making *making, const struct mwa_hang_request *request,
                                   bool *is_met)
{
    const uint32_t self = request->rank;
    const uint64_t before = making->graph->clause_count;
    struct mwa_hang_meeting meeting;
    enum mw_status status = MW_OK;

    *is_met = true;
    if (!request->is_told || request->comm == MWA_NONE) {
        return MW_OK;
    }
    if (request->kind == MWA_IRECV_POST) {
        return need_message(making, self, request->comm, request->peer, request->tag, is_met);
    }
    if (request->kind == MWA_ISEND) {
        return need_receiver(making, self, request->comm, request->peer, request->tag,
                             request->bytes, true, is_met);
    }
    if (mwa_hang_meets_by(making->trace, making->states, request, &meeting)) {
        status = need_members(making, self, &meeting);
        *is_met = making->graph->clause_count == before;
    }
    return status;
}

/* Partitions that only the rank itself can make ready: another thread of it, unless there is none
 * that may call MPI. */
static enum mw_status need_partitions(struct making *making, uint32_t self)
{
    const struct mwa_hang_rank *state = rank_at(making, self);
    const struct mwa_hang_clause clause = {
        .rank = self,
        .is_proved = !mwa_hang_others_may_call(making->trace, making->states, self),
        .why = MWA_HANG_TO_MAKE_READY,
        .comm = state->hint.comm,
        .tag = state->hint.tag,
        .bytes = state->hint.bytes
    };

    return add_one(making, clause, self);
}

static enum mw_status need_requests(struct making *making, uint32_t self)
{
    const struct mwa_hang_states *states = making->states;
    struct mwa_hang_graph *graph = making->graph;
    const unsigned kind = mw_call_kind(call_of(making, self));
    const bool is_any = kind == MW_KIND_WAITANY || kind == MW_KIND_WAITSOME;
    const uint64_t first = graph->clause_count;
    uint64_t found = 0;
    bool any_is_met = false;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; status == MW_OK && i < states->request_count; i++) {
        const struct mwa_hang_request *request = &states->requests[i];
        bool is_met;

        if (request->rank == self && mwa_hang_is_there(request) && request->is_awaited) {
            status = need_request(making, request, &is_met);
            any_is_met |= is_met;
            found++;
        }
    }
    if (status == MW_OK && rank_at(making, self)->hint.unready > 0) {
        status = need_partitions(making, self);
        found++;
    }
    graph->is_known[self] = found == rank_at(making, self)->hint.requests;
    if (is_any && (any_is_met || !graph->is_known[self])) {
        graph->clause_count = first;
    } else if (is_any && graph->clause_count > first + 1) {
        join_clauses(graph, first);
    }
    return status;
}

/* --- all ranks --------------------------------------------------------------------- */

static enum mw_status add_rank(struct making *making, uint32_t self)
{
    const struct mwa_hang_rank *state = rank_at(making, self);
    const struct mwa_hint *hint = &state->hint;
    struct mwa_hang_meeting meeting;
    bool is_met = true;
    enum mw_status status = MW_OK;

    making->graph->is_known[self] = state->where != MWA_HANG_UNKNOWN;
    if (state->where != MWA_HANG_INSIDE) {
        return MW_OK;
    }
    if (mw_call_kind(call_of(making, self)) == MW_KIND_FINALIZE) {
        return need_finalize(making, self);
    }
    making->graph->is_known[self] = state->has_hint;
    if (!state->has_hint) {
        return MW_OK;
    }
    if (mwa_hang_meets(making->trace, making->states, self, &meeting)) {
        return need_members(making, self, &meeting);
    }
    if (hint->completes) {
        return need_requests(making, self);
    }
    if (hint->window != MWA_NONE) {
        return need_window(making, self, &making->graph->is_known[self]);
    }
    making->graph->is_known[self] = hint->receives || hint->sends;
    if (hint->receives) {
        status = need_message(making, self, hint->comm, hint->source, hint->source_tag, &is_met);
    }
    if (hint->sends && status == MW_OK) {
        status = need_receiver(making, self, hint->comm, hint->peer, hint->tag, hint->bytes,
                               false, &is_met);
    }
    return status;
}

/* Whether a clause is of no help to who is dead so far: all its targets are, or have ended. */
static bool is_hopeless(const struct making *making, const struct mwa_hang_clause *clause,
                        const bool *lives)
{
    for (uint64_t i = 0; i < clause->count; i++) {
        if (lives[making->graph->targets[clause->first + i]]) {
            return false;
        }
    }
    return true;
}

bool mwa_hang_others_may_call(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                              uint32_t rank)
{
    return states->ranks[rank].has_threads || !trace->ranks[rank].calls_in_turn;
}

/* Who can go on, by the clauses that are proved, or by all: from those that need nothing on. By
 * what is proved another thread of a rank can, if it may call MPI. */
static void find_living(const struct making *making, bool proved_only, bool *lives)
{
    const struct mwa_hang_graph *graph = making->graph;
    bool is_changed = true;

    for (uint64_t rank = 0; rank < making->states->rank_count; rank++) {
        lives[rank] = false;
    }
    while (is_changed) {
        is_changed = false;
        for (uint32_t rank = 0; rank < making->states->rank_count; rank++) {
            const bool others_can =
                proved_only && mwa_hang_others_may_call(making->trace, making->states, rank);
            bool can = !lives[rank] && rank_at(making, rank)->where != MWA_HANG_FINISHED;

            for (uint64_t i = graph->first_clause[rank];
                 can && !others_can && i < graph->first_clause[rank + 1]; i++) {
                const struct mwa_hang_clause *clause = &graph->clauses[i];

                can = (proved_only && !clause->is_proved) || !is_hopeless(making, clause, lives);
            }
            lives[rank] |= can;
            is_changed |= can;
        }
    }
}

static enum mw_status judge(struct making *making)
{
    const uint64_t count = making->states->rank_count;
    bool *lives = calloc(2 * count + 1, sizeof *lives);

    if (!lives) {
        return MW_ERROR_MEMORY;
    }
    find_living(making, true, lives);
    find_living(making, false, lives + count);
    for (uint64_t rank = 0; rank < count; rank++) {
        bool is_waiting = making->states->ranks[rank].where == MWA_HANG_INSIDE;

        making->graph->life[rank] = !is_waiting || lives[count + rank] ? MWA_HANG_LIVES
                                    : lives[rank]                      ? MWA_HANG_MAY_BE_DEAD
                                                                       : MWA_HANG_DEAD;
    }
    free(lives);
    return MW_OK;
}

enum mw_status mwa_hang_graph_make(const struct mwa_trace *trace,
                                   const struct mwa_hang_states *states,
                                   struct mwa_hang_graph *graph)
{
    struct making making = { trace, states, graph };
    const uint64_t count = states->rank_count;
    enum mw_status status = MW_OK;

    graph->first_clause = calloc(count + 1, sizeof *graph->first_clause);
    graph->life = calloc(count + 1, sizeof *graph->life);
    graph->is_known = calloc(count + 1, sizeof *graph->is_known);
    if (!graph->first_clause || !graph->life || !graph->is_known) {
        return MW_ERROR_MEMORY;
    }
    for (uint32_t rank = 0; status == MW_OK && rank < count; rank++) {
        graph->first_clause[rank] = graph->clause_count;
        status = add_rank(&making, rank);
    }
    graph->first_clause[count] = graph->clause_count;
    return status == MW_OK ? judge(&making) : status;
}

void mwa_hang_graph_fini(struct mwa_hang_graph *graph)
{
    free(graph->clauses);
    free(graph->targets);
    free(graph->first_clause);
    free(graph->life);
    free(graph->is_known);
    *graph = (struct mwa_hang_graph){ 0 };
}
