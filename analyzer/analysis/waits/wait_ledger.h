#ifndef MWA_ANALYSIS_WAITS_WAIT_LEDGER_H
#define MWA_ANALYSIS_WAITS_WAIT_LEDGER_H

#include "analyzer/analysis/waits/waits.h"
#include "analyzer/model/pool.h"

/*
 * Where waits are charged: to pattern, rank, cause, call and communicator, cut to what is
 * selected; nothing if that is 0. The cause is looked for behind a wait that counts (delay.h).
 *
 * A call that completes several operations is charged with the longest of their waits only,
 * which is known when it is settled, and with none if it had a late sender: a word of the
 * call's, note[slot], keeps that until then.
 *
 * Here all times are ticks, those of struct mwa_wait, too.
 */
struct mwa_wait_ledger {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_scope scope;
    uint64_t from; /* of scope, ticks */
    uint64_t to;
    struct mwa_waits result;
    struct mwa_index paths; /* of result.paths, by path and site */
    unsigned part_bits;     /* parts of the trace have as many ticks as these make */
    struct mwa_delay *delay; /* null: causes are not wanted */
    struct mwa_pool longest; /* waits of calls that are not settled */
    bool no_memory;          /* for a wait of a call that was settled */
};

/*
 * The call with which a later chapter opens is the last one of the chapter before, whose ledger has
 * charged it: it is not charged again, but its causes are heard of on both sides. It is a blocking
 * collective of all ranks, which all have entered before any leaves, and nothing else: it has
 * neither messages nor a longest wait, nor is anything of it cut off or uncertain.
 */

/* The rest of ledger is zero, and to be freed with fini in any case. */
void mwa_wait_ledger_init(struct mwa_wait_ledger *ledger, const struct mwa_trace *trace,
                          uint32_t slot, const struct mwa_scope *scope);
void mwa_wait_ledger_fini(struct mwa_wait_ledger *ledger);

/* Hands the result over, in ns but for its delays. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_wait_ledger_finish(struct mwa_wait_ledger *ledger,
                                      struct mwa_waits *result) MW_MUST_CHECK;

/*
 * Adds what later, the ledger of the next chapter, has charged (append in analysis.h), but for what
 * it has heard of delays; all calls of both are settled. Lists of later's may be taken. MW_OK,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_wait_ledger_append(struct mwa_wait_ledger *ledger,
                                      struct mwa_wait_ledger *later,
                                      const struct mwa_seam *seam) MW_MUST_CHECK;

/* Says where and of which message wait, of a later chapter, is in the run. False without memory. */
bool mwa_wait_place_in_run(struct mwa_wait *wait, const struct mwa_seam *seam) MW_MUST_CHECK;

/* False for calls that never wait: MPI_Test and its like, and events outside of calls. */
bool mwa_may_wait(const struct mwa_exchange_call *call);

/*
 * A wait of call for another rank's call (null: for nobody) on comm (an index), from its enter on,
 * of no length as yet.
 */
struct mwa_wait mwa_wait_in(const struct mwa_wait_ledger *ledger,
                            const struct mwa_exchange_call *call,
                            const struct mwa_exchange_call *cause, uint32_t comm);

/* wait, of call, lasts from since to until, ticks. What a row of polls is outside of MPI between
 * them is no part of it, and taken to be before. */
void mwa_wait_last(struct mwa_wait *wait, const struct mwa_exchange_call *call, uint64_t since,
                   uint64_t until);

/* The same until cause is entered, or until the call's leave, which is counted. \return false: that
 * was before the call, and *wait is not set. */
bool mwa_wait_until(struct mwa_wait_ledger *ledger, const struct mwa_exchange_call *call,
                    const struct mwa_exchange_call *cause, uint32_t comm, struct mwa_wait *wait);

/*
 * Counts what a member of a collective operation on comm spends in its call before last, the
 * member that comes last: more than what is charged where it may have gone on without that one,
 * and nobody can tell. \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_wait_unmet(struct mwa_wait_ledger *ledger,
                              const struct mwa_exchange_call *call,
                              const struct mwa_exchange_call *last, uint32_t comm) MW_MUST_CHECK;

/* A call of rank has received what was sent earlier than what it had waited for, ticks after the
 * call with which it received before. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_wait_reordered(struct mwa_wait_ledger *ledger, uint32_t rank,
                                  uint64_t ticks) MW_MUST_CHECK;

/* Charges wait. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_wait_charge(struct mwa_wait_ledger *ledger, enum mwa_wait_pattern pattern,
                               const struct mwa_wait *wait) MW_MUST_CHECK;

/* The same of a late sender, besides which only what is behind it is remembered of call. */
enum mw_status mwa_wait_charge_late_sender(struct mwa_wait_ledger *ledger,
                                           struct mwa_exchange_call *call,
                                           const struct mwa_wait *wait) MW_MUST_CHECK;
/* Until when, ticks, call has waited for a late sender; 0: it had none. */
uint64_t mwa_wait_sent(const struct mwa_wait_ledger *ledger, const struct mwa_exchange_call *call);

/*
 * Remembers wait, or what of it is behind a late sender, if it is the longest of call.
 * part_since: the rest of an early wait from here on is late complete, 0: none is. \return MW_OK,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_wait_remember(struct mwa_wait_ledger *ledger, struct mwa_exchange_call *call,
                                 enum mwa_wait_pattern pattern, const struct mwa_wait *wait,
                                 uint64_t part_since) MW_MUST_CHECK;

/* Nothing more is told of call: charges what is remembered of it. */
void mwa_wait_settle(struct mwa_wait_ledger *ledger, struct mwa_exchange_call *call);

#endif
