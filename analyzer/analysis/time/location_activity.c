/*
 * The cursor's stack has regions, this one their states: a stretch is told when the state may
 * change, and not for each region inside of an MPI call.
 */
#include "analyzer/analysis/time/location_activity.h"

#include <stdlib.h>

static unsigned state_now(const struct mwa_activity *activity)
{
    return activity->depth > 0    ? activity->stack[activity->depth - 1]
           : activity->copies > 0 ? MWA_LOCATION_TRANSFER
                                  : MWA_LOCATION_IDLE;
}

static unsigned state_in(const struct mwa_region *region)
{
    if (region->kind != MWA_REGION_USER) {
        return mwa_state_of(region, MWA_USE_UNTOLD);
    }
    return region->role == MWA_ROLE_SYNC       ? MWA_LOCATION_SYNC
           : region->role == MWA_ROLE_TRANSFER ? MWA_LOCATION_TRANSFER
                                               : MWA_STATE_USEFUL;
}

/* Tells the time up to now, which is of the state that there is. */
static void tell(struct mwa_activity *activity, uint64_t now, mwa_activity_visit visit, void *user)
{
    if (!activity->is_paused && !activity->is_between && now > activity->done) {
        visit(user, state_now(activity), activity->done, now, now - activity->done);
    }
    activity->done = now > activity->done ? now : activity->done;
}

/* Whether the region that is entered or left is inside of an MPI call, whose state goes on. */
static bool is_inside(const struct mwa_moment *moment, const struct mwa_region *region)
{
    return moment->mpi && (region->kind == MWA_REGION_USER || moment->mpi_depth > 1);
}

static enum mw_status enter(struct mwa_activity *activity, const struct mwa_moment *moment,
                            mwa_activity_visit visit, void *user)
{
    const struct mwa_region *region = &moment->trace->regions[moment->event->of.call.region];
    bool goes_on = is_inside(moment, region);

    if (!mwa_grow(&activity->stack, &activity->capacity, activity->depth + 1,
                  sizeof *activity->stack)) {
        return MW_ERROR_MEMORY;
    }
    if (!goes_on) {
        tell(activity, moment->event->time, visit, user);
    }
    activity->stack[activity->depth] =
        (uint8_t)(goes_on ? state_now(activity) : state_in(region));
    activity->depth++;
    activity->tells_idle |= moment->location->kind == MWA_LOCATION_STREAM ||
                            (region->kind == MWA_REGION_USER && !moment->trace->has_metadata);
    return MW_OK;
}

/* What of coalesced polls is not inside of MPI is of the state around them. */
static void leave(struct mwa_activity *activity, const struct mwa_moment *moment,
                  mwa_activity_visit visit, void *user)
{
    const struct mwa_call *call = moment->call;
    uint64_t length = call->leave - call->enter;
    uint64_t inside = call->inclusive < length ? call->inclusive : length;

    if (!call->outermost && !is_inside(moment, call->region)) {
        tell(activity, call->leave, visit, user);
    }
    activity->depth--;
    if (call->outermost) {
        visit(user, mwa_state_of(call->region, call->use), call->enter, call->leave, inside);
        visit(user, state_now(activity), call->enter, call->leave, length - inside);
        activity->done = call->leave;
    }
}

static void copy(struct mwa_activity *activity, const struct mwa_moment *moment,
                 mwa_activity_visit visit, void *user)
{
    if (activity->depth == 0) {
        tell(activity, moment->event->time, visit, user);
    }
    activity->tells_idle |= moment->location->kind == MWA_LOCATION_STREAM;
    if (moment->event->of.on) {
        activity->copies++;
    } else {
        activity->copies -= activity->copies > 0;
    }
}

static void begin(struct mwa_activity *activity, uint64_t now)
{
    if (!activity->has_begun) {
        activity->has_begun = true;
        activity->done = now;
    }
}

static void pause_or_go_on(struct mwa_activity *activity, const struct mwa_moment *moment,
                           mwa_activity_visit visit, void *user)
{
    tell(activity, moment->event->time, visit, user);
    activity->is_paused = !moment->event->of.on;
}

void mwa_activity_take_main(struct mwa_activity *activity, const struct mwa_moment *moment,
                            mwa_activity_visit visit, void *user)
{
    begin(activity, moment->event->time);
    if (moment->event->kind == MWA_MEASUREMENT) {
        pause_or_go_on(activity, moment, visit, user);
    }
}

enum mw_status mwa_activity_take(struct mwa_activity *activity, const struct mwa_moment *moment,
                                 mwa_activity_visit visit, void *user)
{
    begin(activity, moment->event->time);
    switch (moment->event->kind) {
    case MWA_ENTER:
        return enter(activity, moment, visit, user);
    case MWA_LEAVE:
        leave(activity, moment, visit, user);
        return MW_OK;
    case MWA_COPY:
        copy(activity, moment, visit, user);
        return MW_OK;
    case MWA_THREAD_BEGIN:
    case MWA_THREAD_END:
        tell(activity, moment->event->time, visit, user);
        activity->is_between = moment->event->kind == MWA_THREAD_END;
        return MW_OK;
    default:
        if (moment->mpi_depth > 0) { /* the call is told as a whole when it ends */
            activity->is_paused = !moment->event->of.on;
        } else {
            pause_or_go_on(activity, moment, visit, user);
        }
        return MW_OK;
    }
}

void mwa_activity_end(struct mwa_activity *activity, uint64_t last, mwa_activity_visit visit,
                      void *user)
{
    if (activity->has_begun) {
        tell(activity, last, visit, user);
    }
}

void mwa_activity_fini(struct mwa_activity *activity)
{
    free(activity->stack);
    *activity = (struct mwa_activity){ 0 };
}

void mwa_activity_settle(uint64_t *ticks, uint64_t recorded, bool tells_idle)
{
    uint64_t busy = 0;

    if (!tells_idle) {
        ticks[MWA_STATE_USEFUL] += ticks[MWA_LOCATION_IDLE];
        ticks[MWA_LOCATION_IDLE] = 0;
        return;
    }
    for (unsigned state = 0; state < MWA_LOCATION_IDLE; state++) {
        busy += ticks[state];
    }
    if (recorded > busy && recorded - busy > ticks[MWA_LOCATION_IDLE]) {
        ticks[MWA_LOCATION_IDLE] = recorded - busy;
    }
}
