#ifndef MWR_HOOKS_CLOCK_RENEWAL_H
#define MWR_HOOKS_CLOCK_RENEWAL_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/archive/transport.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/hooks/message.h"
#include "recorder/state/own_clock.h"

/*
 * The offsets of the hosts' clocks while the run goes on, so that also one that is killed tells
 * more than those of its beginning. The first ranks of the hosts count the blocking collectives of
 * the program on MPI_COMM_WORLD that none of it can leave before all have entered (Barrier;
 * Allreduce, Allgather and Alltoall of some bytes), whether they are recorded or not. Of the 16 up
 * to the 32nd, 64th, 128th … rank 0 sends its times to the others, by messages that nobody waits
 * for. Each lies within what the other says (Cristian's bounds, one way each):
 *
 *     rank 0's enter - own leave <= offset <= rank 0's leave - own enter
 *
 * and the narrowest of the 16 becomes a MW_DEFINE_CLOCK. On one host, and on all other ranks, a
 * collective takes one comparison.
 */

#define MWR_RENEWAL_UNTIMED 1u

extern struct mwr_renewal_state {
    bool is_on; /* this rank takes part, and no collective has failed */
    uint64_t count;
    uint64_t next; /* the collective by which times are sent */
} mwr_renewal_state __attribute__((visibility("hidden")));

/* Before such a collective: its time, if that may be told; UNTIMED: it counts; 0: it doesn't. */
uint64_t mwr_renewal_enter_slowly(MPI_Comm comm, bool synchronises);

/* Behind it, unless that said 0. */
void mwr_renewal_leave(uint64_t enter, int result);

/* Whether so many of them are bytes: without any there is nothing to wait for. */
static inline bool mwr_renewal_carries(int64_t count, MPI_Datatype datatype)
{
    uint64_t bytes = mwr_bytes_of(count, datatype);

    return bytes > 0 && bytes != MW_BYTES_UNKNOWN;
}

/* synchronises is not looked at unless it counts. */
#define MWR_RENEWAL_ENTER(comm, synchronises)                                                   \
    (MW_UNLIKELY(mwr_renewal_state.is_on) && (comm) == MPI_COMM_WORLD                           \
         ? mwr_renewal_enter_slowly(comm, synchronises)                                         \
         : 0)

/* Collective, in MPI_Init, once the hosts are known. A failure leaves it off, on all ranks. */
void mwr_renewal_start(const struct mw_transport *transport);

/*
 * In MPI_Finalize, when all ranks are there: takes what was sent and has not been received, and
 * leaves no request. Of those that take part; the others return at once.
 */
void mwr_renewal_finish(void);

#endif
