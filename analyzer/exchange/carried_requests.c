/* An engine and matching alone are told of the same requests, in the same order. */
#include "analyzer/exchange/carried_requests.h"

/* Where the part ends on a location, in events of OTF2; UINT64_MAX: with the record. */
static uint64_t end_of(const struct mwa_reading_start *next, uint32_t location)
{
    return next && next->locations[location].is_there ? next->locations[location].events
                                                      : UINT64_MAX;
}

/* What was posted on location before, and ends in the part. */
static enum mw_status visit_ending(const struct mwa_carried_visit *visit, uint32_t location,
                                   const struct mwa_location_start *start, uint64_t end)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < start->carried_count && status == MW_OK; i++) {
        const struct mwa_carried_request *what = &start->carried[i];

        if (what->kind == MWA_IRECV_POST && what->end < end) {
            status = visit->ends(visit->user, location, what);
        }
    }
    return status;
}

/* What is open on location where the part ends; before it there were so many events. */
static enum mw_status visit_open(const struct mwa_carried_visit *visit, uint32_t location,
                                 uint64_t before, const struct mwa_location_start *next)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < next->carried_count && status == MW_OK; i++) {
        const struct mwa_carried_request *what = &next->carried[i];

        status = visit->goes_on(visit->user, location, what, what->begin < before);
    }
    return status;
}

enum mw_status mwa_carried_requests_visit(const struct mwa_trace *trace,
                                          const struct mwa_reading_start *start,
                                          const struct mwa_reading_start *next,
                                          const struct mwa_carried_visit *visit)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        const struct mwa_location_start *first = start ? &start->locations[i] : NULL;
        const uint64_t before = first && first->is_there ? first->events : 0;

        if (trace->locations[i].rank == MWA_NONE) {
            continue;
        }
        if (before > 0) {
            status = visit_ending(visit, i, first, end_of(next, i));
        }
        if (status == MW_OK && end_of(next, i) != UINT64_MAX) {
            status = visit_open(visit, i, before, &next->locations[i]);
        }
    }
    return status;
}
