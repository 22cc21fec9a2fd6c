/*
 * Each event is told by a bit for each who wants its kind: nobody is called, or asked, for what he
 * has no use for.
 */
#include "analyzer/analysis/listeners.h"

static enum mw_status no_memory(const struct mwa_analysis *analysis,
                                struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "for the analysis %s", analysis->name);
}

/* The kinds of events that analysis number i is told of. */
static uint32_t kinds_of(const struct mwa_listeners *listeners, uint32_t i)
{
    const struct mwa_pass *pass = listeners->pass;
    const struct mwa_analysis *analysis = pass->analyses[i];

    return analysis->kinds_in ? analysis->kinds & analysis->kinds_in(mwa_input_trace(pass->input),
                                                                     pass->other_locations)
                              : analysis->kinds;
}

/* Who is number i is to be told of events of these kinds, and of no others. */
static void tell_of(struct mwa_listeners *listeners, uint32_t i, uint32_t kinds)
{
    for (uint32_t kind = 0; kind < MWA_EVENT_KINDS; kind++) {
        const uint32_t others = listeners->wanted[kind] & ~(1u << i);

        listeners->wanted[kind] = others | (kinds & MWA_KIND(kind) ? 1u << i : 0);
    }
}

static void add(struct mwa_listeners *listeners, uint32_t i, struct mwa_listening listening,
                uint32_t kinds)
{
    listeners->all[i] = listening;
    tell_of(listeners, i, kinds);
}

enum mw_status mwa_listeners_begin(struct mwa_listeners *listeners, const struct mwa_pass *pass,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(pass->input);

    listeners->pass = pass;
    for (uint32_t i = 0; i < pass->analysis_count; i++) {
        const struct mwa_analysis *analysis = pass->analyses[i];
        const struct mwa_listening listening = { .event = analysis->event,
                                                 .partial = mwa_partial_create(analysis, trace) };

        if (!listening.partial) {
            return no_memory(analysis, diagnostic);
        }
        add(listeners, listeners->count++, listening, kinds_of(listeners, i));
    }
    return MW_OK;
}

void mwa_listeners_add(struct mwa_listeners *listeners, const struct mwa_pass_listener *listener)
{
    if (listener && listener->moment) {
        const struct mwa_listening listening = { listener->moment, listener->user };

        add(listeners, listeners->count, listening, MWA_KINDS_ALL);
    }
}

enum mw_status mwa_listeners_fail(const struct mwa_listeners *listeners,
                                  struct mw_diagnostic *diagnostic)
{
    return listeners->failed < listeners->count
               ? no_memory(listeners->pass->analyses[listeners->failed], diagnostic)
               : mw_no_memory(diagnostic, NULL, "to follow the run");
}

void mwa_listeners_heed(struct mwa_listeners *listeners, bool are_told)
{
    for (uint32_t i = 0; i < listeners->count; i++) {
        tell_of(listeners, i, are_told ? kinds_of(listeners, i) : 0);
    }
}

void mwa_listeners_resume(const struct mwa_listeners *listeners, uint64_t time, bool is_through)
{
    for (uint32_t i = 0; i < listeners->count; i++) {
        if (listeners->pass->analyses[i]->resume) {
            listeners->pass->analyses[i]->resume(listeners->all[i].partial, time, is_through);
        }
    }
}

enum mw_status mwa_partial_end(const struct mwa_analysis *analysis, void *partial,
                               const struct mwa_location *location, uint64_t last, void *total,
                               struct mw_diagnostic *diagnostic)
{
    enum mw_status status = analysis->end ? analysis->end(partial, location, last) : MW_OK;

    if (status == MW_OK) {
        status = mwa_partial_merge(analysis, total, partial);
    }
    return status == MW_OK ? MW_OK : no_memory(analysis, diagnostic);
}

enum mw_status mwa_listeners_merge(const struct mwa_listeners *listeners,
                                   const struct mwa_location *location, uint64_t last,
                                   void **totals, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < listeners->count && status == MW_OK; i++) {
        status = mwa_partial_end(listeners->pass->analyses[i], listeners->all[i].partial,
                                 location, last, totals[i], diagnostic);
    }
    return status;
}

void mwa_listeners_fini(struct mwa_listeners *listeners)
{
    for (uint32_t i = 0; i < listeners->count; i++) {
        mwa_partial_destroy(listeners->pass->analyses[i], listeners->all[i].partial);
    }
}
