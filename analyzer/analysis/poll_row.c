/*
 * MPI_Ibarrier with MPI_Test in a loop is a barrier, and MPI_Iprobe in a loop is MPI_Probe: what is
 * waited for there is waiting. From a poll alone nobody can tell whether its rank had nothing else
 * to do; from how long it is outside of MPI between it and the next one, they can.
 */
#include "analyzer/analysis/poll_row.h"

#define GAP_NS 200u /* between two polls: a turn of the loop, and what recording a call takes */
#define PART   10   /* or that part of what is spent inside of them */
#define PIECE_NS 1000u /* who computes between two polls does so for longer; others may … */
#define SHARE    0.75  /* … be outside for so much of what they are inside */

/* What of a gap that so many polls follow, each with a part of it, is for something else. */
static uint64_t break_of(const struct mwa_trace *trace, uint64_t gap, uint64_t polls)
{
    return mwa_trace_ns(trace, gap) > PIECE_NS * polls ? gap : 0;
}

/* Whether up to time nothing was done but to poll; breaks: ticks, of what is outside. */
static bool is_idle(const struct mwa_poll_row *row, const struct mwa_trace *trace, uint64_t time,
                    uint64_t breaks)
{
    const uint64_t outside = mwa_trace_ns(trace, mwa_poll_row_outside(row, time));
    const uint64_t inside = mwa_trace_ns(trace, row->inside);
    const uint64_t most = GAP_NS * row->polls + inside / PART;

    return outside <= most || (mwa_trace_ns(trace, breaks) <= most &&
                               (double)outside <= SHARE * (double)inside);
}

bool mwa_poll_row_goes_on(const struct mwa_poll_row *row, const struct mwa_trace *trace,
                          uint64_t time)
{
    return row->polls > 0 &&
           is_idle(row, trace, time, row->breaks + break_of(trace, time - row->left, 1));
}

bool mwa_poll_row_take(struct mwa_poll_row *row, const struct mwa_trace *trace,
                       const struct mwa_call *call)
{
    if (row->polls == 0) {
        *row = (struct mwa_poll_row){ .enter = call->enter };
    }
    if (row->polls > 0) {
        row->breaks += break_of(trace, call->enter - row->left, 1);
    }
    row->breaks += break_of(trace, call->leave - call->enter - call->inclusive, call->repeat);
    row->left = call->leave;
    row->inside += call->inclusive;
    row->polls += call->repeat;
    if (is_idle(row, trace, row->left, row->breaks)) {
        return true;
    }
    row->polls = 0;
    return false;
}
