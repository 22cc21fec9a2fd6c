/*
 * One clock per rank is enough, as nothing on an ideal network takes time but computing and
 * waiting: calls are taken in the order of who waits for whom, which the exchange engine keeps, and
 * regions as the pass meets them.
 */
#include "analyzer/analysis/efficiency/ideal_replay.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/ideal_track.h"
#include "analyzer/model/needs.h"

/* What is kept of a call until nobody can ask for it any more. */
struct snapshot {
    /* What others may have to wait for: the state of the rank at the call's beginning. */
    struct mwa_words clocks; /* of the track */
    struct mwa_path_node *path; /* null: nobody asks */
    struct mwa_path_joint joint; /* at the end of a call that completes messages */
    uint64_t latest_sent; /* of what that has received or found, at least its enter */
    uint64_t awaited; /* when other, the rank that the path comes from, came; 0: from none */
    uint32_t other;
};

struct replay {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_ideal_track *tracks; /* per location, used for main threads */
    struct mwa_pool snapshots;
    struct mwa_pool gatherings;
    struct mwa_path_tree paths;
    bool *may_post; /* by region: whether others may turn out to wait for its calls */
    bool threads; /* others than main threads exchanged something */
};

/* What is kept of call; null: nothing. */
static struct snapshot *kept_of(const struct replay *replay, const struct mwa_exchange_call *call)
{
    return call ? (struct snapshot *)(uintptr_t)call->note[replay->slot] : NULL;
}

static void destroy(void *analysis)
{
    struct replay *replay = analysis;

    if (!replay) {
        return;
    }
    for (uint64_t i = 0; replay->tracks && i < replay->trace->location_count; i++) {
        mwa_ideal_track_fini(&replay->tracks[i]);
    }
    free(replay->tracks);
    free(replay->may_post);
    mwa_pool_fini(&replay->snapshots);
    mwa_pool_fini(&replay->gatherings);
    mwa_path_tree_fini(&replay->paths);
    free(replay);
}

/* Finds the regions whose calls others may wait for, which is known only when they have waited. */
static bool find_posting(struct replay *replay)
{
    const struct mwa_trace *trace = replay->trace;

    replay->may_post = calloc(trace->region_count + 1, sizeof *replay->may_post);
    for (uint64_t i = 0; replay->may_post && i < trace->region_count; i++) {
        unsigned call = trace->regions[i].call;

        replay->may_post[i] = mw_call_means(call, MW_AWAITED) ||
                              mw_call_means(call, MW_NEIGHBORS) || mw_call_moves_messages(call) ||
                              (call < MW_CALL_COUNT && mw_call_group(call) == MW_GROUP_COLL);
    }
    return replay->may_post != NULL;
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct replay *replay = calloc(1, sizeof *replay);

    if (replay) {
        *replay = (struct replay){ .trace = trace,
                                   .slot = slot,
                                   .snapshots = { .size = sizeof(struct snapshot) },
                                   .gatherings = { .size = sizeof(struct mwa_gathering) } };
        mwa_path_tree_init(&replay->paths);
        replay->tracks = calloc(trace->location_count + 1, sizeof *replay->tracks);
    }
    if (!replay || !replay->tracks || !find_posting(replay)) {
        destroy(replay);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        replay->tracks[i].paths = &replay->paths;
        replay->tracks[i].rank = trace->locations[i].rank;
        replay->tracks[i].outside = (uint32_t)trace->region_count;
    }
    *analysis = replay;
    return MW_OK;
}

/* The index of call's region; the number of regions stands for none. */
static uint32_t region_of(const struct replay *replay, const struct mwa_exchange_call *call)
{
    return (uint32_t)(call->region ? (uint64_t)(call->region - replay->trace->regions)
                                   : replay->trace->region_count);
}

static enum mw_status take_waypoint_in(void *user, uint32_t location,
                                       const struct mwa_waypoint *waypoint)
{
    struct replay *replay = user;

    return mwa_is_main_thread(replay->trace, location)
               ? mwa_ideal_track_tell(&replay->tracks[location], waypoint)
               : MW_OK;
}

/* Whether anybody may ask for the state at a call's beginning. */
static bool may_be_asked(const struct replay *replay, const struct mwa_exchange_call *call)
{
    /* A non-blocking collective is joined only when it completes. */
    return call->begun || call->joined ||
           (call->region && replay->may_post[call->region - replay->trace->regions]);
}

static enum mw_status take_snapshot(struct replay *replay, const struct mwa_ideal_track *track,
                                    struct mwa_exchange_call *call)
{
    struct snapshot *snapshot;

    if (!may_be_asked(replay, call)) {
        return MW_OK;
    }
    snapshot = mwa_pool_take_sized(&replay->snapshots, sizeof *snapshot);
    if (snapshot) {
        snapshot->clocks = mwa_ideal_track_clocks(track);
        snapshot->path = mwa_path_hold(track->path);
        call->note[replay->slot] = (uintptr_t)snapshot;
    }
    return snapshot ? MW_OK : MW_ERROR_MEMORY;
}

static bool is_main(struct replay *replay, const struct mwa_exchange_call *call)
{
    const struct mwa_location *location = &replay->trace->locations[call->location];

    if (location->master) {
        return true;
    }
    replay->threads |= call->begun || call->joined || call->receive_count > 0 || call->finished;
    return false;
}

static enum mw_status begin_call(void *user, struct mwa_exchange_call *call)
{
    struct replay *replay = user;
    struct mwa_ideal_track *track = &replay->tracks[call->location];
    enum mw_status status;

    if (!is_main(replay, call)) {
        return MW_OK;
    }
    /* With a call that takes no time, what is told at the same time may not be read yet. */
    status = mwa_ideal_track_reach(track, call->enter, call->leave > call->enter);
    if (status == MW_OK) {
        status = mwa_ideal_track_call(track, mwa_trace_place(replay->trace, call->site));
    }
    if (status == MW_OK && call->region && call->region->kind == MWA_REGION_FINALIZE &&
        track->running) {
        mwa_ideal_track_end_run(track);
    }
    if (status == MW_OK && call->opens_chapter) {
        status = mwa_ideal_track_open(track);
    }
    if (call->closes_chapter) {
        mwa_ideal_track_close(track);
    }
    track->in_call = true;
    track->useful_in_call = 0;
    return status == MW_OK && track->running ? take_snapshot(replay, track, call) : status;
}

/* What a call waits for: who began it last. */
struct cause {
    uint64_t time; /* at least the call's enter */
    uint32_t rank;
    const struct snapshot *snapshot; /* null: it does not wait */
};

static void may_be_cause(struct cause *cause, const struct mwa_exchange_call *begun,
                         const struct mwa_exchange_call *call, const struct snapshot *snapshot)
{
    if (snapshot && begun->enter > cause->time && begun->enter <= call->leave) {
        *cause = (struct cause){ .time = begun->enter,
                                 .rank = begun->rank,
                                 .snapshot = snapshot };
    }
}

static void take_message_sent(struct replay *replay, struct mwa_ideal_track *track,
                              const struct mwa_exchange_call *call,
                              const struct mwa_message *message, struct cause *cause)
{
    const struct snapshot *sent = kept_of(replay, message->send);

    if (sent) {
        track->clock = sent->clocks.first > track->clock ? sent->clocks.first : track->clock;
        may_be_cause(cause, message->send, call, sent);
    }
}

/* Those that it receives, or the one that a probe found. */
static void take_messages(struct replay *replay, struct mwa_ideal_track *track,
                          const struct mwa_exchange_call *call, struct cause *cause)
{
    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        take_message_sent(replay, track, call, message, cause);
    }
    if (call->found) {
        take_message_sent(replay, track, call, call->found, cause);
    }
}

static struct mwa_words clocks_of_member(const struct mwa_member *member, void *user)
{
    const struct snapshot *snapshot = kept_of(user, member->begin);

    return snapshot ? snapshot->clocks : (struct mwa_words){ 0 };
}

static struct mwa_gathering *gathering_of(struct replay *replay,
                                          struct mwa_collective *collective)
{
    uint64_t *note = &collective->members[0].note[replay->slot];

    if (*note == 0) {
        *note = (uintptr_t)mwa_pool_take(&replay->gatherings);
    }
    return (struct mwa_gathering *)(uintptr_t)*note;
}

static enum mw_status take_collectives(struct replay *replay, struct mwa_ideal_track *track,
                                       const struct mwa_exchange_call *call, struct cause *cause)
{
    for (const struct mwa_member *member = call->finished; member;
         member = member->next_finished) {
        struct mwa_collective *collective = member->collective;
        struct mwa_gathering *gathering = gathering_of(replay, collective);
        struct mwa_dependence dependence;

        if (!gathering) {
            return MW_ERROR_MEMORY;
        }
        dependence = mwa_dependence_of(collective, (uint32_t)(member - collective->members),
                                       clocks_of_member, replay, gathering);
        mwa_ideal_track_wait(track, dependence.words);
        if (dependence.latest != MWA_NONE) {
            const struct mwa_exchange_call *begun = collective->members[dependence.latest].begin;

            may_be_cause(cause, begun, call, kept_of(replay, begun));
        }
    }
    return MW_OK;
}

/* The call is over: the path to here comes from the cause, if there is one. */
static enum mw_status go_on(struct replay *replay, struct mwa_ideal_track *track,
                            const struct mwa_exchange_call *call, const struct cause *cause)
{
    uint64_t ticks = call->leave - cause->time;

    if (cause->snapshot) {
        if (!mwa_path_hop(&replay->paths, &track->path, cause->snapshot->path)) {
            return MW_ERROR_MEMORY;
        }
    } else {
        ticks -= track->useful_in_call < ticks ? track->useful_in_call : ticks;
    }
    return mwa_ideal_track_spend(track, region_of(replay, call), ticks);
}

/*
 * Late receivers (Scalasca Late Receiver): a call that completes sends, entered at E and left at L,
 * waited if a receive was posted in between; one that completes an end of a message or a part of an
 * operation may have waited for another's call (mwa_awaited_progress, mwa_visit_completions); and
 * members of some collectives for the last (mwa_awaited_last). That is known long after the path
 * has gone on behind L. So there is a joint at L; when it is told, the path comes there by the
 * other rank's up to where that posted, or entered, and spends the time from there to L in the
 * call, if that was later than what is known at L.
 */
static enum mw_status make_joint(struct replay *replay, struct mwa_ideal_track *track,
                                 struct mwa_exchange_call *call, const struct cause *cause,
                                 uint64_t latest_sent)
{
    struct snapshot *kept = kept_of(replay, call);

    if (!kept) {
        kept = mwa_pool_take_sized(&replay->snapshots, sizeof *kept);
        call->note[replay->slot] = (uintptr_t)kept;
    }
    if (kept) {
        kept->latest_sent = latest_sent;
        kept->awaited = cause->snapshot ? cause->time : 0;
        kept->other = cause->rank;
    }
    return kept && mwa_path_joint_make(&replay->paths, &kept->joint, &track->path)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

/* The path to the end of call comes from the beginning of other, unless it has come from later. */
static enum mw_status lead(struct replay *replay, const struct mwa_exchange_call *call,
                           const struct mwa_exchange_call *other)
{
    struct snapshot *kept = kept_of(replay, call);
    const struct snapshot *from = kept_of(replay, other);
    struct mwa_path_node *before = NULL;

    if (!kept || !kept->joint.node || !from || !from->path || other->enter <= call->enter ||
        other->enter >= call->leave ||
        other->enter + (other->rank < kept->other) <= kept->awaited) {
        return MW_OK;
    }
    if (!mwa_path_hop(&replay->paths, &before, from->path) ||
        !mwa_path_spend(&replay->paths, &before, region_of(replay, call), call->rank,
                        call->leave - other->enter)) {
        return MW_ERROR_MEMORY;
    }
    mwa_path_joint_lead(&replay->paths, &kept->joint, before);
    kept->awaited = other->enter;
    kept->other = other->rank;
    return MW_OK;
}

/* The same, if call, which completes an end of message (null: of none), is seen to wait for it. */
static enum mw_status lead_by_message(struct replay *replay, const struct mwa_message *message,
                                      const struct mwa_exchange_call *call,
                                      const struct mwa_exchange_call *other)
{
    const struct snapshot *kept = kept_of(replay, call);

    return kept && other && mwa_is_seen_to_wait(call, kept->latest_sent, other, message)
               ? lead(replay, call, other)
               : MW_OK;
}

static enum mw_status lead_from_progress(struct replay *replay, const struct mwa_message *message,
                                         const struct mwa_exchange_call *call)
{
    return call ? lead_by_message(replay, message, call, mwa_awaited_progress(message, call))
                : MW_OK;
}

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    struct replay *replay = user;
    enum mw_status status = MW_OK;

    if (message->send_completion && mwa_send_needs_receive(message)) {
        status = lead_by_message(replay, message, message->send_completion, message->receive);
    }
    if (status == MW_OK) {
        status = lead_from_progress(replay, message, message->send_completion);
    }
    return status == MW_OK ? lead_from_progress(replay, message, message->receive_completion)
                           : status;
}

static enum mw_status unite_paths(struct replay *replay)
{
    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        if (!mwa_path_unite(&replay->paths, replay->tracks[i].path)) {
            return MW_ERROR_MEMORY;
        }
    }
    mwa_path_end_round(&replay->paths);
    return MW_OK;
}

/* Whether it may turn out to have waited when its messages and collectives are told. */
static bool may_turn_out(const struct mwa_exchange_call *call)
{
    bool may = call->completed != NULL;

    for (const struct mwa_message *message = call->received; message && !may;
         message = message->next_received) {
        may = mwa_may_await_progress(message, call);
    }
    for (const struct mwa_member *member = call->finished; member && !may;
         member = member->next_finished) {
        may = mwa_may_await_members(member->collective);
    }
    return may && !mwa_never_waits(call);
}

static enum mw_status complete_call(struct replay *replay, struct mwa_ideal_track *track,
                                    struct mwa_exchange_call *call)
{
    struct cause cause = { .time = call->enter };
    uint64_t latest_sent;
    enum mw_status status;

    take_messages(replay, track, call, &cause);
    latest_sent = cause.time;
    status = take_collectives(replay, track, call, &cause);
    if (mwa_never_waits(call)) {
        cause = (struct cause){ .time = call->enter };
    }
    if (status == MW_OK) {
        status = go_on(replay, track, call, &cause);
    }
    if (status == MW_OK && may_turn_out(call)) {
        status = make_joint(replay, track, call, &cause, latest_sent);
    }
    return status == MW_OK && mwa_path_is_time(&replay->paths) ? unite_paths(replay) : status;
}

static enum mw_status end_call(void *user, struct mwa_exchange_call *call)
{
    struct replay *replay = user;
    struct mwa_ideal_track *track = &replay->tracks[call->location];
    enum mw_status status;

    if (!is_main(replay, call)) {
        return MW_OK;
    }
    status = mwa_ideal_track_reach(track, call->leave, false);
    track->in_call = false;
    track->stretch = 0; /* of functions that MPI has called */
    if (call->closes_chapter) {
        mwa_region_clocks_reach_seam(&track->regions);
    }
    if (status != MW_OK) {
        return status;
    }
    if (call->region && call->region->kind == MWA_REGION_INIT) {
        return mwa_ideal_track_begin_run(track);
    }
    return track->running ? complete_call(replay, track, call) : MW_OK;
}

/* Nobody asks for the state at the call's beginning any more. */
static void forget_call(void *user, struct mwa_exchange_call *call)
{
    struct replay *replay = user;
    struct snapshot *snapshot = kept_of(replay, call);

    if (snapshot) {
        mwa_path_drop(&replay->paths, snapshot->path);
        mwa_path_joint_drop(&replay->paths, &snapshot->joint);
        mwa_pool_give(&replay->snapshots, snapshot);
        call->note[replay->slot] = 0;
    }
}

static enum mw_status lead_from_completion(void *user, struct mwa_exchange_call *call,
                                           const struct mwa_exchange_call *awaited)
{
    return lead_by_message(user, NULL, call, awaited);
}

static enum mw_status end_collective(void *user, struct mwa_collective *collective)
{
    struct replay *replay = user;
    uint64_t *gathering = &collective->members[0].note[replay->slot];
    const struct mwa_member *last = mwa_awaited_last(collective);
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; last && i < collective->count && status == MW_OK; i++) {
        if (&collective->members[i] != last) {
            status = lead(replay, collective->members[i].end, last->begin);
        }
    }
    status = status == MW_OK ? mwa_visit_completions(collective, lead_from_completion, replay)
                             : status;
    if (*gathering) {
        mwa_pool_give(&replay->gatherings, (void *)(uintptr_t)*gathering);
        *gathering = 0;
    }
    return status;
}

/* --- chapters --------------------------------------------------------------------------------- */

static enum mw_status append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct replay *replay = analysis;
    struct replay *from = later;
    enum mw_status status = MW_OK;
    struct mwa_words latest = { 0 };

    replay->threads |= from->threads;
    for (uint64_t i = 0; i < replay->trace->location_count && status == MW_OK; i++) {
        struct mwa_ideal_track *track = &replay->tracks[i];

        latest = track->is_closed ? mwa_greatest(latest, mwa_ideal_track_clocks(track)) : latest;
        status = mwa_ideal_track_finish(track);
        if (status == MW_OK) {
            status = mwa_ideal_track_finish(&from->tracks[i]);
        }
    }
    if (status != MW_OK || !mwa_path_tree_join(&replay->paths, &from->paths)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < replay->trace->location_count && status == MW_OK; i++) {
        status = mwa_ideal_track_append(&replay->tracks[i], &from->tracks[i], latest);
    }
    return status == MW_OK ? unite_paths(replay) : status;
}

static void pack(void *analysis, struct mw_buffer *to)
{
    struct replay *replay = analysis;
    const uint64_t count = replay->trace->location_count;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = mwa_ideal_track_finish(&replay->tracks[i]);
    }
    to->failed |= status != MW_OK || unite_paths(replay) != MW_OK; /* so that they are few */
    mw_buffer_u32(to, replay->threads);
    mwa_ideal_tracks_pack(replay->tracks, count, to);
}

static enum mw_status unpack(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from)
{
    struct replay *replay = analysis;
    char threads[sizeof(uint32_t)];

    if (!mw_cursor_take(from, threads, sizeof threads)) {
        return MW_ERROR_FORMAT;
    }
    replay->threads = mw_get_u32(threads) > 0;
    return mwa_ideal_tracks_unpack(replay->tracks, replay->trace->location_count, from);
}

/* --- the result --------------------------------------------------------------------------- */

static enum mw_status finish(void *analysis, void *result)
{
    struct replay *replay = analysis;
    struct mwa_replay_result *to = result;
    const struct mwa_trace *trace = replay->trace;
    const struct mwa_ideal_track *last;
    enum mw_status status = MW_OK;

    *to = (struct mwa_replay_result){ .ideal = { .rank_count = trace->rank_count } };
    to->region_ticks = calloc(trace->region_count + 1, sizeof *to->region_ticks);
    to->rank_ticks = calloc(trace->rank_count + 1, sizeof *to->rank_ticks);
    if (!to->region_ticks || !to->rank_ticks) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        status = mwa_ideal_track_finish(&replay->tracks[i]);
    }
    status = status == MW_OK ? mwa_ideal_tracks_sum(replay->tracks, trace, &to->ideal, &last)
                             : status;
    if (status != MW_OK) {
        return status;
    }
    to->has_run = last != NULL;
    to->threads = replay->threads;
    status = mwa_ideal_tracks_stretches(replay->tracks, trace, &to->stretches, &to->stretch_count);
    if (last && status == MW_OK) {
        to->end_rank = last->rank;
        to->hops = mwa_path_sum(last->path, to->region_ticks, trace->region_count + 1,
                                to->rank_ticks, trace->rank_count);
    }
    return status;
}

void mwa_replay_result_fini(struct mwa_replay_result *result)
{
    mwa_ideal_fini(&result->ideal);
    free(result->stretches);
    free(result->region_ticks);
    free(result->rank_ticks);
    *result = (struct mwa_replay_result){ 0 };
}

const struct mwa_exchange_analysis mwa_replay_analysis = {
    .name = "replay",
    .create = create,
    .listener = { .begin = begin_call,
                  .end = end_call,
                  .message = take_message,
                  .collective = end_collective,
                  .gone = forget_call },
    .waypoint = take_waypoint_in,
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
