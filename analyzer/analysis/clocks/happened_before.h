#ifndef MWA_ANALYSIS_CLOCKS_HAPPENED_BEFORE_H
#define MWA_ANALYSIS_CLOCKS_HAPPENED_BEFORE_H

#include <stdbool.h>

#include "analyzer/model/exchanged.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * What comes before what, whatever clocks say: a send before its receive (Lamport 1978) and before
 * the end of a probe that blocks and finds its message, and in collectives who is needed before who
 * needs it leaves, as logical messages (Becker and others 2009). Times are ticks.
 */
struct mwa_happened_before {
    const struct mwa_trace *trace;
    uint32_t *hosts; /* of ranks: equal for those of one host */
    const char **names; /* of hosts, in the order of their first ranks */
    uint64_t host_count;
    uint64_t latency; /* the least that a message between hosts takes */
    bool has_gaps;    /* some ranks' records lack something */
};

/* \return MW_OK; MW_ERROR_MEMORY. fini is due in any case. */
enum mw_status mwa_happened_before_init(struct mwa_happened_before *rules,
                                        const struct mwa_trace *trace) MW_MUST_CHECK;
void mwa_happened_before_fini(struct mwa_happened_before *rules);

/*
 * How long after its send a message that was received, or found, at time by call can have been so
 * at the earliest: one that took less by the clocks, but is in order, took what they say.
 */
uint64_t mwa_least_latency(const struct mwa_happened_before *rules,
                           const struct mwa_message *message, const struct mwa_exchange_call *call,
                           uint64_t time);

/* How far a message or a collective tells an order. */
enum mwa_order {
    MWA_ORDER_CERTAIN, /* nobody received, or left, before those came that it needs */
    MWA_ORDER_AS_SEEN  /* that may have been: what one of several threads probes for may be the
                          message that another one receives; ranks need not wait for all in
                          MPI_Init and Finalize; whether a post was waited for, and which lock
                          came first, the clocks tell alone; and where a record lacks something,
                          what is left may belong to something else. What is in order is to stay
                          so */
};

enum mwa_order mwa_order_of(const struct mwa_happened_before *rules,
                            const struct mwa_collective *collective);
/* Of a message for call, which received or found it. */
enum mwa_order mwa_order_of_message(const struct mwa_happened_before *rules,
                                    const struct mwa_message *message,
                                    const struct mwa_exchange_call *call);

#endif
