#include "test/unit/analyzer/told_in_chapters.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "analyzer/analysis/region_paths.h"

#define TRIES 24u /* of other bytes than those that travel */

/* A rank in a chapter. */
struct reading {
    struct mwa_event *list;
    uint64_t count, capacity;
    uint64_t own; /* of these; behind them is what is open where the chapter ends */
    uint64_t at;
    uint32_t calls;          /* outermost ones of MPI */
    uint32_t begun;          /* of these, in the engine */
    uint32_t depth, of_mpi;
    uint64_t mpi_enter;
    struct mwa_event open[64];
    bool is_through;
};

struct chapter {
    const struct told *told;
    const struct mwa_exchange_analysis *analysis;
    void *of_it;
    struct mwa_exchange *exchange;
    bool is_first, is_last;
    struct reading ranks[TOLD_RANKS];
};

static bool is_user(const struct told *told, const struct mwa_event *event)
{
    return told->trace.regions[event->of.call.region].kind == MWA_REGION_USER;
}

static void give(struct reading *reading, const struct mwa_event *event)
{
    cr_assert(mwa_grow(&reading->list, &reading->capacity, reading->count + 1, sizeof *event));
    reading->list[reading->count++] = *event;
}

/* What a rank has in the chapter from its event from up to to, exclusive. */
static void give_events(const struct told *told, uint32_t rank, uint64_t from, uint64_t to,
                        struct reading *reading)
{
    const struct mwa_event *list = told->ranks[rank].list;
    struct mwa_event open[64];
    uint32_t depth = 0;

    for (uint64_t i = 0; i < to; i++) {
        if (i == from) {
            for (uint32_t k = 0; k < depth; k++) {
                give(reading, &open[k]);
            }
        }
        if (list[i].kind == MWA_ENTER) {
            reading->calls += i >= from && !is_user(told, &list[i]);
            open[depth++] = list[i];
        }
        depth -= list[i].kind == MWA_LEAVE;
        if (i >= from) {
            give(reading, &list[i]);
        }
    }
    reading->own = reading->count;
    while (depth > 0) {
        open[--depth].kind = MWA_LEAVE;
        open[depth].time = list[to - 1].time;
        open[depth].of.call.inside = UINT64_MAX;
        give(reading, &open[depth]);
    }
}

/* Says which calls chapters begin and end with, before the analysis is told of them. */
static enum mw_status mark_call(void *user, struct mwa_exchange_call *call)
{
    struct chapter *chapter = user;
    struct reading *reading = &chapter->ranks[call->rank];

    call->opens_chapter = !chapter->is_first && reading->begun == 0;
    call->closes_chapter = !chapter->is_last && reading->begun + 1 == reading->calls;
    reading->begun++;
    return MW_OK;
}

static void tell_waypoint(struct chapter *chapter, uint32_t location,
                          const struct mwa_waypoint *waypoint)
{
    if (chapter->analysis->waypoint) {
        cr_assert_eq(chapter->analysis->waypoint(chapter->of_it, location, waypoint), MW_OK);
    }
}

static void tell_enter(struct chapter *chapter, struct reading *reading,
                       const struct mwa_event *event)
{
    const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_ENTER,
                                           .region = event->of.call.region,
                                           .time = event->time };

    reading->open[reading->depth++] = *event;
    if (is_user(chapter->told, event)) {
        tell_waypoint(chapter, event->location, &waypoint);
    } else if (reading->of_mpi++ == 0) {
        reading->mpi_enter = event->time;
        cr_assert_eq(mwa_exchange_enter(chapter->exchange, event->location,
                                        &chapter->told->trace.regions[event->of.call.region], NULL,
                                        event->of.call.site, event->time),
                     MW_OK);
    }
}

static void tell_leave(struct chapter *chapter, struct reading *reading,
                       const struct mwa_event *event)
{
    const struct mwa_event *entered = &reading->open[--reading->depth];
    const uint64_t spent = event->time - entered->time, inside = entered->of.call.inside;
    const bool goes_on = !chapter->is_last && reading->at > reading->own;
    struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_LEAVE, .time = event->time };

    if (is_user(chapter->told, event)) {
        if (!goes_on) {
            tell_waypoint(chapter, event->location, &waypoint);
        }
        return;
    }
    reading->of_mpi--;
    if (inside < spent) {
        waypoint.kind = MWA_WAYPOINT_USEFUL;
        waypoint.ticks = spent - inside;
        tell_waypoint(chapter, event->location, &waypoint);
    }
    cr_assert_eq(mwa_exchange_leave(chapter->exchange, event->location, event->time, false), MW_OK);
}

/* What a pass tells of the event, as far as calls of MPI go. */
static void tell_moment(struct chapter *chapter, const struct reading *reading,
                        const struct mwa_event *event)
{
    const struct mwa_trace *trace = &chapter->told->trace;
    const bool is_of_user = (event->kind == MWA_ENTER || event->kind == MWA_LEAVE) &&
                            is_user(chapter->told, event);
    const struct mwa_event *entered =
        reading->of_mpi > 0 ? &reading->open[reading->depth - 1] : NULL;
    const struct mwa_region *region = entered ? &trace->regions[entered->of.call.region] : NULL;
    const struct mwa_call call = { .region = region,
                                   .site = entered ? entered->of.call.site : MWA_NONE,
                                   .enter = entered ? entered->time : 0,
                                   .leave = event->time,
                                   .outermost = reading->of_mpi == 1,
                                   .repeat = 1 };
    const struct mwa_moment moment = {
        .trace = trace,
        .location = &trace->locations[event->location],
        .event = event,
        .call = event->kind == MWA_LEAVE ? &call : NULL,
        .mpi = region,
        .site = call.site,
        .mpi_enter = call.enter,
        .mpi_depth = reading->of_mpi
    };

    if (chapter->analysis->moment && !is_of_user) {
        cr_assert_eq(chapter->analysis->moment(chapter->of_it, &moment), MW_OK);
    }
}

static void tell_event(struct chapter *chapter, struct reading *reading,
                       const struct mwa_event *event)
{
    const struct mwa_waypoint first = { .kind = MWA_WAYPOINT_FIRST, .time = event->time };
    const struct mwa_waypoint last = { .kind = MWA_WAYPOINT_LAST, .time = event->time };

    if (reading->at++ == 0) {
        tell_waypoint(chapter, event->location, &first);
    }
    if (event->kind == MWA_ENTER) {
        tell_enter(chapter, reading, event);
        tell_moment(chapter, reading, event);
    } else if (event->kind == MWA_LEAVE) {
        tell_moment(chapter, reading, event);
        tell_leave(chapter, reading, event);
    } else {
        tell_moment(chapter, reading, event);
        cr_assert_eq(mwa_exchange_event(chapter->exchange, event), MW_OK);
    }
    if (reading->at == reading->count) {
        tell_waypoint(chapter, event->location, &last);
    }
}

/* Tells up to so many events of the rank that is the least far. False: all are through. */
static bool take_turn(struct chapter *chapter, uint64_t most)
{
    struct reading *next = NULL;
    const struct mwa_event *event = NULL;

    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        struct reading *reading = &chapter->ranks[i];

        if (!reading->is_through &&
            (!next || reading->list[reading->at].time < next->list[next->at].time)) {
            next = reading;
        }
    }
    if (!next) {
        return false;
    }
    for (uint64_t i = 0; i < most && next->at < next->count; i++) {
        event = &next->list[next->at];
        tell_event(chapter, next, event);
    }
    next->is_through = next->at == next->count;
    cr_assert_eq(mwa_exchange_advance(chapter->exchange, event->location,
                                      next->is_through ? UINT64_MAX
                                      : next->of_mpi   ? next->mpi_enter
                                                       : event->time),
                 MW_OK);
    return true;
}

/* The chapter from the meeting from to the meeting to; MWA_NONE: from the beginning, to the end. */
static void *follow_chapter(const struct told *told, const struct mwa_exchange_analysis *analysis,
                            const struct mwa_scope *scope, uint32_t from, uint32_t to,
                            uint64_t most)
{
    struct chapter chapter = { .told = told,
                               .analysis = analysis,
                               .is_first = from == MWA_NONE,
                               .is_last = to == MWA_NONE };
    struct mwa_exchange_listener listeners[2] = { { .user = &chapter, .begin = mark_call },
                                                  analysis->listener };
    struct mwa_matching_result matching;
    struct mwa_exchange_result result;
    struct mw_diagnostic diagnostic;

    cr_assert_eq(analysis->create(&told->trace, 1, scope, &chapter.of_it), MW_OK);
    listeners[1].user = chapter.of_it;
    cr_assert_eq(mwa_exchange_create(&told->trace, NULL, listeners, 2, &chapter.exchange,
                                     &diagnostic),
                 MW_OK);
    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        const struct told_events *events = &told->ranks[i];

        give_events(told, i, from == MWA_NONE ? 0 : events->meetings[from],
                    to == MWA_NONE ? events->count : events->meetings[to] + 3, &chapter.ranks[i]);
    }
    while (take_turn(&chapter, most)) {
    }
    cr_expect(!analysis->can_be_appended ||
              analysis->can_be_appended(chapter.of_it, chapter.is_last));
    cr_assert_eq(mwa_exchange_finish(chapter.exchange, &matching, &result), MW_OK);
    cr_expect_eq(result.calls_unresolved, 0);
    cr_expect_eq(result.collectives_incomplete, 0);
    mwa_matching_result_fini(&matching);
    mwa_exchange_destroy(chapter.exchange);
    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        free(chapter.ranks[i].list);
    }
    return chapter.of_it;
}

void told_cut(struct told *told, uint32_t way, bool cuts[TOLD_MEETINGS])
{
    for (uint32_t i = 0; i < told->meetings; i++) {
        cuts[i] = way == 0   ? i == told->meetings / 2
                  : way == 1 ? true
                  : way == 2 ? i + 1 == told->meetings
                  : way == 3 ? false
                             : told_some(told, 3) == 0;
    }
}

void told_follow(const struct told *told, const struct traveller *of,
                 const struct mwa_what_if_cases *cases, const bool *cuts, uint64_t most,
                 void *result)
{
    const struct mwa_exchange_analysis *analysis = of->analysis;
    struct mwa_scope scope = { MWA_ALL_OF_IT, .cases = cases };
    struct traveller traveller = *of;
    struct mwa_region_paths paths = { .all = NULL };
    uint64_t sent[TOLD_RANKS] = { 0 };
    const struct mwa_seam seam = { .sent = sent, .paths = &paths };
    void *all = NULL;
    uint32_t from = MWA_NONE;

    traveller.trace = &told->trace;
    traveller.scope = &scope;
    for (uint32_t i = 0; i <= told->meetings; i++) {
        void *chapter;

        if (i < told->meetings && !(cuts && cuts[i])) {
            continue;
        }
        chapter = follow_chapter(told, analysis, &scope, from, i < told->meetings ? i : MWA_NONE,
                                 most);
        if (all) {
            chapter = travel(&traveller, chapter, &paths, TRIES);
            cr_assert_eq(analysis->append(all, chapter, &seam), MW_OK);
            analysis->destroy(chapter);
        } else {
            all = chapter;
        }
        scope.chapter++;
        from = i;
    }
    cr_assert_eq(analysis->finish(all, result), MW_OK);
    analysis->destroy(all);
    mwa_region_paths_fini(&paths);
}
