/*
 * One clock per rank is enough, as nothing on an ideal network takes time but computing and
 * waiting: calls are taken in the order of who waits for whom, which the exchange engine keeps, and
 * regions as the pass meets them.
 */
#include "analyzer/analysis/efficiency/ideal_replay.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/ideal_track.h"
#include "analyzer/analysis/efficiency/path_joints.h"
#include "analyzer/model/needs.h"

struct replay {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_ideal_track *tracks; /* per location, used for main threads */
    struct mwa_joints joints;
    struct mwa_pool gatherings;
    bool *may_post; /* by region: whether others may turn out to wait for its calls */
    bool threads; /* others than main threads exchanged something */
};

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
    mwa_pool_fini(&replay->gatherings);
    mwa_joints_fini(&replay->joints);
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
                                   .gatherings = { .size = sizeof(struct mwa_gathering) } };
        mwa_joints_init(&replay->joints, trace, slot);
        replay->tracks = calloc(trace->location_count + 1, sizeof *replay->tracks);
    }
    if (!replay || !replay->tracks || !find_posting(replay)) {
        destroy(replay);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        replay->tracks[i].paths = &replay->joints.paths;
        replay->tracks[i].rank = trace->locations[i].rank;
        replay->tracks[i].outside = (uint32_t)trace->region_count;
    }
    *analysis = replay;
    return MW_OK;
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
    struct mwa_snapshot *snapshot;

    if (!may_be_asked(replay, call)) {
        return MW_OK;
    }
    snapshot = mwa_joints_keep(&replay->joints, call);
    if (snapshot) {
        snapshot->clocks = mwa_ideal_track_clocks(track);
        snapshot->path = mwa_path_hold(track->path);
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
        status = mwa_ideal_track_call(track, mwa_trace_place(replay->trace, call->entered_at));
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
    const struct mwa_snapshot *snapshot; /* null: it does not wait */
};

static void may_be_cause(struct cause *cause, const struct mwa_exchange_call *begun,
                         const struct mwa_exchange_call *call, const struct mwa_snapshot *snapshot)
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
    const struct mwa_snapshot *sent = mwa_joints_kept(&replay->joints, message->send);

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
    const struct mwa_snapshot *snapshot = mwa_joints_kept(user, member->begin);

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
                                       clocks_of_member, &replay->joints, gathering);
        mwa_ideal_track_wait(track, dependence.words);
        if (dependence.latest != MWA_NONE) {
            const struct mwa_exchange_call *begun = collective->members[dependence.latest].begin;

            may_be_cause(cause, begun, call, mwa_joints_kept(&replay->joints, begun));
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
        if (!mwa_path_hop(&replay->joints.paths, &track->path, cause->snapshot->path)) {
            return MW_ERROR_MEMORY;
        }
    } else {
        ticks -= track->useful_in_call < ticks ? track->useful_in_call : ticks;
    }
    return mwa_ideal_track_spend(track, mwa_joints_region(&replay->joints, call), ticks);
}

static enum mw_status unite_paths(struct replay *replay)
{
    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        if (!mwa_path_unite(&replay->joints.paths, replay->tracks[i].path)) {
            return MW_ERROR_MEMORY;
        }
    }
    mwa_path_end_round(&replay->joints.paths);
    return MW_OK;
}

static enum mw_status complete_call(struct replay *replay, struct mwa_ideal_track *track,
                                    struct mwa_exchange_call *call)
{
    struct mwa_joints *joints = &replay->joints;
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
    if (status == MW_OK && mwa_may_turn_out(call)) {
        status = mwa_joints_make(joints, call, latest_sent, cause.snapshot ? cause.time : 0,
                                 cause.rank, &track->path);
    }
    return status == MW_OK && mwa_path_is_time(&joints->paths) ? unite_paths(replay) : status;
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

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    struct replay *replay = user;

    return mwa_joints_lead_message(&replay->joints, message);
}

static void forget_call(void *user, struct mwa_exchange_call *call)
{
    struct replay *replay = user;

    mwa_joints_forget(&replay->joints, call);
}

static enum mw_status end_collective(void *user, struct mwa_collective *collective)
{
    struct replay *replay = user;
    uint64_t *gathering = &collective->members[0].note[replay->slot];
    const enum mw_status status = mwa_joints_lead_collective(&replay->joints, collective);

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
    if (status != MW_OK || !mwa_path_tree_join(&replay->joints.paths, &from->joints.paths)) {
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
                  .gone = forget_call,
                  .may_lag = true },
    .waypoint = take_waypoint_in,
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
