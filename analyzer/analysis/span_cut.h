#ifndef MWA_ANALYSIS_SPAN_CUT_H
#define MWA_ANALYSIS_SPAN_CUT_H

#include "analyzer/load/block_states.h"

/*
 * The events of one location, cut to a span of time: who takes them sees a record that begins with
 * the span and ends with it. Calls that are open at its beginning are entered there, those that are
 * open at its end are left there. What is told of a call as a whole (of coalesced ones how many it
 * stands for, and the time inside of them) is spread evenly over it, and the share of the span is
 * told with the leave. Samples of whether the thread ran are of stretches, and are left out.
 */

struct mwa_span {
    uint64_t from, to; /* ticks, both in it; from <= to */
};

struct mwa_span_listener {
    void *user;
    mwa_event_visit event;
    /*
     * Before the first event: the location has been recorded before time, which is the first that
     * counts; is_through: MPI_Finalize was entered before. Not of one that begins in the span.
     */
    enum mw_status (*begin)(void *user, uint64_t time, bool is_through);
};

/* For one thread. Zeros, with span, location, listener and the trace of open, which stay. */
struct mwa_span_cut {
    const struct mwa_span *span;
    uint32_t location; /* index */
    struct mwa_span_listener listener;
    struct mwa_open_calls open;
    uint32_t within;   /* behind the span: those of open that are from within, the outermost */
    uint64_t last_time;
    bool has_events; /* of any time */
    bool has_begun;  /* there was one from the span's beginning on */
    bool is_behind;  /* and one behind its end */
};

/* Goes on from a block (mwa_event_reader_open_at), not the beginning. False without memory. */
bool mwa_span_cut_begin(struct mwa_span_cut *cut, const struct mwa_block_entry *entry,
                        const struct mwa_open_call *calls) MW_MUST_CHECK;

/*
 * Takes the next event as it was read; what is in the span is told to the listener.
 *
 * \return MW_OK. MW_END: nothing that follows can matter. As mwa_open_calls_take; what the listener
 * returns other than MW_OK.
 */
enum mw_status mwa_span_cut_take(struct mwa_span_cut *cut, const struct mwa_event *event);

/* There are no more, or mwa_span_cut_take has returned MW_END. Returns as that, but MW_END. */
enum mw_status mwa_span_cut_end(struct mwa_span_cut *cut);

void mwa_span_cut_fini(struct mwa_span_cut *cut);

#endif
