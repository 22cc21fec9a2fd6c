/*
 * One clock per rank is enough, as nothing on an ideal network takes time but computing and
 * waiting: calls are taken in the order of who waits for whom, which the exchange engine keeps, and
 * regions as the pass meets them.
 */
#include "analyzer/analysis/efficiency/ideal_replay.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/ideal_chapters.h"
#include "analyzer/analysis/efficiency/ideal_tape.h"
#include "analyzer/analysis/efficiency/path_joints.h"
#include "analyzer/load/reading_start.h"
#include "analyzer/model/needs.h"

struct replay {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_ideal_track *tracks; /* per location, used for main threads */
    struct mwa_joints joints;
    struct mwa_pool gatherings;
    struct mwa_tape *tape; /* of a chapter that begins at a lull; else null */
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
    mwa_tape_destroy(replay->tape);
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
        replay->tracks[i].number = (uint32_t)i + 1;
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

static enum mw_status take_snapshot(struct replay *replay, struct mwa_ideal_track *track,
                                    struct mwa_exchange_call *call)
{
    struct mwa_snapshot *snapshot;

    if (!may_be_asked(replay, call)) {
        return MW_OK;
    }
    snapshot = mwa_joints_keep(&replay->joints, call);
    if (!snapshot) {
        return MW_ERROR_MEMORY;
    }
    snapshot->path = mwa_path_hold(track->path);
    return mwa_ideal_keep(track, &snapshot->clocks);
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

/* A call, at place, opens a chapter where all meet, or goes on in one. */
static enum mw_status open_with(struct mwa_ideal_track *track, const struct mwa_exchange_call *call,
                                uint32_t place)
{
    const enum mw_status status = mwa_ideal_track_call(track, place);

    return status == MW_OK && call->opens_chapter ? mwa_ideal_track_open(track) : status;
}

static enum mw_status begin_call(void *user, struct mwa_exchange_call *call)
{
    struct replay *replay = user;
    struct mwa_ideal_track *track = &replay->tracks[call->location];
    const uint32_t place = mwa_trace_place(replay->trace, call->entered_at);
    const bool opens_at_lull = replay->tape && !track->tape;
    enum mw_status status = MW_OK;

    if (!is_main(replay, call)) {
        return MW_OK;
    }
    if (opens_at_lull) {
        status = mwa_ideal_track_open_at_lull(track, call, place, replay->tape);
    }
    /* With a call that takes no time, what is told at the same time may not be read yet. */
    if (status == MW_OK) {
        status = mwa_ideal_track_reach(track, call->enter, call->leave > call->enter);
    }
    if (status == MW_OK && !opens_at_lull) {
        status = open_with(track, call, place);
    }
    if (status == MW_OK && call->region && call->region->kind == MWA_REGION_FINALIZE &&
        track->running) {
        status = mwa_ideal_track_end_run(track);
    }
    if (call->closes_chapter) {
        mwa_ideal_track_close(track);
    }
    track->in_call = true;
    track->in_row = call->is_row;
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

static enum mw_status take_message_sent(struct replay *replay, struct mwa_ideal_track *track,
                                        const struct mwa_exchange_call *call,
                                        const struct mwa_message *message, struct cause *cause)
{
    const struct mwa_snapshot *sent = mwa_joints_kept(&replay->joints, message->send);

    if (!sent) {
        return MW_OK;
    }
    may_be_cause(cause, message->send, call, sent);
    return mwa_ideal_receive(track, sent->clocks);
}

/* Those that it receives, or the one that a probe found. */
static enum mw_status take_messages(struct replay *replay, struct mwa_ideal_track *track,
                                    const struct mwa_exchange_call *call, struct cause *cause)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_message *message = call->received; message && status == MW_OK;
         message = message->next_received) {
        status = take_message_sent(replay, track, call, message, cause);
    }
    return call->found && status == MW_OK
               ? take_message_sent(replay, track, call, call->found, cause)
               : status;
}

/* The clocks of members that are waited for, as they are asked for them. */
struct asking {
    struct replay *replay;
    struct mwa_words all; /* of each the latest */
    enum mw_status status;
};

static struct mwa_words ask_member(const struct mwa_member *member, void *user)
{
    struct asking *asking = user;
    const struct mwa_snapshot *snapshot =
        mwa_joints_kept(&asking->replay->joints, member->begin);

    if (snapshot && asking->status == MW_OK) {
        asking->status = mwa_ideal_gather(asking->replay->tape, snapshot->clocks, &asking->all);
    }
    return asking->all;
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

/* Track waits in call for those of a collective that member does. */
static enum mw_status take_collective(struct replay *replay, struct mwa_ideal_track *track,
                                      const struct mwa_exchange_call *call,
                                      const struct mwa_member *member, struct cause *cause)
{
    struct mwa_collective *collective = member->collective;
    struct mwa_gathering *gathering = gathering_of(replay, collective);
    struct asking asking = { .replay = replay };
    struct mwa_dependence dependence;
    enum mw_status status;

    if (!gathering) {
        return MW_ERROR_MEMORY;
    }
    dependence = mwa_dependence_of(collective, (uint32_t)(member - collective->members),
                                   ask_member, &asking, gathering);
    status = asking.status == MW_OK ? mwa_ideal_wait(track, dependence.words) : asking.status;
    if (gathering->of[0].words.first != asking.all.first &&
        gathering->of[1].words.first != asking.all.first) {
        mwa_ideal_forget(replay->tape, asking.all);
    }
    if (dependence.latest != MWA_NONE) {
        const struct mwa_exchange_call *begun = collective->members[dependence.latest].begin;

        may_be_cause(cause, begun, call, mwa_joints_kept(&replay->joints, begun));
    }
    return status;
}

static enum mw_status take_collectives(struct replay *replay, struct mwa_ideal_track *track,
                                       const struct mwa_exchange_call *call, struct cause *cause)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_member *member = call->finished; member && status == MW_OK;
         member = member->next_finished) {
        status = take_collective(replay, track, call, member, cause);
    }
    return status;
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
    enum mw_status status = take_messages(replay, track, call, &cause);

    latest_sent = cause.time;
    if (status == MW_OK) {
        status = take_collectives(replay, track, call, &cause);
    }
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
    track->in_row = false;
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
    if (!track->running) {
        return MW_OK;
    }
    mwa_ideal_track_polled(track, call);
    return complete_call(replay, track, call);
}

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    struct replay *replay = user;

    return mwa_joints_lead_message(&replay->joints, message);
}

static void forget_call(void *user, struct mwa_exchange_call *call)
{
    struct replay *replay = user;
    const struct mwa_snapshot *snapshot = mwa_joints_kept(&replay->joints, call);

    if (snapshot) {
        mwa_ideal_forget(replay->tape, snapshot->clocks);
        mwa_joints_forget(&replay->joints, call);
    }
}

static enum mw_status end_collective(void *user, struct mwa_collective *collective)
{
    struct replay *replay = user;
    uint64_t *note = &collective->members[0].note[replay->slot];
    struct mwa_gathering *gathering = (struct mwa_gathering *)(uintptr_t)*note;
    const enum mw_status status = mwa_joints_lead_collective(&replay->joints, collective);

    if (gathering) {
        mwa_ideal_forget(replay->tape, gathering->of[0].words);
        mwa_ideal_forget(replay->tape, gathering->of[1].words);
        mwa_pool_give(&replay->gatherings, gathering);
        *note = 0;
    }
    return status;
}

/* --- chapters --------------------------------------------------------------------------------- */

static enum mw_status carry(void *analysis, const struct mwa_reading_start *start,
                            const struct mwa_reading_start *next)
{
    struct replay *replay = analysis;
    const uint64_t count = replay->trace->location_count;

    for (uint64_t i = 0; next && next->is_lull && i < count; i++) {
        replay->tracks[i].goes_on = next->locations[i].is_there;
        replay->tracks[i].next_enter = next->locations[i].first.enter;
    }
    for (uint64_t i = 0; start && start->is_lull && i < count; i++) {
        replay->tracks[i].regions_before = start->locations[i].call_count;
    }
    if (start && start->is_lull) {
        replay->tape = mwa_tape_create(count + 1);
        return replay->tape ? MW_OK : MW_ERROR_MEMORY;
    }
    return MW_OK;
}

static bool can_be_appended(const void *analysis, bool is_last)
{
    const struct replay *replay = analysis;

    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        if (replay->tracks[i].begins_again) {
            return false;
        }
    }
    return true;
}

static void remember(const void *analysis, struct mw_buffer *to)
{
    const struct replay *replay = analysis;

    mwa_ideal_tracks_remember(replay->tracks, replay->trace->location_count, to);
}

static enum mw_status finish_tracks(const struct replay *replay)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < replay->trace->location_count && status == MW_OK; i++) {
        status = mwa_ideal_track_finish(&replay->tracks[i]);
    }
    return status;
}

/* The latest clock and the latest free clock of those that the chapter has closed. */
static struct mwa_words latest_closed(const struct replay *replay)
{
    struct mwa_words latest = { 0 };

    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        latest = replay->tracks[i].is_closed ? mwa_greatest(latest, replay->tracks[i].clocks)
                                             : latest;
    }
    return latest;
}

static enum mw_status append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct replay *replay = analysis;
    struct replay *from = later;
    const uint64_t count = replay->trace->location_count;
    const struct mwa_words latest = latest_closed(replay);
    enum mw_status status = finish_tracks(replay);

    replay->threads |= from->threads;
    status = status == MW_OK ? finish_tracks(from) : status;
    if (status != MW_OK || !mwa_path_tree_join(&replay->joints.paths, &from->joints.paths)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = seam->is_lull
                     ? mwa_ideal_track_append_at_lull(&replay->tracks[i], &from->tracks[i])
                     : mwa_ideal_track_append(&replay->tracks[i], &from->tracks[i], latest);
    }
    if (status == MW_OK && from->tape) {
        status = mwa_ideal_tape_play(from->tape, replay->tracks, count);
    }
    return status == MW_OK ? unite_paths(replay) : status;
}

static void pack(void *analysis, struct mw_buffer *to)
{
    struct replay *replay = analysis;
    const uint64_t count = replay->trace->location_count;

    to->failed |= finish_tracks(replay) != MW_OK ||
                  unite_paths(replay) != MW_OK; /* so that they are few */
    mw_buffer_u32(to, replay->threads);
    mwa_ideal_tracks_pack(replay->tracks, count, to);
    mwa_tape_pack(replay->tape, to);
}

static enum mw_status unpack(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from)
{
    struct replay *replay = analysis;
    const uint64_t count = replay->trace->location_count;
    char threads[sizeof(uint32_t)];
    enum mw_status status;

    if (!mw_cursor_take(from, threads, sizeof threads)) {
        return MW_ERROR_FORMAT;
    }
    replay->threads = mw_get_u32(threads) > 0;
    status = mwa_ideal_tracks_unpack(replay->tracks, count, replay->trace->site_count,
                                     from);
    return status == MW_OK ? mwa_ideal_tape_unpack(&replay->tape, count,
                                                   replay->trace->region_count, from)
                           : status;
}

/* --- the result --------------------------------------------------------------------------- */

static enum mw_status finish(void *analysis, void *result)
{
    struct replay *replay = analysis;
    struct mwa_replay_result *to = result;
    const struct mwa_trace *trace = replay->trace;
    const struct mwa_ideal_track *last;
    enum mw_status status;

    *to = (struct mwa_replay_result){ .ideal = { .rank_count = trace->rank_count } };
    to->region_ticks = calloc(trace->region_count + 1, sizeof *to->region_ticks);
    to->rank_ticks = calloc(trace->rank_count + 1, sizeof *to->rank_ticks);
    if (!to->region_ticks || !to->rank_ticks) {
        return MW_ERROR_MEMORY;
    }
    status = finish_tracks(replay);
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
    .can_be_appended = can_be_appended,
    .carry = carry,
    .remember = remember,
    .is_too_much = mwa_ideal_tracks_tied,
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
