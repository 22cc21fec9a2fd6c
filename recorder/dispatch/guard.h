#ifndef MWR_DISPATCH_GUARD_H
#define MWR_DISPATCH_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "recorder/state/thread.h"

/*
 * Which calls are the application's own, and which are made by MPI, by a tool or by
 * a callback inside one of them. The outermost entry point of a thread leaves a mark
 * on its stack, to which the thread's guard points; while the guard is up, every
 * other entry goes straight to who is below the recorder (mwr_chain_inside).
 *
 * A call can be left without a return (longjmp from an error handler, a C++ exception);
 * then the guard stays up. It is seen to be stale when the new entry's mark is not
 * deeper in the stack than the old one, or when the old mark has been overwritten.
 */
struct mwr_mark {
    uintptr_t seal;  /* the lowest bit: the entry is PMPI_X */
    uintptr_t frame; /* where the stack of the entry point's caller ends: its CFA */
};

#define MWR_SEAL ((uintptr_t)0x6d70697761746368u)

static inline bool mwr_guard_is_stale(const struct mwr_mark *outermost, const struct mwr_mark *mark)
{
    /* The stack grows downwards on all machines that the MPIs of today run on. */
    return (uintptr_t)mark >= (uintptr_t)outermost ||
           (*(const volatile uintptr_t *)&outermost->seal ^ (uintptr_t)outermost ^ MWR_SEAL) > 1;
}

/* \return true when this is the application's call, by PMPI_X if is_pmpi: the guard is up then. */
static inline bool mwr_guard_raise(struct mwr_mark *mark, bool is_pmpi)
{
    const struct mwr_mark *outermost = mwr_thread.outermost;

    if (MW_UNLIKELY(outermost != NULL) && !mwr_guard_is_stale(outermost, mark)) {
        return false;
    }
    *(volatile uintptr_t *)&mark->seal = (uintptr_t)mark ^ (MWR_SEAL | is_pmpi);
    mwr_thread.outermost = mark;
    return true;
}

static inline void mwr_guard_lower(void)
{
    mwr_thread.outermost = NULL;
}

/* Whether the call under way has come in by PMPI_X: a PMPI tool below does not see it either. */
static inline bool mwr_guard_is_pmpi(void)
{
    const struct mwr_mark *outermost = mwr_thread.outermost;

    return outermost && ((outermost->seal ^ (uintptr_t)outermost) & 1);
}

#endif
