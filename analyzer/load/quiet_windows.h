#ifndef MWA_LOAD_QUIET_WINDOWS_H
#define MWA_LOAD_QUIET_WINDOWS_H

#include "analyzer/load/positions.h"
#include "analyzer/model/event.h"
#include "analyzer/model/map.h"
#include "formats/table/calls.h"

/*
 * What a location has under way on windows, for quiet_places.h. All that the exchange engine keeps
 * of them (exchange_onesided.h) is here, or more: notices that one side has read, accesses from
 * start to complete, locks from lock to unlock and the operations under them. What was unlocked
 * matters to those who wait at that time only.
 */
struct mwa_quiet_windows {
    struct mwa_map accesses;   /* window and target, from start to complete */
    struct mwa_map locks;      /* window and target, MWA_NONE for all, from lock to unlock */
    struct mwa_map operations; /* ids of those that a lock was held for and that are not done */
};

/*
 * Takes a step of rank in an outermost call of that kind; positions are those of trace. Adds to
 * *balance what it begins and takes off what it ends. False without memory.
 */
bool mwa_quiet_windows_take(struct mwa_quiet_windows *windows, const struct mwa_trace *trace,
                            struct mwa_positions *positions, uint32_t rank,
                            enum mw_call_kind kind, const struct mwa_onesided_data *step,
                            uint64_t *balance) MW_MUST_CHECK;

/* Whether an access goes on. */
bool mwa_quiet_windows_has_access(const struct mwa_quiet_windows *windows);

/* Whether a lock is held, or operations are not done that were begun under one. */
bool mwa_quiet_windows_has_locks(const struct mwa_quiet_windows *windows);

void mwa_quiet_windows_fini(struct mwa_quiet_windows *windows);

#endif
