/*
 * Proved is worse than possible, and that is worse than waiting for who computes. Whoever waited
 * when some rank ended the run was cut short; but a deadlock may have been seen by another thread,
 * and who waits may be ended by a signal, of which it is the handler that exits.
 */
#include "analyzer/analysis/hang/hang.h"

#include <stdlib.h>
#include <time.h>

#include "analyzer/analysis/hang/hang_sentences.h"

const char *mwa_hang_verdict_name(enum mwa_hang_verdict verdict)
{
    static const char *const names[] = { [MWA_HANG_DEADLOCK] = "deadlock",
                                         [MWA_HANG_ENDED] = "ended",
                                         [MWA_HANG_POSSIBLE] = "possible deadlock",
                                         [MWA_HANG_WAITING] = "waiting",
                                         [MWA_HANG_OPEN] = "unknown" };

    return names[verdict];
}

/* Whether somebody that waits waits for a rank that is outside of MPI. */
static bool waits_for_outside(const struct mwa_hang_states *states,
                              const struct mwa_hang_graph *graph)
{
    for (uint64_t i = 0; i < graph->target_count; i++) {
        if (states->ranks[graph->targets[i]].where == MWA_HANG_OUTSIDE) {
            return true;
        }
    }
    return false;
}

static enum mwa_hang_verdict judge(const struct mwa_trace *trace,
                                   const struct mwa_hang_states *states,
                                   const struct mwa_hang_graph *graph)
{
    bool is_inside = false;
    bool is_ended = false;
    bool ends_outside = false;
    enum mwa_hang_life worst = MWA_HANG_LIVES;

    for (uint64_t i = 0; i < states->rank_count; i++) {
        is_inside |= states->ranks[i].where == MWA_HANG_INSIDE;
        is_ended |= trace->ranks[i].end != MWA_END_UNTOLD;
        ends_outside |= trace->ranks[i].end != MWA_END_UNTOLD &&
                        states->ranks[i].where != MWA_HANG_INSIDE;
        worst = graph->life[i] > worst ? graph->life[i] : worst;
    }
    if (worst == MWA_HANG_DEAD || ends_outside) {
        return worst == MWA_HANG_DEAD ? MWA_HANG_DEADLOCK : MWA_HANG_ENDED;
    }
    if (worst != MWA_HANG_LIVES) {
        return MWA_HANG_POSSIBLE;
    }
    if (!is_inside) {
        return MWA_HANG_NONE;
    }
    if (waits_for_outside(states, graph)) {
        return MWA_HANG_WAITING;
    }
    return is_ended ? MWA_HANG_ENDED : MWA_HANG_OPEN;
}

/* What time it is for the trace, ticks; 0: it does not say what time of day it was. */
static uint64_t ticks_now(const struct mwa_trace *trace)
{
    struct timespec now;
    uint64_t ns;

    clock_gettime(CLOCK_REALTIME, &now);
    ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return trace->realtime == UINT64_MAX || ns <= trace->realtime
               ? 0
               : trace->clock_offset + mwa_trace_ticks(trace, ns - trace->realtime);
}

enum mw_status mwa_hang_make(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                             bool goes_on, struct mwa_hang *hang)
{
    enum mw_status status = mwa_hang_graph_make(trace, states, &hang->graph);

    if (status != MW_OK) {
        return status;
    }
    hang->verdict = judge(trace, states, &hang->graph);
    return hang->verdict == MWA_HANG_NONE
               ? MW_OK
               : mwa_hang_sentences_make(trace, states, goes_on ? ticks_now(trace) : 0, hang);
}

void mwa_hang_fini(struct mwa_hang *hang)
{
    for (uint64_t i = 0; i < hang->sentence_count; i++) {
        free(hang->sentences[i]);
    }
    free(hang->sentences);
    mwa_hang_graph_fini(&hang->graph);
    *hang = (struct mwa_hang){ 0 };
}
