#ifndef MWA_ANALYSIS_HANG_HANG_OUTSTANDING_H
#define MWA_ANALYSIS_HANG_HANG_OUTSTANDING_H

#include "analyzer/analysis/hang/hang_state.h"

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
};

void mwa_hang_outstanding_fini(struct mwa_hang_outstanding *all);

/* The rank's request of that id, which has its rank and id and, if it is new, nothing else; valid
 * until the next call. Null: no memory. */
struct mwa_hang_request *mwa_hang_request_of(struct mwa_hang_outstanding *all, uint32_t rank,
                                             uint64_t id);

/* Adds to the balance of such messages. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_hang_add_message(struct mwa_hang_outstanding *all,
                                    const struct mwa_hang_message *add) MW_MUST_CHECK;

/* Adds what another one has. Begun in one of them and ended in the other a request is not there,
 * whichever comes first. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_hang_outstanding_merge(struct mwa_hang_outstanding *into,
                                          const struct mwa_hang_outstanding *from) MW_MUST_CHECK;

#endif
