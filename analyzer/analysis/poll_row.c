/*
 * MPI_Ibarrier with MPI_Test in a loop is a barrier, and MPI_Iprobe in a loop is MPI_Probe: what is
 * waited for there is waiting. From a poll alone nobody can tell whether its rank had nothing else
 * to do; from how long it is outside of MPI between it and the next one, they can.
 */
#include "analyzer/analysis/poll_row.h"

#define GAP_NS 200u /* between two polls: a turn of the loop, and what recording a call takes */
#define PART   10   /* or that part of what is spent inside of them */

/* Whether up to time nothing was done but to poll. */
static bool is_idle(const struct mwa_poll_row *row, const struct mwa_trace *trace, uint64_t time)
{
    return mwa_trace_ns(trace, mwa_poll_row_outside(row, time)) <=
           GAP_NS * row->polls + mwa_trace_ns(trace, row->inside) / PART;
}

bool mwa_poll_row_goes_on(const struct mwa_poll_row *row, const struct mwa_trace *trace,
                          uint64_t time)
{
    return row->polls > 0 && is_idle(row, trace, time);
}

bool mwa_poll_row_take(struct mwa_poll_row *row, const struct mwa_trace *trace,
                       const struct mwa_call *call)
{
    if (row->polls == 0) {
        *row = (struct mwa_poll_row){ .enter = call->enter };
    }
    row->left = call->leave;
    row->inside += call->inclusive;
    row->polls += call->repeat;
    if (is_idle(row, trace, row->left)) {
        return true;
    }
    row->polls = 0;
    return false;
}
