/* Whatever follows a run, all of it or a chapter, tells its analyses the same way. */
#include "analyzer/analysis/follower.h"

#include <stdlib.h>

#include "analyzer/analysis/waits/waits.h"
#include "analyzer/exchange/relay_room.h"
#include "analyzer/load/each_location.h"

static enum mw_status fail(const char *name, enum mw_status status,
                           struct mw_diagnostic *diagnostic)
{
    return status == MW_ERROR_SYSTEM
               ? mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "what the analysis %s has put into a file of TMPDIR can't be read", name)
               : mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                         "no memory for the analysis %s", name);
}

/* --- what analyses are told beside what the engine tells -------------------------------------- */

static enum mw_status visit_wait(const struct mwa_follower *told, const struct mwa_wait *wait)
{
    uint64_t to = wait->time + wait->wait;
    enum mw_status status =
        told->scope.visit
            ? told->scope.visit(told->scope.user, wait->rank, wait->call, wait->use, wait->time, to)
            : MW_OK;

    for (uint32_t i = 0; i < told->count && status == MW_OK; i++) {
        if (told->wanted[i].analysis->wait) {
            status = told->wanted[i].analysis->wait(told->listeners[i].user, wait->rank,
                                                    wait->call, wait->use, wait->time, to);
        }
    }
    return status;
}

static enum mw_status tell_wait(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    const struct mwa_follower *told = user;
    enum mw_status status = told->scope.told
                                ? told->scope.told(told->scope.told_user, pattern, wait)
                                : MW_OK;

    return status != MW_OK || wait->other_thread ? status : visit_wait(told, wait);
}

/* Tells those that may lag, or those that may not. */
static enum mw_status tell_some(const struct mwa_follower *told, bool may_lag, uint32_t location,
                                const struct mwa_waypoint *waypoint)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < told->count && status == MW_OK; i++) {
        if (told->wanted[i].analysis->waypoint && told->listeners[i].may_lag == may_lag) {
            status = told->wanted[i].analysis->waypoint(told->listeners[i].user, location,
                                                        waypoint);
        }
    }
    return status;
}

static enum mw_status tell_lagging(void *user, uint32_t location,
                                   const struct mwa_waypoint *waypoint)
{
    return tell_some(user, true, location, waypoint);
}

static enum mw_status tell_waypoint(void *user, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    const struct mwa_follower *told = user;
    const enum mw_status status = tell_some(told, false, location, waypoint);

    if (status == MW_OK && mwa_exchange_relays(told->matcher.exchange)) {
        mwa_exchange_waypoint(told->matcher.exchange, location, waypoint);
        return MW_OK;
    }
    return status == MW_OK ? tell_some(told, true, location, waypoint) : status;
}

static enum mw_status tell_moment(void *user, const struct mwa_moment *moment)
{
    const struct mwa_follower *told = user;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < told->moment_count && status == MW_OK; i++) {
        status = told->moments[i].event(told->moments[i].partial, moment);
    }
    return status;
}

/* --- a follower ------------------------------------------------------------------------------- */

enum mw_status mwa_follower_begin(struct mwa_follower *follower, struct mwa_input *input,
                                   const struct mwa_wanted_exchange *wanted, uint32_t count,
                                   const struct mwa_scope *scope,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_scope telling = *scope;

    *follower = (struct mwa_follower){ .wanted = wanted, .scope = *scope };
    follower->listener = (struct mwa_pass_listener){ .user = follower,
                                                      .waypoint = tell_waypoint };
    follower->listeners = calloc(count + 1, sizeof *follower->listeners);
    follower->moments = calloc(count + 1, sizeof *follower->moments);
    if (!follower->listeners || !follower->moments) {
        return fail("of exchanges", MW_ERROR_MEMORY, diagnostic);
    }
    telling.told = tell_wait;
    telling.told_user = follower;
    for (uint32_t i = 0; i < count; i++) {
        void *analysis = NULL;
        enum mw_status status = wanted[i].analysis->create(trace, i, &telling, &analysis);

        follower->listeners[i] = wanted[i].analysis->listener;
        follower->listeners[i].user = analysis;
        follower->count++;
        if (status != MW_OK) {
            return fail(wanted[i].analysis->name, status, diagnostic);
        }
        if (wanted[i].analysis->moment) {
            follower->listener.moment = tell_moment;
            follower->moments[follower->moment_count++] =
                (struct mwa_listening){ wanted[i].analysis->moment, analysis };
        }
    }
    return mwa_matcher_begin(&follower->matcher, input, follower->listeners, count, diagnostic);
}

/* What the matcher has failed with, if nobody has said more. */
static enum mw_status explain(const struct mwa_follower *follower, enum mw_status status,
                              struct mw_diagnostic *diagnostic)
{
    if (status != MW_OK && diagnostic && diagnostic->status == MW_OK) {
        *diagnostic = *mwa_matcher_diagnostic(&follower->matcher);
    }
    return status != MW_OK && diagnostic && diagnostic->status == MW_OK
               ? fail("of exchanges", status, diagnostic)
               : status;
}

/* Tells matcher and analyses what is open where the part of the run begins, and where it ends. */
static enum mw_status carry_requests(const struct mwa_follower *follower,
                                     const struct mwa_input *input,
                                     const struct mwa_reading_start *start,
                                     const struct mwa_reading_start *next,
                                     struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_matcher_carry_requests(&follower->matcher, input, start, next);

    for (uint32_t i = 0; i < follower->count && status == MW_OK; i++) {
        const struct mwa_exchange_analysis *analysis = follower->wanted[i].analysis;

        if (analysis->carry &&
            analysis->carry(follower->listeners[i].user, start, next) != MW_OK) {
            status = fail(analysis->name, MW_ERROR_MEMORY, diagnostic);
        }
    }
    return status;
}

/* Whether analyses have so much to do that it pays to have another thread tell them: of one alone,
 * this one has most of the work; and whether who takes waits may be told by another thread. */
static bool may_share_work(const struct mwa_follower *follower, const struct mwa_pass *pass)
{
    uint32_t lagging = 0;

    for (uint32_t i = 0; i < follower->count; i++) {
        lagging += follower->listeners[i].may_lag;
    }
    return lagging > 1 && !pass->chapter && !follower->scope.told;
}

/* Has analyses told by a thread of their own, while this one and others read. */
static void share_work(struct mwa_follower *follower, struct mwa_pass *pass, uint32_t room)
{
    const struct mwa_relay_waypoints waypoints = { tell_lagging, follower };
    const uint32_t threads = mwa_threads_worth_it(pass->input);

    mwa_thread_limit_init(&follower->limit, threads > 1 ? threads : 2);
    follower->has_limit = true;
    mwa_thread_limit_enter(&follower->limit);
    mwa_exchange_relay(follower->matcher.exchange, room, &follower->limit, &waypoints);
    if (mwa_exchange_relays(follower->matcher.exchange)) {
        pass->limit = &follower->limit;
    }
}

enum mw_status mwa_follower_run(struct mwa_follower *follower, struct mwa_pass *pass,
                                 void **totals, struct mwa_pass_result *result,
                                 struct mw_diagnostic *diagnostic)
{
    const uint32_t room = mwa_relay_room(pass->input);
    enum mw_status status = carry_requests(follower, pass->input, mwa_input_begins_at(pass->input),
                                           pass->chapter ? pass->chapter->next : NULL, diagnostic);

    mwa_matcher_enter(&follower->matcher, pass);
    pass->listener = follower->count > 0 ? &follower->listener : NULL;
    if (status == MW_OK && room > 0 && may_share_work(follower, pass)) {
        share_work(follower, pass, room);
    }
    if (status == MW_OK) {
        status = mwa_pass_run(pass, totals, result, diagnostic);
    }
    mwa_matcher_leave(pass);
    pass->limit = NULL;
    pass->listener = NULL;
    return explain(follower, status, diagnostic);
}

enum mw_status mwa_follower_tell_rest(struct mwa_follower *follower,
                                       struct mwa_matching_result *matching,
                                       struct mwa_exchange_result *result,
                                       struct mw_diagnostic *diagnostic)
{
    return explain(follower, mwa_matcher_finish(&follower->matcher, matching, result),
                   diagnostic);
}

bool mwa_follower_can_be_appended(const struct mwa_follower *follower, bool is_last)
{
    bool can = !mwa_matcher_has_given_up(&follower->matcher);

    for (uint32_t i = 0; i < follower->count && can; i++) {
        const struct mwa_exchange_analysis *analysis = follower->wanted[i].analysis;

        can = !analysis->can_be_appended ||
              analysis->can_be_appended(follower->listeners[i].user, is_last);
    }
    return can;
}

enum mw_status mwa_follower_append(struct mwa_follower *follower, struct mwa_follower *later,
                                    const struct mwa_seam *seam, struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < follower->count; i++) {
        const struct mwa_exchange_analysis *analysis = follower->wanted[i].analysis;
        enum mw_status status = analysis->append(follower->listeners[i].user,
                                                 later->listeners[i].user, seam);

        if (status != MW_OK) {
            return fail(analysis->name, status, diagnostic);
        }
    }
    return MW_OK;
}

void mwa_follower_pack(struct mwa_follower *follower, struct mw_buffer *to)
{
    for (uint32_t i = 0; i < follower->count; i++) {
        follower->wanted[i].analysis->pack(follower->listeners[i].user, to);
    }
}

enum mw_status mwa_follower_unpack(struct mwa_follower *follower, struct mwa_region_paths *paths,
                                    struct mw_cursor *from)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < follower->count && status == MW_OK; i++) {
        status = follower->wanted[i].analysis->unpack(follower->listeners[i].user, paths, from);
    }
    return status;
}

enum mw_status mwa_follower_finish(const struct mwa_follower *follower,
                                    struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < follower->count; i++) {
        const struct mwa_wanted_exchange *wanted = &follower->wanted[i];
        enum mw_status status = wanted->analysis->finish(follower->listeners[i].user,
                                                         wanted->result);

        if (status != MW_OK) {
            return fail(wanted->analysis->name, status, diagnostic);
        }
    }
    return MW_OK;
}

void mwa_follower_end(struct mwa_follower *follower)
{
    mwa_matcher_end(&follower->matcher);
    for (uint32_t i = 0; i < follower->count; i++) {
        follower->wanted[i].analysis->destroy(follower->listeners[i].user);
    }
    if (follower->has_limit) {
        mwa_thread_limit_fini(&follower->limit);
    }
    free(follower->listeners);
    free(follower->moments);
    *follower = (struct mwa_follower){ .count = 0 };
}
