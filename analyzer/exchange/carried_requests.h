#ifndef MWA_EXCHANGE_CARRIED_REQUESTS_H
#define MWA_EXCHANGE_CARRIED_REQUESTS_H

#include "analyzer/load/reading_start.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/* Requests of messages that are open where a part of a run begins, or where it ends. */

/* Who is told of each, by location; both MW_OK, or what the visit is to return. */
struct mwa_carried_visit {
    void *user;

    /* A receive that was posted before the part, and ends in it. */
    enum mw_status (*ends)(void *user, uint32_t location, const struct mwa_carried_request *what);

    /* A message that ends behind it; is_begun: it was before the part. */
    enum mw_status (*goes_on)(void *user, uint32_t location,
                              const struct mwa_carried_request *what, bool is_begun);
};

/*
 * Visits those of ranks' locations, of each the ones that end first. The part begins at start, or
 * with the run, and ends before next, or with it (null). \return MW_OK, or what visit returned.
 */
enum mw_status mwa_carried_requests_visit(const struct mwa_trace *trace,
                                          const struct mwa_reading_start *start,
                                          const struct mwa_reading_start *next,
                                          const struct mwa_carried_visit *visit) MW_MUST_CHECK;

#endif
