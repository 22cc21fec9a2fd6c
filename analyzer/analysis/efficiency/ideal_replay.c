/*
 * One clock per rank is enough, as nothing on an ideal network takes time but
 * computing and waiting: calls are taken in the order of who waits for whom, which
 * the exchange engine keeps, and regions as the pass meets them.
 */
#include "analyzer/analysis/efficiency/ideal_replay.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/ideal_replay_internal.h"

static void destroy(void *analysis)
{
    struct mwa_replay *replay = analysis;

    if (!replay) {
        return;
    }
    for (uint64_t i = 0; replay->tracks && i < replay->trace->location_count; i++) {
        free(replay->tracks[i].open);
        free(replay->tracks[i].ahead.list);
    }
    free(replay->tracks);
    free(replay->may_post);
    mwa_map_fini(&replay->regions);
    free(replay->spent);
    mwa_pool_fini(&replay->snapshots);
    mwa_pool_fini(&replay->gatherings);
    mwa_path_tree_fini(&replay->paths);
    free(replay);
}

/* Whether it may begin a collective, on a neighbourhood perhaps. */
static bool is_collective(unsigned call)
{
    return call < MW_CALL_COUNT &&
           (mw_call_group(call) == MW_GROUP_COLL || mw_call_means(call, MW_NEIGHBORS));
}

/* Finds the regions whose calls others may wait for, which is known only when they have waited. */
static bool find_posting(struct mwa_replay *replay)
{
    const struct mwa_trace *trace = replay->trace;

    replay->may_post = calloc(trace->region_count + 1, sizeof *replay->may_post);
    for (uint64_t i = 0; replay->may_post && i < trace->region_count; i++) {
        unsigned call = trace->regions[i].call;

        replay->may_post[i] = mw_call_means(call, MW_AWAITED) || is_collective(call);
    }
    return replay->may_post != NULL;
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct mwa_replay *replay = calloc(1, sizeof *replay);

    if (replay) {
        *replay = (struct mwa_replay){ .trace = trace,
                                       .slot = slot,
                                       .snapshots = { .size = sizeof(struct mwa_snapshot) },
                                       .gatherings = { .size = sizeof(struct mwa_gathering) } };
        mwa_path_tree_init(&replay->paths);
        replay->tracks = calloc(trace->location_count + 1, sizeof *replay->tracks);
    }
    for (uint64_t i = 0; replay && replay->tracks && i < trace->location_count; i++) {
        replay->tracks[i].spent = UINT64_MAX;
    }
    if (!replay || !replay->tracks || !find_posting(replay)) {
        destroy(replay);
        return MW_ERROR_MEMORY;
    }
    *analysis = replay;
    return MW_OK;
}

/* Ticks on the path to where track is, in region (its index, or the number of regions). */
static enum mw_status spend(struct mwa_replay *replay, struct mwa_track *track, uint32_t region,
                            uint64_t ticks)
{
    uint32_t rank = MWA_KEY_RANKS + mwa_replay_rank(replay, track);
    bool fine = mwa_path_spend(&replay->paths, &track->path, region, ticks) &&
                mwa_path_spend(&replay->paths, &track->path, rank, ticks);

    return fine ? MW_OK : MW_ERROR_MEMORY;
}

/* Useful ticks: on the ideal network they take as long. */
static enum mw_status compute(struct mwa_replay *replay, struct mwa_track *track, uint64_t ticks)
{
    uint32_t region = track->depth > 0 ? track->open[track->depth - 1].region
                                       : (uint32_t)replay->trace->region_count;

    if (!track->running || ticks == 0) {
        return MW_OK;
    }
    track->clock += ticks;
    return spend(replay, track, region, ticks);
}

static enum mw_status pass_time(struct mwa_replay *replay, struct mwa_track *track, uint64_t time)
{
    uint64_t ticks = time > track->at ? time - track->at : 0;

    track->at += ticks;
    return track->in_call ? MW_OK : compute(replay, track, ticks);
}

/* Adds what the clock advanced by in an open region to the region's sum. */
static void charge_region(struct mwa_replay *replay, const struct mwa_track *track,
                          const struct mwa_open_region *open)
{
    if (open->outer && track->running) {
        replay->spent[open->spent].ticks += track->clock - open->clock;
        replay->spent[open->spent].is_told = true;
    }
}

/* The position of what track's rank spends in region; UINT64_MAX without memory. */
static uint64_t spent_in(struct mwa_replay *replay, struct mwa_track *track, uint32_t region)
{
    uint32_t rank = mwa_replay_rank(replay, track);
    uint64_t count = replay->spent_count;
    uint64_t at = mwa_map_element(&replay->regions,
                                  (struct mwa_key){ 0, (uint64_t)region << 32 | rank },
                                  &replay->spent, &replay->spent_capacity,
                                  &replay->spent_count, sizeof *replay->spent);

    if (at != MWA_MAP_ABSENT && at == count) {
        replay->spent[at] = (struct mwa_region_spent){ .region = region,
                                                       .rank = rank,
                                                       .next = track->spent };
        track->spent = at;
    }
    return at;
}

static enum mw_status enter_region(struct mwa_replay *replay, struct mwa_track *track,
                                   uint32_t region)
{
    uint64_t spent = spent_in(replay, track, region);

    if (spent == MWA_MAP_ABSENT ||
        !mwa_grow(&track->open, &track->open_capacity, track->depth + 1, sizeof *track->open)) {
        return MW_ERROR_MEMORY;
    }
    track->open[track->depth++] =
        (struct mwa_open_region){ .region = region,
                                  .outer = replay->spent[spent].open++ == 0,
                                  .spent = spent,
                                  .clock = track->clock };
    return MW_OK;
}

static void leave_region(struct mwa_replay *replay, struct mwa_track *track)
{
    if (track->depth > 0) {
        const struct mwa_open_region *open = &track->open[--track->depth];

        charge_region(replay, track, open);
        replay->spent[open->spent].open--;
    }
}

/* MPI_Init is left: what was before is not part of the run. */
static enum mw_status begin_run(struct mwa_replay *replay, struct mwa_track *track)
{
    for (uint64_t i = track->spent; i != UINT64_MAX; i = replay->spent[i].next) {
        replay->spent[i].ticks = 0;
    }
    for (uint64_t i = 0; i < track->depth; i++) {
        track->open[i].clock = 0;
    }
    track->clock = 0;
    track->running = !track->ended;
    mwa_path_drop(&replay->paths, track->path);
    track->path = mwa_path_begin(&replay->paths);
    return track->path ? MW_OK : MW_ERROR_MEMORY;
}

static void end_run(struct mwa_replay *replay, struct mwa_track *track)
{
    for (uint64_t i = 0; i < track->depth; i++) {
        charge_region(replay, track, &track->open[i]);
    }
    track->running = false;
    track->ended = true;
    track->ended_at = track->at;
}

static enum mw_status take_waypoint(struct mwa_replay *replay, struct mwa_track *track,
                                const struct mwa_waypoint *waypoint)
{
    switch (waypoint->kind) {
    case MWA_WAYPOINT_FIRST:
        track->at = waypoint->time;
        return begin_run(replay, track);
    case MWA_WAYPOINT_ENTER:
        return enter_region(replay, track, waypoint->region);
    case MWA_WAYPOINT_LEAVE:
        leave_region(replay, track);
        return MW_OK;
    case MWA_WAYPOINT_USEFUL:
        track->useful_in_call += waypoint->ticks;
        return compute(replay, track, waypoint->ticks);
    case MWA_WAYPOINT_LAST:
        if (track->running) {
            end_run(replay, track);
        }
        return MW_OK;
    }
    return MW_OK;
}

enum mw_status mwa_replay_catch_up(struct mwa_replay *replay, struct mwa_track *track,
                                     uint64_t time, bool inclusive)
{
    const struct mwa_waypoint *waypoint;
    enum mw_status status = MW_OK;

    while (status == MW_OK &&
           (waypoint = mwa_waypoints_ahead_take(&track->ahead, time, inclusive)) != NULL) {
        status = pass_time(replay, track, waypoint->time);
        if (status == MW_OK) {
            status = take_waypoint(replay, track, waypoint);
        }
    }
    return status;
}

static enum mw_status take_waypoint_in(void *user, uint32_t location,
                                       const struct mwa_waypoint *waypoint)
{
    struct mwa_replay *replay = user;
    struct mwa_track *track = &replay->tracks[location];

    if (!replay->trace->locations[location].master ||
        replay->trace->locations[location].rank == MWA_NONE) {
        return MW_OK;
    }
    return mwa_waypoints_ahead_add(&track->ahead, waypoint);
}

/* Whether anybody may ask for the state at a call's beginning. */
static bool may_be_asked(const struct mwa_replay *replay, const struct mwa_exchange_call *call)
{
    /* A non-blocking collective is joined only when it completes. */
    return call->begun || call->joined ||
           (call->region && replay->may_post[call->region - replay->trace->regions]);
}

static enum mw_status take_snapshot(struct mwa_replay *replay, const struct mwa_track *track,
                                    struct mwa_exchange_call *call)
{
    struct mwa_snapshot *snapshot;

    if (!may_be_asked(replay, call)) {
        return MW_OK;
    }
    snapshot = mwa_pool_take(&replay->snapshots);
    if (!snapshot) {
        return MW_ERROR_MEMORY;
    }
    *snapshot = (struct mwa_snapshot){ .clock = track->clock, .path = mwa_path_hold(track->path) };
    call->note[replay->slot] = (uintptr_t)snapshot;
    return MW_OK;
}

static bool is_main(struct mwa_replay *replay, const struct mwa_exchange_call *call)
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
    struct mwa_replay *replay = user;
    struct mwa_track *track = &replay->tracks[call->location];
    enum mw_status status;

    if (!is_main(replay, call)) {
        return MW_OK;
    }
    status = mwa_replay_catch_up(replay, track, call->enter, true);
    if (status == MW_OK) {
        status = pass_time(replay, track, call->enter);
    }
    if (status == MW_OK && call->region && call->region->kind == MWA_REGION_FINALIZE &&
        track->running) {
        end_run(replay, track);
    }
    track->in_call = true;
    track->useful_in_call = 0;
    return status == MW_OK && track->running ? take_snapshot(replay, track, call) : status;
}

/* What a call waits for: who began it last. */
struct cause {
    uint64_t time; /* at least the call's enter */
    const struct mwa_snapshot *snapshot; /* null: it does not wait */
};

static void may_be_cause(struct cause *cause, const struct mwa_exchange_call *begun,
                         const struct mwa_exchange_call *call, const struct mwa_snapshot *snapshot)
{
    if (begun->enter > cause->time && begun->enter <= call->leave) {
        *cause = (struct cause){ .time = begun->enter, .snapshot = snapshot };
    }
}

static void take_messages(struct mwa_replay *replay, struct mwa_track *track,
                          const struct mwa_exchange_call *call, struct cause *cause)
{
    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        const struct mwa_snapshot *sent = mwa_replay_kept(replay, message->send);

        if (sent) {
            track->clock = sent->clock > track->clock ? sent->clock : track->clock;
            may_be_cause(cause, message->send, call, sent);
        }
    }
}

static uint64_t clock_of_member(const struct mwa_member *member, void *user)
{
    const struct mwa_snapshot *snapshot = mwa_replay_kept(user, member->begin);

    return snapshot ? snapshot->clock : 0;
}

static struct mwa_gathering *gathering_of(struct mwa_replay *replay,
                                          struct mwa_collective *collective)
{
    uint64_t *note = &collective->members[0].note[replay->slot];

    if (*note == 0) {
        *note = (uintptr_t)mwa_pool_take(&replay->gatherings);
    }
    return (struct mwa_gathering *)(uintptr_t)*note;
}

static enum mw_status take_collectives(struct mwa_replay *replay, struct mwa_track *track,
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
                                       clock_of_member, replay, gathering);
        track->clock = dependence.word > track->clock ? dependence.word : track->clock;
        if (dependence.latest != MWA_NONE) {
            const struct mwa_exchange_call *begun = collective->members[dependence.latest].begin;
            const struct mwa_snapshot *snapshot = mwa_replay_kept(replay, begun);

            if (snapshot) {
                may_be_cause(cause, begun, call, snapshot);
            }
        }
    }
    return MW_OK;
}

/* The call is over: the path to here comes from the cause, if there is one. */
static enum mw_status go_on(struct mwa_replay *replay, struct mwa_track *track,
                            const struct mwa_exchange_call *call, const struct cause *cause)
{
    uint64_t ticks = call->leave - cause->time;
    uint32_t region = call->region ? (uint32_t)(call->region - replay->trace->regions)
                                   : (uint32_t)replay->trace->region_count;

    if (cause->snapshot) {
        if (!mwa_path_hop(&replay->paths, &track->path, cause->snapshot->path)) {
            return MW_ERROR_MEMORY;
        }
    } else {
        ticks -= track->useful_in_call < ticks ? track->useful_in_call : ticks;
    }
    return spend(replay, track, region, ticks);
}

static enum mw_status unite_paths(struct mwa_replay *replay)
{
    for (uint64_t i = 0; i < replay->trace->location_count; i++) {
        if (!mwa_path_unite(&replay->paths, replay->tracks[i].path)) {
            return MW_ERROR_MEMORY;
        }
    }
    mwa_path_end_round(&replay->paths);
    return MW_OK;
}

/* MPI_Test and its like do not wait. */
static bool may_wait(const struct mwa_exchange_call *call)
{
    return !call->region || !mw_call_means(call->region->call, MW_TESTS);
}

static enum mw_status complete_call(struct mwa_replay *replay, struct mwa_track *track,
                                    struct mwa_exchange_call *call)
{
    struct cause cause = { .time = call->enter };
    enum mw_status status;

    take_messages(replay, track, call, &cause);
    status = take_collectives(replay, track, call, &cause);
    if (!may_wait(call)) {
        cause = (struct cause){ .time = call->enter };
    }
    if (status == MW_OK) {
        status = go_on(replay, track, call, &cause);
    }
    if (status == MW_OK && !cause.snapshot && call->completed && may_wait(call)) {
        status = mwa_replay_make_joint(replay, track, call);
    }
    return status == MW_OK && mwa_path_is_time(&replay->paths) ? unite_paths(replay) : status;
}

static enum mw_status end_call(void *user, struct mwa_exchange_call *call)
{
    struct mwa_replay *replay = user;
    struct mwa_track *track = &replay->tracks[call->location];
    enum mw_status status;

    if (!is_main(replay, call)) {
        return MW_OK;
    }
    status = mwa_replay_catch_up(replay, track, call->leave, false);
    if (status == MW_OK) {
        status = pass_time(replay, track, call->leave);
    }
    track->in_call = false;
    if (status != MW_OK) {
        return status;
    }
    if (call->region && call->region->kind == MWA_REGION_INIT) {
        return begin_run(replay, track);
    }
    return track->running ? complete_call(replay, track, call) : MW_OK;
}

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    return mwa_replay_join_receiver(user, message);
}

/* Nobody asks for the state at the call's beginning any more. */
static void settle_call(void *user, struct mwa_exchange_call *call)
{
    struct mwa_replay *replay = user;
    struct mwa_snapshot *snapshot = mwa_replay_kept(replay, call);

    if (snapshot) {
        mwa_path_drop(&replay->paths, snapshot->path);
        mwa_path_drop(&replay->paths, snapshot->joint);
        mwa_path_drop(&replay->paths, snapshot->before);
        mwa_pool_give(&replay->snapshots, snapshot);
        call->note[replay->slot] = 0;
    }
}

static enum mw_status end_collective(void *user, struct mwa_collective *collective)
{
    struct mwa_replay *replay = user;
    uint64_t *gathering = &collective->members[0].note[replay->slot];

    if (*gathering) {
        mwa_pool_give(&replay->gatherings, (void *)(uintptr_t)*gathering);
        *gathering = 0;
    }
    return MW_OK;
}

const struct mwa_exchange_analysis mwa_replay_analysis = {
    .name = "replay",
    .create = create,
    .listener = { .begin = begin_call,
              .end = end_call,
              .message = take_message,
              .collective = end_collective,
              .settled = settle_call },
    .waypoint = take_waypoint_in,
    .finish = mwa_replay_finish,
    .destroy = destroy
};
