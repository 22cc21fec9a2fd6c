#ifndef MWA_ANALYSIS_CURSOR_H
#define MWA_ANALYSIS_CURSOR_H

#include "analyzer/analysis/listeners.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/poll_row.h"
#include "analyzer/load/read_ahead.h"

/*
 * A location that a pass reads: its stack of calls, and the partial results of the analyses.
 * For one thread.
 */

/* A call that was entered and not left. */
struct mwa_frame {
    const struct mwa_region *region;
    const struct mwa_region *mpi; /* the innermost of MPI, this one or further out; null: none */
    const struct mwa_region_path *user; /* of the program that are open; null: none, or not told */
    uint32_t site;                /* of mpi, index */
    uint64_t enter;
    uint64_t children;  /* ticks inside the regions entered inside */
    uint64_t mpi_calls; /* the same of the outermost MPI calls made inside */
    uint64_t repeat;
    uint64_t inside;
    struct mwa_found_data found;
};

struct mwa_cursor_beside;

/* A location being read. Where other threads read ahead, they do the analyses, too. */
struct mwa_cursor {
    const struct mwa_pass *pass;
    const struct mwa_location *location;
    struct mwa_event_reader *reader;
    struct mwa_stream *stream;         /* instead of the reader: other threads read ahead */
    struct mwa_cursor_beside *beside;  /* theirs, or null */
    struct mwa_ordering *ordering;     /* the pass's, but beside: null */
    struct mwa_exchange *exchange;
    const struct mwa_pass_listener *listener;
    uint32_t batch;            /* events that are read at a time */
    uint32_t round_batches;    /* the pass's own: of this round; */
    bool waits;                /* and whether it waits for others in it */
    struct mwa_frame *stack;
    uint64_t stack_capacity;
    uint32_t depth;
    bool has_begun;
    bool has_run;              /* MPI_Init was left */
    bool has_stopped;          /* before the location's end: what follows is not in the span */
    struct mwa_span_cut cut;   /* of a pass with a span */
    struct mwa_poll_row row;   /* of polls: what the engine has as a call that is not left */
    struct mwa_call_uses uses; /* what its calls take their time for */
    bool has_got;              /* the outermost MPI call that was entered last has found something,
                                  or says of a message, an operation or a file */
    uint64_t time; /* of the last event */
    uint64_t stray_leaves;
    uint64_t unclosed;
    struct mwa_moment moment; /* of the event being taken; what surrounds it is that of the next
                                 one, too, until a call begins or ends */
    struct mwa_listeners listeners; /* of analyses; where others read ahead, theirs do that */
    struct mw_diagnostic *diagnostic;
};

/* The cursor of the thread that reads ahead: for the analyses only. */
struct mwa_cursor_beside {
    struct mwa_cursor cursor;
    struct mw_diagnostic diagnostic;
};

/*
 * Begins to read the location at index of the trace, through ahead if it is not null. cursor
 * is to be closed with mwa_cursor_close, also after a failure.
 *
 * \return MW_OK. MW_ERROR_MEMORY, or as mwa_event_reader_open.
 */
enum mw_status mwa_cursor_open(const struct mwa_pass *pass, struct mwa_read_ahead *ahead,
                               uint32_t index, struct mwa_cursor *cursor,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Frees what cursor holds. One of zeros is fine. */
void mwa_cursor_close(struct mwa_cursor *cursor);

/* How many events are left of the cursor's batch, at least 1; whether it stands behind one. */
uint64_t mwa_cursor_rest(const struct mwa_cursor *cursor);
bool mwa_cursor_ends_batch(const struct mwa_cursor *cursor);

/*
 * Whether it has ended all that began up to time, as far as it can be told by its location: no MPI
 * call of that is open, and no MPI_Init is to come, behind which the run begins.
 */
bool mwa_cursor_is_behind(const struct mwa_cursor *cursor, uint64_t time);

/* Whether what is open where it has ended goes on in the next chapter. */
static inline bool mwa_cursor_goes_on(const struct mwa_cursor *cursor)
{
    return cursor->pass->chapter && cursor->has_stopped;
}

/* Ends the cursor where it is; no thread reads ahead any more. As mwa_cursor_advance at its end. */
enum mw_status mwa_cursor_stop(struct mwa_cursor *cursor, void **totals,
                               struct mwa_pass_result *result) MW_MUST_CHECK;

/*
 * Reads the next events of the cursor, at most so many; where other threads read ahead, a batch.
 *
 * \return MW_OK. MW_END when it is through and its results have been merged into totals.
 * MW_ERROR_MEMORY, MW_ERROR_FORMAT, MW_ERROR_SYSTEM as mwa_pass_run.
 */
enum mw_status mwa_cursor_advance(struct mwa_cursor *cursor, uint64_t most, void **totals,
                                  struct mwa_pass_result *result) MW_MUST_CHECK;

#endif
