#ifndef MWA_ANALYSIS_HANG_HANG_OUTSTANDING_H
#define MWA_ANALYSIS_HANG_HANG_OUTSTANDING_H

#include "analyzer/analysis/hang/hang_state.h"
#include "formats/base/buffer.h"

/*
 * Requests that have begun and not ended, and messages that were sent and not received, among what
 * came to nothing since somebody swept: memory is as large as what is outstanding, however long the
 * record is. All zero is empty. Of one thread.
 */
struct mwa_hang_outstanding {
    struct mwa_index request_index; /* rank, request */
    struct mwa_hang_request *requests; /* in the order in which they were met */
    struct mwa_index message_index; /* from and to, comm and tag */
    struct mwa_hang_message *messages;
    uint64_t requests_left; /* at the last time */
    uint64_t messages_left;
    struct mwa_map latest; /* rank, comm: when the latest was begun of the collective operations on
                              it that have ended, ticks */
};

void mwa_hang_outstanding_fini(struct mwa_hang_outstanding *all);

/* The rank's request of that id, which has its rank and id and, if it is new, nothing else; valid
 * until the next call. Null: no memory. */
struct mwa_hang_request *mwa_hang_request_of(struct mwa_hang_outstanding *all, uint32_t rank,
                                             uint64_t id);

/* Adds to the balance of such messages. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_hang_add_message(struct mwa_hang_outstanding *all,
                                    const struct mwa_hang_message *add) MW_MUST_CHECK;

/* A collective operation of the rank on comm, which it had begun then, has ended.
 * \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_hang_end_collective(struct mwa_hang_outstanding *all, uint32_t rank,
                                       uint32_t comm, uint64_t begun) MW_MUST_CHECK;

/*
 * Numbers those of states' requests that are collective operations and there: as many of the rank's
 * on their communicators, which states counts all, were begun before them. Not known is the number
 * of one behind which others were begun that have ended.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_hang_number_collectives(const struct mwa_hang_outstanding *all,
                                           struct mwa_hang_states *states) MW_MUST_CHECK;

/* For another process (analyzer/team/packing.h): what is taken out is there to be merged.
 * \return MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT. */
void mwa_hang_outstanding_pack(const struct mwa_hang_outstanding *all, struct mw_buffer *to);
enum mw_status mwa_hang_outstanding_unpack(struct mwa_hang_outstanding *all,
                                           struct mw_cursor *from) MW_MUST_CHECK;

/* Adds what another one has. Begun in one of them and ended in the other a request is not there,
 * whichever comes first. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_hang_outstanding_merge(struct mwa_hang_outstanding *into,
                                          const struct mwa_hang_outstanding *from) MW_MUST_CHECK;

#endif
