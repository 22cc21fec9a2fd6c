#ifndef MWA_ANALYSIS_LISTENERS_H
#define MWA_ANALYSIS_LISTENERS_H

#include "analyzer/analysis/pass.h"

/*
 * Who is told of the events of a location: the analyses of a pass, each with a partial result, and
 * behind them its listener. For one thread.
 */

struct mwa_listening {
    enum mw_status (*event)(void *partial, const struct mwa_moment *moment);
    void *partial;
};

/* All zero: nobody. */
struct mwa_listeners {
    const struct mwa_pass *pass; /* whose analyses they are */
    uint32_t count; /* of analyses that have begun; whoever is behind them is the listener */
    uint32_t failed; /* who had no memory for an event */
    uint32_t wanted[MWA_EVENT_KINDS]; /* a bit for each that wants events of the kind */
    struct mwa_listening all[MWA_PASS_ANALYSES + 1];
};

/* Adds the analyses of pass. MW_OK; MW_ERROR_MEMORY, and mwa_listeners_fini is due as well. */
enum mw_status mwa_listeners_begin(struct mwa_listeners *listeners, const struct mwa_pass *pass,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Adds listener's moment, if there is one, when all analyses have begun that will; null is fine. */
void mwa_listeners_add(struct mwa_listeners *listeners, const struct mwa_pass_listener *listener);

/* Tells those who want it of the moment, whose event is of the kind. False: one had no memory. */
MW_INLINE bool mwa_listeners_tell(struct mwa_listeners *listeners, enum mwa_event_kind kind,
                                  const struct mwa_moment *moment)
{
    for (uint32_t left = listeners->wanted[kind]; left; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);

        if (MW_UNLIKELY(listeners->all[i].event(listeners->all[i].partial, moment) != MW_OK)) {
            listeners->failed = i;
            return false;
        }
    }
    return true;
}

/* Says who that was. Returns MW_ERROR_MEMORY. */
enum mw_status mwa_listeners_fail(const struct mwa_listeners *listeners,
                                  struct mw_diagnostic *diagnostic);

/* Whether the analyses are told of what follows; they are until this says otherwise. */
void mwa_listeners_heed(struct mwa_listeners *listeners, bool are_told);

/* Tells the analyses that a span begins or goes on, as struct mwa_span_listener says. */
void mwa_listeners_resume(const struct mwa_listeners *listeners, uint64_t time, bool is_through);

/*
 * The location's events are through, last is its last time: merges what the analyses have found
 * into totals. MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwa_listeners_merge(const struct mwa_listeners *listeners,
                                   const struct mwa_location *location, uint64_t last,
                                   void **totals, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same of one analysis, and its total. */
enum mw_status mwa_partial_end(const struct mwa_analysis *analysis, void *partial,
                               const struct mwa_location *location, uint64_t last, void *total,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Frees what they have, which is not listeners itself. */
void mwa_listeners_fini(struct mwa_listeners *listeners);

#endif
