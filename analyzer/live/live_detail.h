#ifndef MWA_LIVE_LIVE_DETAIL_H
#define MWA_LIVE_LIVE_DETAIL_H

#include "analyzer/analysis/comms/comm_history.h"
#include "analyzer/analysis/messages/traffic.h"
#include "analyzer/analysis/time/profile.h"
#include "analyzer/live/live.h"
#include "analyzer/live/live_hang.h"
#include "analyzer/live/live_peers.h"
#include "analyzer/live/live_trace.h"
#include "analyzer/live/live_variables.h"

/*
 * What the analyses of calls, messages and communicators say of a run while it runs: they take the
 * events of its spools, from the beginning on, each once, as they would take those of the archive.
 * What has been left (a view that is closed) is read when there is time again. Of one thread.
 */
struct mwa_live_detail;

struct mwa_live_found {
    struct mwa_profile profile; /* calls; of ranks nothing */
    struct mwa_traffic sent;
    struct mwa_traffic received; /* pairs: from who received to who sent */
    struct mwa_comms comms;
    double share;        /* as mwa_live_detail_share */
    uint64_t overwritten; /* calls that a ring lost before they were read */
    uint32_t damaged;    /* threads whose spools could be read no further */
    bool is_told;        /* by others, who tell waits and variables: nothing else is known */
};

/* What is looked for. */
enum mwa_live_depth {
    MWA_LIVE_OUTSTANDING, /* where ranks are, and what is outstanding between them; nothing else */
    MWA_LIVE_RESULTS,     /* what the views show (struct mwa_live_found) … */
    MWA_LIVE_WAITING      /* … and how much of their time ranks wait */
};

/* Of a run that others tell of nothing is read: it has what they tell, waits and variables, and
 * live has to live as long as it. Null: no memory. */
struct mwa_live_detail *mwa_live_detail_create(const struct mwa_live *live,
                                               enum mwa_live_depth depth);

/* Waits are of ranks of several hosts: those that look there hear of the calls here, and tell of
 * theirs. Before anything is read; peers live as long as detail. */
void mwa_live_detail_meet(struct mwa_live_detail *detail, struct mwa_live_peers *peers);

/* Takes what one of them tells, as mwa_live_peers_take calls it. */
bool mwa_live_detail_hear(void *detail, uint32_t from, const struct mw_cursor *records);

void mwa_live_detail_destroy(struct mwa_live_detail *detail); /* null is fine */

/*
 * Reads on, for about ns of the processor's time, 0: all that there is. Of processes that have
 * ended everything counts, of others all but the call that each thread makes, or made last. What
 * becomes known of waits is written into live's threads.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_detail_read(struct mwa_live_detail *detail, struct mwa_live *live,
                                    uint64_t ns, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Brings variables up to date, once a look. \return false: no memory. */
bool mwa_live_detail_look(struct mwa_live_detail *detail) MW_MUST_CHECK;

/* Why it is not known how much ranks wait, though it was asked for; MW_LIVE_KNOWN: it is. Of a run
 * that others tell of: of the first host that does not know. */
enum mw_live_no_waits mwa_live_detail_unknown(const struct mwa_live_detail *detail);

/* The same as words; null: it is known. */
const char *mwa_live_detail_no_waits(const struct mwa_live_detail *detail);

/* How far clocks of hosts can be apart from what was taken into account, as in struct
 * mw_live_waits; of a run that others tell of, of the two hosts of which it is most. */
uint64_t mwa_live_detail_clock_error(const struct mwa_live_detail *detail);

/* Calls of a rank's thread that have been read. */
uint64_t mwa_live_detail_calls(const struct mwa_live_detail *detail, uint32_t rank,
                               uint32_t thread);

/* How much of the calls that live's threads have made has been read, 0 to 1; but for those that
 * they make, or made last, which are not read before they can't change any more. */
double mwa_live_detail_share(const struct mwa_live_detail *detail, const struct mwa_live *live);

/* Whether all processes have ended, and all of their spools has been read. */
bool mwa_live_detail_is_done(const struct mwa_live_detail *detail);

/*
 * Where ranks are, by all that has been read with MWA_LIVE_OUTSTANDING; sites are codes of their
 * own records. *begin: when the first of them left MPI_Init, in ns, 0: none has. lost, of each
 * rank: calls that are not recorded.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_hang_states_fini is due in either case.
 */
enum mw_status mwa_live_detail_states(const struct mwa_live_detail *detail,
                                      struct mwa_hang_states *states, uint64_t *begin,
                                      uint64_t *lost) MW_MUST_CHECK;

/* What that comes to, of a depth that has it. mwa_live_found_fini is due in either case. \return
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_detail_find(const struct mwa_live_detail *detail,
                                    const struct mwa_live *live, struct mwa_live_found *found,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_live_found_fini(struct mwa_live_found *found);

/* The names of communicators that mwa_live_found has indices of; valid as long as detail. */
const struct mwa_live_trace *mwa_live_detail_trace(const struct mwa_live_detail *detail);

const struct mwa_live_variables *mwa_live_detail_variables(const struct mwa_live_detail *detail);

#endif
