#ifndef MWA_EXCHANGE_ORDERING_H
#define MWA_EXCHANGE_ORDERING_H

#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * The events of messages and collectives of each rank in order of *initiation*, whatever the
 * number of its threads: a blocking receive or collective stands where its call was entered,
 * everything else at its own time. Ranks with one location are passed through; the locations
 * of other ranks are merged as far as all of them have been read.
 *
 * A matched probe that blocks (MPI_Mprobe) stands where it was entered, too, as long as the run
 * does not show otherwise: an MPI may give messages to the threads that look first, in no order of
 * their calls. Where another thread received or found a message of the same communicator, source
 * and tag in a call that was entered later and left earlier, the probe stands where it was left.
 */

struct mwa_ordering;

/*
 * Receives the events of rank in order, each with the object that came with it. What it
 * returns other than MW_OK stops.
 */
typedef enum mw_status (*mwa_ordered_visit)(void *user, uint32_t rank,
                                            const struct mwa_event *event, uint64_t enter,
                                            void *object);

/*
 * \return MW_OK and *ordering, to be freed with mwa_ordering_destroy; trace must outlive
 * it. MW_ERROR_MEMORY.
 */
enum mw_status mwa_ordering_create(const struct mwa_trace *trace, mwa_ordered_visit visit,
                                   void *user, struct mwa_ordering **ordering,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_ordering_destroy(struct mwa_ordering *ordering);

/*
 * Takes the next event of its location; enter is when the outermost MPI call around it
 * was entered, object anything. Events of locations without a rank, and kinds that
 * mwa_is_ordered is false for, are dropped.
 *
 * \return MW_OK, MW_ERROR_MEMORY, or what visit returned.
 */
enum mw_status mwa_ordering_event(struct mwa_ordering *ordering, const struct mwa_event *event,
                                  uint64_t enter, void *object) MW_MUST_CHECK;

/* Whether events of kind say anything of messages or collectives. */
#define MWA_ORDERED_KINDS                                                                         \
    (1u << MWA_SEND | 1u << MWA_ISEND | 1u << MWA_ISEND_COMPLETE | 1u << MWA_IRECV_POST |         \
     1u << MWA_IRECV | 1u << MWA_RECV | 1u << MWA_CANCELLED | 1u << MWA_MEASUREMENT |             \
     1u << MWA_COLLECTIVE_END | 1u << MWA_COLLECTIVE_POST | 1u << MWA_COLLECTIVE_COMPLETE |       \
     1u << MWA_COMM_CREATE | 1u << MWA_WINDOW_COLLECTIVE | 1u << MWA_ONESIDED |                   \
     1u << MWA_FOUND)

static inline bool mwa_is_ordered(enum mwa_event_kind kind)
{
    return MWA_ORDERED_KINDS >> kind & 1u;
}

/* The outermost call of MPI that is open in location is left at time: all its events were taken. */
void mwa_ordering_leave(struct mwa_ordering *ordering, uint32_t location, uint64_t time);

/* No later event of location begins before time. Returns as mwa_ordering_event. */
enum mw_status mwa_ordering_advance(struct mwa_ordering *ordering, uint32_t location,
                                    uint64_t time) MW_MUST_CHECK;

#endif
