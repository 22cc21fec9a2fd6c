#ifndef MWA_ANALYSIS_WAITS_WAITS_INTERNAL_H
#define MWA_ANALYSIS_WAITS_WAITS_INTERNAL_H

#include "analyzer/analysis/waits/waits.h"
#include "analyzer/model/pool.h"

/* What the files of the analysis of waits share. */

/* Late senders of a thread that may yet turn out to be received in the wrong order. */
#define MWA_LATE_KEPT 100u

struct mwa_late_sender {
    uint64_t sent; /* ticks; 0: none, or found to be in wrong order already */
    struct mwa_wait wait; /* ticks */
};

struct mwa_late_senders {
    struct mwa_late_sender kept[MWA_LATE_KEPT];
    uint64_t next;      /* where the next one goes, modulo MWA_LATE_KEPT */
    uint64_t last_sent; /* not before any of kept */
};

/* The longest wait of a call that completes several operations, until all of them are told. */
struct mwa_longest_wait {
    struct mwa_wait wait; /* ticks */
    enum mwa_wait_pattern pattern;
    uint64_t part_since; /* of early wait: late complete from here to the end of wait */
};

struct mwa_waiting {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_scope scope; /* from, to: ticks */
    struct mwa_waits result; /* in ticks until it is finished */
    struct mwa_late_senders **late; /* per location; null: none was late so far */
    struct mwa_pool longest;        /* struct mwa_longest_wait, in notes of calls */
    struct mwa_delay *delay;
    bool grouped; /* the collective that is looked at is one in which all meet */
    bool no_memory;
};

/*
 * Charges wait (ticks): cut to what is selected, nothing if that is 0. The delay's cost is
 * looked for behind it (delay.h).
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_waiting_charge(struct mwa_waiting *waiting, enum mwa_wait_pattern pattern,
                                  const struct mwa_wait *wait) MW_MUST_CHECK;

/* The same for late complete, the part of an early wait. */
enum mw_status mwa_waiting_charge_part(struct mwa_waiting *waiting,
                                       const struct mwa_longest_wait *wait) MW_MUST_CHECK;

/*
 * Remembers wait if it is the longest of call, to be charged when the call is settled; nothing
 * if the call had a late sender, which is charged already. part_since is for early wait.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_waiting_remember(struct mwa_waiting *waiting, struct mwa_exchange_call *call,
                                    enum mwa_wait_pattern pattern, const struct mwa_wait *wait,
                                    uint64_t part_since) MW_MUST_CHECK;

/* The time from since to until (ticks) in a call, cut off at its leave, which is counted. */
uint64_t mwa_waiting_until(struct mwa_waiting *waiting, const struct mwa_exchange_call *call,
                           uint64_t since, uint64_t until);

/* Whether call is not of its rank's main thread. */
bool mwa_is_other_thread(const struct mwa_waiting *waiting, const struct mwa_exchange_call *call);

/* False for calls that never wait: MPI_Test and its like, and events outside of calls. */
bool mwa_may_wait(const struct mwa_exchange_call *call);

/*
 * Charges member for having waited for cause to enter, at most to the end of its call; in a
 * non-blocking operation the longest such wait of the completing call counts.
 */
enum mw_status mwa_waiting_charge_member(struct mwa_waiting *waiting,
                                         enum mwa_wait_pattern pattern,
                                         const struct mwa_member *member,
                                         const struct mwa_member *cause) MW_MUST_CHECK;

/* Which of its sources, which are told, entered last; null: it has none. All have begun. */
const struct mwa_member *mwa_waits_last_source(const struct mwa_member *member);

/* Takes a complete collective on a neighbourhood. */
enum mw_status mwa_waits_at_neighbors(struct mwa_waiting *waiting,
                                      const struct mwa_collective *collective) MW_MUST_CHECK;

/* Takes a complete collective on an intercommunicator. */
enum mw_status mwa_waits_at_inter(struct mwa_waiting *waiting,
                                  const struct mwa_collective *collective) MW_MUST_CHECK;

/* What the engine tells. */
enum mw_status mwa_waits_on_end(void *waiting, struct mwa_exchange_call *call);
enum mw_status mwa_waits_on_message(void *waiting, struct mwa_message *message);
enum mw_status mwa_waits_on_collective(void *waiting, struct mwa_collective *collective);
enum mw_status mwa_waits_on_pair(struct mwa_waiting *waiting,
                                 const struct mwa_collective *pair); /* of on_collective */
void mwa_waits_on_settled(void *waiting, struct mwa_exchange_call *call);

#endif
