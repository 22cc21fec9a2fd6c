#include "analyzer/analysis/exchanges.h"

#include <stdlib.h>

#include "analyzer/analysis/waits/waits.h"

static enum mw_status fail(const char *name, enum mw_status status,
                           struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory for the analysis %s", name);
}

/* Makes the analyses and their listeners. */
static enum mw_status create_all(const struct mwa_trace *trace,
                                 const struct mwa_wanted_exchange *wanted, uint32_t count,
                                 const struct mwa_scope *scope,
                                 struct mwa_exchange_listener *listeners,
                                 struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < count; i++) {
        void *analysis = NULL;
        enum mw_status status = wanted[i].analysis->create(trace, i, scope, &analysis);

        listeners[i] = wanted[i].analysis->listener;
        listeners[i].user = analysis;
        if (status != MW_OK) {
            return fail(wanted[i].analysis->name, status, diagnostic);
        }
    }
    return MW_OK;
}

static enum mw_status finish_all(const struct mwa_wanted_exchange *wanted, uint32_t count,
                                 const struct mwa_exchange_listener *listeners,
                                 struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < count; i++) {
        enum mw_status status = wanted[i].analysis->finish(listeners[i].user, wanted[i].result);

        if (status != MW_OK) {
            return fail(wanted[i].analysis->name, status, diagnostic);
        }
    }
    return MW_OK;
}

/* The analyses that want waypoints, events or waits. */
struct told {
    const struct mwa_wanted_exchange *wanted;
    const struct mwa_exchange_listener *listeners;
    uint32_t count;
    const struct mwa_scope *scope; /* which takes waits, too */
};

static enum mw_status visit_wait(const struct told *told, const struct mwa_wait *wait)
{
    uint64_t to = wait->time + wait->wait;
    enum mw_status status =
        told->scope->visit
            ? told->scope->visit(told->scope->user, wait->rank, wait->call, wait->time, to)
            : MW_OK;

    for (uint32_t i = 0; i < told->count && status == MW_OK; i++) {
        if (told->wanted[i].analysis->wait) {
            status = told->wanted[i].analysis->wait(told->listeners[i].user, wait->rank,
                                                    wait->call, wait->time, to);
        }
    }
    return status;
}

static enum mw_status tell_wait(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    const struct told *told = user;
    enum mw_status status = told->scope->told
                                ? told->scope->told(told->scope->told_user, pattern, wait)
                                : MW_OK;

    return status != MW_OK || wait->other_thread ? status : visit_wait(told, wait);
}

static enum mw_status tell_waypoint(void *user, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    const struct told *told = user;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < told->count && status == MW_OK; i++) {
        if (told->wanted[i].analysis->waypoint) {
            status = told->wanted[i].analysis->waypoint(told->listeners[i].user, location,
                                                        waypoint);
        }
    }
    return status;
}

static enum mw_status tell_moment(void *user, const struct mwa_moment *moment)
{
    const struct told *told = user;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < told->count && status == MW_OK; i++) {
        if (told->wanted[i].analysis->moment) {
            status = told->wanted[i].analysis->moment(told->listeners[i].user, moment);
        }
    }
    return status;
}

static enum mw_status run_engine(struct mwa_pass *pass, void **totals,
                                 struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_pass_run(pass, totals, &results->pass, diagnostic);

    if (status == MW_OK) {
        status = mwa_exchange_finish(pass->exchange, &results->matching, &results->exchange);
    }
    if (status != MW_OK && diagnostic && diagnostic->status == MW_OK) {
        *diagnostic = *mwa_exchange_diagnostic(pass->exchange);
    }
    if (status != MW_OK && diagnostic && diagnostic->status == MW_OK) {
        return fail("of exchanges", status, diagnostic);
    }
    return status;
}

enum mw_status mwa_exchanges_run(struct mwa_pass *pass,
                                 const struct mwa_wanted_exchange *wanted, uint32_t count,
                                 const struct mwa_scope *scope, void **totals,
                                 struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_exchange_listener *listeners = calloc(count + 1, sizeof *listeners);
    struct told told = { wanted, listeners, count, scope };
    struct mwa_scope telling = *scope;
    struct mwa_pass_listener listener = { .user = &told, .waypoint = tell_waypoint };
    enum mw_status status;

    telling.told = tell_wait;
    telling.told_user = &told;
    status = listeners ? create_all(results->trace, wanted, count, &telling, listeners, diagnostic)
                       : fail("of exchanges", MW_ERROR_MEMORY, diagnostic);
    if (status == MW_OK) {
        status = mwa_exchange_create(results->trace, pass->input, listeners, count,
                                     &pass->exchange, diagnostic);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (wanted[i].analysis->moment) {
            listener.moment = tell_moment;
        }
    }
    pass->listener = &listener;
    if (status == MW_OK) {
        status = run_engine(pass, totals, results, diagnostic);
    }
    if (status == MW_OK) {
        status = finish_all(wanted, count, listeners, diagnostic);
    }
    mwa_exchange_destroy(pass->exchange);
    pass->exchange = NULL;
    pass->listener = NULL;
    for (uint32_t i = 0; listeners && i < count; i++) {
        wanted[i].analysis->destroy(listeners[i].user);
    }
    free(listeners);
    return status;
}

struct visiting {
    const struct mwa_trace *trace;
    mwa_message_visit message;
    mwa_wait_told wait;
    void *user;
};

static enum mw_status hand_message(void *user, struct mwa_message *message)
{
    const struct visiting *visiting = user;

    return visiting->message(visiting->user, visiting->trace, message);
}

static enum mw_status hand_wait(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    const struct visiting *visiting = user;

    return visiting->wait(visiting->user, pattern, wait);
}

/* An analysis that hands messages on; there is nothing that it makes. */
static enum mw_status begin_visit(const struct mwa_trace *trace, uint32_t slot,
                                  const struct mwa_scope *scope, void **analysis)
{
    *analysis = scope->user;
    return MW_OK;
}

static enum mw_status end_visit(void *analysis, void *result)
{
    return MW_OK;
}

static void leave_visit(void *analysis)
{
}

static const struct mwa_exchange_analysis visit_analysis = {
    .name = "messages",
    .create = begin_visit,
    .listener = { .message = hand_message },
    .finish = end_visit,
    .destroy = leave_visit,
};

enum mw_status mwa_exchanges_visit(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_span *span,
                                   const struct mwa_reading_start *start,
                                   mwa_message_visit message, mwa_wait_told wait, void *user,
                                   struct mw_diagnostic *diagnostic)
{
    struct visiting visiting = { .message = message, .wait = wait, .user = user };
    struct mwa_waits waits = { .violations = 0 };
    const struct mwa_wanted_exchange wanted[] = { { &visit_analysis, NULL },
                                                  { &mwa_waits_analysis, &waits } };
    const struct mwa_scope scope = { MWA_ALL_OF_IT, .told = hand_wait, .told_user = &visiting,
                                     .user = &visiting };
    struct mwa_pass pass = { .only_rank = MWA_NONE,
                             .until = span->to == UINT64_MAX ? 0 : span->to };
    struct mwa_results ignored = { .path = path };
    enum mw_status status = mwa_input_open_again(trace, path, &pass.input, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    ignored.trace = visiting.trace = mwa_input_trace(pass.input);
    mwa_input_begin_at(pass.input, start);
    status = mwa_exchanges_run(&pass, wanted, wait ? 2 : 1, &scope, NULL, &ignored, diagnostic);
    mwa_matching_result_fini(&ignored.matching);
    mwa_waits_fini(&waits);
    mwa_input_close(pass.input);
    return status;
}
