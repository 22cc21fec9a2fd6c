#ifndef MWR_STATE_THREAD_TALLIES_H
#define MWR_STATE_THREAD_TALLIES_H

#include <stdint.h>

#include "formats/spool/tallies.h"
#include "recorder/state/thread.h"

/*
 * How often each thread made each call on each communicator that is not recorded. The counts
 * are in a file of the spool that is written through memory, so that they outlive a process
 * that is killed; where there can't be one, in memory.
 */

/* Pairs of communicator and call that a thread tells apart. */
#define MWR_TALLIES_MAX 200000u

/* Where a thread looks for the tally of a communicator and a call first. */
MW_INLINE unsigned mwr_tally_place(uint32_t comm, unsigned call)
{
    return (comm * 5 + call) % MWR_TALLIES_RECENT;
}

/*
 * The tally of this thread, which records, for a communicator and a call. Never null; valid
 * until the thread's next call of this function.
 */
struct mw_tally *mwr_tally_search(uint32_t comm, unsigned call);

MW_INLINE struct mw_tally *mwr_tally_of(uint32_t comm, unsigned call)
{
    struct mw_tally *recent = mwr_thread.tallies[mwr_tally_place(comm, call)];

    return MW_LIKELY(recent && recent->comm == comm && recent->call == call + 1)
               ? recent
               : mwr_tally_search(comm, call);
}

/*
 * Whether all threads' tallies are in files, which are read where nothing was told, and have what
 * is counted until the process is gone. With mwr_recorder.lock held.
 */
bool mwr_tallies_are_in_files(void);

/* Writes all threads' tallies to the definitions: at the end, with mwr_recorder.lock held. */
void mwr_tallies_tell(void);

#endif
