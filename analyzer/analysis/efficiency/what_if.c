/*
 * A send that waits for its receive ends after the posting of that, but the engine tells of it
 * long before. So what is not known yet has an instant of its own, which others can wait for in
 * turn, and times go on from instant to instant as soon as they are known; mostly that is at once.
 */
#include "analyzer/analysis/efficiency/what_if_state.h"

#include <stdlib.h>

#include "analyzer/model/awaited_peers.h"
#include "analyzer/model/needs.h"

/* What is kept of a call until nobody can ask for it any more. */
struct kept {
    struct mwa_instant *begin; /* first: a pool's to write over */
    struct mwa_instant *end;   /* null: it is closed */
    uint64_t latest;      /* as it was, ticks: what it waited for last, */
    uint64_t latest_sent; /* and of what it has received or found */
    uint32_t untold;      /* messages that it has sent, and collectives that it may have waited in
                             for the last one, that are not told */
};

static struct kept *kept_at(const struct mwa_exchange_call *call, uint32_t slot)
{
    return call ? (struct kept *)(uintptr_t)call->note[slot] : NULL;
}

static struct mwa_instant *begin_of(const struct mwa_exchange_call *call, uint32_t slot)
{
    const struct kept *kept = kept_at(call, slot);

    return kept ? kept->begin : NULL;
}

static void destroy(void *analysis)
{
    struct mwa_if_replay *replay = analysis;

    if (replay) {
        free(replay->tracks);
        mwa_tape_destroy(replay->instants.tape);
        mwa_instants_fini(&replay->instants);
        mwa_pool_fini(&replay->kept);
        mwa_members_begun_fini(&replay->members);
        free(replay);
    }
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct mwa_if_replay *replay = *analysis = calloc(1, sizeof *replay);

    if (!replay) {
        return MW_ERROR_MEMORY;
    }
    *replay = (struct mwa_if_replay){ .trace = trace,
                               .slot = slot,
                               .kept = { .size = sizeof(struct kept) } };
    mwa_instants_init(&replay->instants, scope->cases);
    mwa_members_begun_init(&replay->members, &replay->instants, begin_of, slot);
    replay->tracks = calloc(trace->location_count + 1, sizeof *replay->tracks);
    return replay->tracks ? MW_OK : MW_ERROR_MEMORY;
}

/* --- calls ---------------------------------------------------------------------------------- */

static struct kept *kept_of(const struct mwa_if_replay *replay,
                            const struct mwa_exchange_call *call)
{
    return kept_at(call, replay->slot);
}

/* A run begins at time, which all cases have as at. */
static enum mw_status begin_run(struct mwa_if_replay *replay, struct mwa_if_track *track,
                                uint64_t time, uint64_t at)
{
    struct mwa_instant *instant = mwa_instant_make(&replay->instants);

    if (!instant) {
        return MW_ERROR_MEMORY;
    }
    instant->ticks = at;
    mwa_instant_close(&replay->instants, instant);
    mwa_instant_drop(&replay->instants, track->last);
    replay->instants.running += track->last == NULL;
    track->last = instant;
    track->at = time;
    track->begun = time;
    track->has_run = true;
    return MW_OK;
}

struct mwa_instant *mwa_what_if_go_on(struct mwa_if_replay *replay,
                                      struct mwa_if_track *track, uint64_t time,
                                      uint32_t place)
{
    struct mwa_instant *instant = mwa_instant_make(&replay->instants);

    if (!instant) {
        return NULL;
    }
    instant->ticks = time > track->at ? time - track->at : 0;
    instant->rank = replay->trace->locations[track - replay->tracks].rank;
    instant->call_at = place;
    instant->opens = track->opens;
    track->opens = false;
    if (mwa_instant_follow(&replay->instants, track->last, instant, false, MWA_NONE) != MW_OK) {
        return NULL;
    }
    mwa_instant_drop(&replay->instants, track->last);
    track->last = NULL;
    return instant;
}

/* A run stops at time, in a call at place, or in none; ends: the latest of those that do. */
static enum mw_status end_run(struct mwa_if_replay *replay, struct mwa_if_track *track,
                              uint64_t time, uint32_t place, uint64_t *ends)
{
    struct mwa_instant *instant = mwa_what_if_go_on(replay, track, time, place);

    if (!instant) {
        return MW_ERROR_MEMORY;
    }
    instant->ends = ends;
    track->is_over = true;
    mwa_instant_close(&replay->instants, instant);
    mwa_instant_drop(&replay->instants, instant);
    return MW_OK;
}

static enum mw_status take_waypoint(void *analysis, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    struct mwa_if_replay *replay = analysis;
    struct mwa_if_track *track = &replay->tracks[location];

    if (!mwa_is_main_thread(replay->trace, location) || replay->is_full) {
        return MW_OK;
    }
    track->last_event = waypoint->time;
    return waypoint->kind == MWA_WAYPOINT_FIRST && !replay->instants.tape
               ? begin_run(replay, track, waypoint->time, waypoint->time)
               : MW_OK;
}

/* Whether a call is looked at: others than main threads make the result unknown (collect.c). */
static bool is_followed(const struct mwa_if_replay *replay, const struct mwa_exchange_call *call)
{
    const struct mwa_if_track *track = &replay->tracks[call->location];

    return replay->trace->locations[call->location].master && !replay->is_full && !track->is_over;
}

/* With its first call behind a lull, entered at place, a rank goes on from where it was before. */
static enum mw_status open_at_lull(struct mwa_if_replay *replay,
                                   struct mwa_if_track *track, uint64_t enter,
                                   uint32_t place)
{
    track->is_opened = true;
    track->opens = true;
    track->opened_at = track->at = enter;
    track->opened_by = place;
    track->last = mwa_instant_given(&replay->instants, 1 + (uint64_t)(track - replay->tracks));
    return track->last ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status begin_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_if_replay *replay = analysis;
    struct mwa_if_track *track = &replay->tracks[call->location];
    const uint32_t place = mwa_trace_place(replay->trace, call->entered_at);
    struct kept *kept;

    if (!is_followed(replay, call)) {
        return MW_OK;
    }
    if (replay->instants.tape && !track->is_opened &&
        open_at_lull(replay, track, call->enter, place) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (!track->last) {
        return MW_OK;
    }
    if (call->region && call->region->kind == MWA_REGION_FINALIZE) {
        return end_run(replay, track, call->enter, place, replay->end);
    }
    if (call->closes_chapter) {
        return end_run(replay, track, call->enter, place, replay->seam);
    }
    if (call->opens_chapter) {
        if (begin_run(replay, track, call->enter, 0) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
        track->opens = true;
    }
    kept = mwa_pool_take(&replay->kept);
    if (!kept) {
        return MW_ERROR_MEMORY;
    }
    call->note[replay->slot] = (uintptr_t)kept;
    kept->latest = call->enter;
    kept->begin = mwa_what_if_go_on(replay, track, call->enter, place);
    kept->end = mwa_instant_make(&replay->instants);
    if (!kept->begin || !kept->end) {
        return MW_ERROR_MEMORY;
    }
    mwa_instant_close(&replay->instants, kept->begin);
    return mwa_instant_follow(&replay->instants, kept->begin, kept->end, false, MWA_NONE);
}

/* The end of call waits for the begin of another one, if its clock agrees. */
static enum mw_status wait_for(struct mwa_if_replay *replay, const struct mwa_exchange_call *call,
                               const struct mwa_exchange_call *other, bool is_message)
{
    struct kept *kept = kept_of(replay, call);
    const struct kept *of_other = kept_of(replay, other);

    if (!of_other || other->enter > call->leave) {
        return MW_OK;
    }
    kept->latest = other->enter > kept->latest ? other->enter : kept->latest;
    return mwa_instant_follow(&replay->instants, of_other->begin, kept->end, is_message,
                              is_message ? mwa_trace_place(replay->trace, call->site) : MWA_NONE);
}

static enum mw_status wait_for_members(struct mwa_if_replay *replay,
                                       const struct mwa_exchange_call *call)
{
    struct kept *kept = kept_of(replay, call);
    enum mw_status status = MW_OK;

    for (const struct mwa_member *member = call->finished; member && status == MW_OK;
         member = member->next_finished) {
        struct mwa_dependence dependence;
        struct mwa_instant *all = mwa_members_begun_for(&replay->members, member,
                                                        &dependence);

        if (!all) {
            return MW_ERROR_MEMORY;
        }
        if (dependence.latest != MWA_NONE) {
            const uint64_t enter = member->collective->members[dependence.latest].begin->enter;

            kept->latest = enter > kept->latest ? enter : kept->latest;
            status = mwa_instant_follow(&replay->instants, all, kept->end, false, MWA_NONE);
        }
        mwa_instant_drop(&replay->instants, all);
        kept->untold += mwa_may_await_members(member->collective);
    }
    return status;
}

/* All is known that the call waits for. */
static void close_end(struct mwa_if_replay *replay, const struct mwa_exchange_call *call,
                      struct kept *kept)
{
    struct mwa_instant *end = kept->end;

    kept->end = NULL;
    end->ticks = call->leave > kept->latest ? call->leave - kept->latest : 0;
    mwa_instant_close(&replay->instants, end);
    mwa_instant_drop(&replay->instants, end);
}

/* Messages that will be told, for whose other end it may have waited. */
static uint32_t count_untold(const struct mwa_exchange_call *call)
{
    uint32_t count = 0;

    if (mwa_never_waits(call)) {
        return 0;
    }
    for (const struct mwa_message *message = call->completed; message;
         message = message->next_completed) {
        count += mwa_send_needs_receive(message);
    }
    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        count += mwa_may_await_progress(message, call);
    }
    return count;
}

static enum mw_status end_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_if_replay *replay = analysis;
    struct mwa_if_track *track = &replay->tracks[call->location];
    struct kept *kept = kept_of(replay, call);
    enum mw_status status = MW_OK;

    if (!kept || !is_followed(replay, call)) {
        return MW_OK;
    }
    track->last = kept->end;
    track->last->references++;
    track->at = call->leave;
    if (call->region && call->region->kind == MWA_REGION_INIT) {
        close_end(replay, call, kept);
        return begin_run(replay, track, call->leave, call->leave);
    }
    for (const struct mwa_message *message = call->received; message && status == MW_OK;
         message = message->next_received) {
        status = wait_for(replay, call, message->send, true);
    }
    if (status == MW_OK && call->found) {
        status = wait_for(replay, call, call->found->send, true);
    }
    kept->latest_sent = kept->latest;
    if (status == MW_OK) {
        status = wait_for_members(replay, call);
    }
    kept->untold += count_untold(call);
    if (status == MW_OK && kept->untold == 0) {
        close_end(replay, call, kept);
    }
    return status;
}

/* Whether something is still to be told of what call may have waited for. */
static bool is_untold(const struct kept *kept)
{
    return kept && kept->end && kept->untold > 0;
}

/* One thing more is told: all, maybe. */
static void count_told(struct mwa_if_replay *replay, const struct mwa_exchange_call *call,
                       struct kept *kept)
{
    if (--kept->untold == 0) {
        close_end(replay, call, kept);
    }
}

/* It is told that call may have waited for the other end of message, or for what completes another
 * part of an operation (no message), until other began; null: it did not. */
static enum mw_status tell(struct mwa_if_replay *replay, const struct mwa_exchange_call *call,
                           const struct mwa_exchange_call *other,
                           const struct mwa_message *message)
{
    struct kept *kept = kept_of(replay, call);
    enum mw_status status = MW_OK;

    if (!is_untold(kept)) {
        return MW_OK;
    }
    if (other && mwa_is_seen_to_wait(call, kept->latest_sent, other, message)) {
        status = wait_for(replay, call, other, false);
    }
    count_told(replay, call, kept);
    return status;
}

/* A send that was complete only after its receive was posted has waited for that, and what
 * completes either end may have waited for what completes the other. */
static enum mw_status take_message(void *analysis, struct mwa_message *message)
{
    struct mwa_if_replay *replay = analysis;
    const struct mwa_exchange_call *sent = message->send_completion;
    const struct mwa_exchange_call *received = message->receive_completion;
    const struct mwa_exchange_call *receive = message->receive;
    enum mw_status status = MW_OK;

    if (replay->is_full || !mwa_send_needs_receive(message)) {
        return MW_OK;
    }
    if (sent) {
        const struct mwa_exchange_call *other = mwa_awaited_progress(message, sent);

        status = tell(replay, sent,
                      other || receive->enter <= sent->enter || receive->enter >= sent->leave
                          ? other
                          : receive,
                      message);
    }
    return status == MW_OK && received && mwa_may_await_progress(message, received)
               ? tell(replay, received, mwa_awaited_progress(message, received), message)
               : status;
}

static void settle_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_if_replay *replay = analysis;
    struct kept *kept = kept_of(replay, call);

    if (kept && kept->end && !replay->is_full) {
        close_end(replay, call, kept);
    }
}

/* Nobody asks any more when the call began. */
static void forget_call(void *analysis, struct mwa_exchange_call *call)
{
    struct mwa_if_replay *replay = analysis;
    struct kept *kept = kept_of(replay, call);

    if (!kept || replay->is_full) {
        return;
    }
    mwa_instant_drop(&replay->instants, kept->begin);
    mwa_pool_give(&replay->kept, kept);
    call->note[replay->slot] = 0;
}

/* The call for which member waited where not all did for the last. */
static const struct mwa_exchange_call *awaited_of(const struct mwa_member *member,
                                                  const struct mwa_comers *comers)
{
    return member->collective->nonblocking ? mwa_awaited_completion(member, comers)
                                           : mwa_awaited_return(member, comers);
}

/* Where one member was seen to keep all others, each would: who is the last may change. */
static enum mw_status tell_members(struct mwa_if_replay *replay,
                                   const struct mwa_collective *collective)
{
    const struct mwa_member *last = mwa_awaited_last(collective);
    struct mwa_instant *all = last ? mwa_members_begun_all(&replay->members, collective)
                                   : NULL;
    enum mw_status status = last && !all ? MW_ERROR_MEMORY : MW_OK;
    struct mwa_comers comers;

    mwa_comers_find(&comers, collective);
    for (uint32_t i = 0; i < collective->count && status == MW_OK; i++) {
        const struct mwa_exchange_call *call = collective->members[i].end;
        struct kept *kept = call ? kept_of(replay, call) : NULL;
        const struct mwa_exchange_call *other;

        if (!is_untold(kept)) {
            continue;
        }
        other = last ? NULL : awaited_of(&collective->members[i], &comers);
        if (other && mwa_is_seen_to_wait(call, kept->latest_sent, other, NULL)) {
            status = wait_for(replay, call, other, false);
        }
        if (all && !mwa_never_waits(call)) {
            const uint64_t enter = last->begin->enter;

            kept->latest = enter > kept->latest ? enter : kept->latest;
            status = mwa_instant_follow(&replay->instants, all, kept->end, false, MWA_NONE);
        }
        count_told(replay, call, kept);
    }
    mwa_instant_drop(&replay->instants, all);
    return status;
}

/* The same of a member of an operation that does not block. */
static enum mw_status tell_completion(void *analysis, const struct mwa_member *member,
                                      const struct mwa_exchange_call *awaited)
{
    return tell(analysis, member->end, awaited, NULL);
}

static enum mw_status end_collective(void *analysis, struct mwa_collective *collective)
{
    struct mwa_if_replay *replay = analysis;
    enum mw_status status = MW_OK;

    if (replay->is_full) {
        return MW_OK;
    }
    if (mwa_may_hold_some(collective)) {
        status = tell_members(replay, collective);
    } else {
        status = mwa_visit_completions(collective, tell_completion, replay);
    }
    mwa_members_begun_drop(&replay->members, collective);
    return status;
}

static enum mw_status end_round(void *analysis)
{
    struct mwa_if_replay *replay = analysis;

    replay->is_full |= replay->instants.alive > MWA_WHAT_IF_MOMENTS;
    return replay->instants.status;
}

enum mw_status mwa_what_if_end_runs(struct mwa_if_replay *replay)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < replay->trace->location_count && status == MW_OK; i++) {
        struct mwa_if_track *track = &replay->tracks[i];

        if (track->last && !track->goes_on && !replay->is_full) {
            status = end_run(replay, track, track->last_event, MWA_NONE, replay->end);
        }
    }
    return status;
}

static enum mw_status finish(void *analysis, void *result)
{
    struct mwa_if_replay *replay = analysis;
    struct mwa_what_if *what_if = result;
    enum mw_status status = mwa_what_if_end_runs(replay);
    uint64_t first = UINT64_MAX;

    *what_if = (struct mwa_what_if){ .is_known = false };
    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        const struct mwa_if_track *track = &replay->tracks[i];

        if (track->has_run && track->begun < first) {
            first = track->begun;
        }
    }
    what_if->is_known = !replay->is_full && replay->instants.running == 0 && first != UINT64_MAX;
    for (uint32_t i = 0; i < replay->instants.cases->count; i++) {
        what_if->runtime_ns[i] = replay->end[i] > first
                                     ? mwa_trace_ns(replay->trace, replay->end[i] - first)
                                     : 0;
    }
    return status;
}

const struct mwa_exchange_analysis mwa_what_if_analysis = {
    .name = "what if",
    .create = create,
    .listener = { .begin = begin_call,
                  .end = end_call,
                  .message = take_message,
                  .collective = end_collective,
                  .settled = settle_call,
                  .gone = forget_call,
                  .round = end_round,
                  .may_lag = true },
    .waypoint = take_waypoint,
    .carry = mwa_what_if_carry,
    .append = mwa_what_if_append,
    .pack = mwa_what_if_pack,
    .unpack = mwa_what_if_unpack,
    .finish = finish,
    .destroy = destroy
};
