#ifndef MWA_ANALYSIS_MESSAGES_PENDING_REQUESTS_H
#define MWA_ANALYSIS_MESSAGES_PENDING_REQUESTS_H

#include "analyzer/load/reading_start.h"
#include "analyzer/model/event.h"
#include "analyzer/model/map.h"
#include "analyzer/model/pool.h"
#include "analyzer/model/trace.h"

/*
 * Requests that ranks have begun and that have not ended, as far as they were told. Threads of a
 * rank may be told in another order than that of time: an end by another thread that comes before
 * its request is kept until that is met. There a number may be begun several times before its ends
 * come, as other tools have numbers: the first end is of the first one. In a rank with one thread a
 * number that is begun again had an end that nobody told. Not thread-safe.
 */

struct mwa_pending_request {
    enum mwa_event_kind kind;
    uint32_t site;          /* index, MWA_NONE: none */
    struct mwa_key channel; /* of a send, as the caller has them; high UINT64_MAX: none */
    struct mwa_pending_request *next; /* private: of the same number; behind the last the first */
};

/* All zeros, but for trace, has none. Fields are private. */
struct mwa_pending_requests {
    const struct mwa_trace *trace;
    struct mwa_map open;  /* rank, request: the last struct mwa_pending_request * of it */
    struct mwa_map ended; /* the same, of ends told before their begins: their kinds */
    uint64_t open_count;  /* of all numbers */
    struct mwa_pool pool;
    const struct mwa_reading_start *start, *next;
};

/*
 * Tells, before all else, what is open where the part of the run begins that is followed, and where
 * it ends (analysis.h): the former are pending, and the latter will be. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_pending_requests_carry(struct mwa_pending_requests *pending,
                                          const struct mwa_reading_start *start,
                                          const struct mwa_reading_start *next) MW_MUST_CHECK;

/*
 * A request of rank is begun. *ended: whether it is over, for its end was told before, and the kind
 * of event that was; else it is pending. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_pending_requests_begin(struct mwa_pending_requests *pending, uint32_t rank,
                                          uint64_t number,
                                          const struct mwa_pending_request *request, bool *ended,
                                          enum mwa_event_kind *by) MW_MUST_CHECK;

/*
 * The event ends a request of rank. *was_pending: and *request tells which; else it may be told
 * later. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_pending_requests_end(struct mwa_pending_requests *pending, uint32_t rank,
                                        const struct mwa_event *event, bool *was_pending,
                                        struct mwa_pending_request *request) MW_MUST_CHECK;

/* Whether those that are pending are those that the part should end with, and no end was told of
 * anything else. */
bool mwa_pending_requests_are_as_told(const struct mwa_pending_requests *pending);

/* Forgets those that end behind the part. */
void mwa_pending_requests_hand_on(struct mwa_pending_requests *pending);

/* The next one of *at on, which it leads behind, and its rank; of a number the one that was told
 * last. Null: there are no more. */
const struct mwa_pending_request *
mwa_pending_requests_next(const struct mwa_pending_requests *pending, uint64_t *at,
                          uint32_t *rank);

/* Forgets all that are pending. */
void mwa_pending_requests_forget(struct mwa_pending_requests *pending);
void mwa_pending_requests_fini(struct mwa_pending_requests *pending);

#endif
