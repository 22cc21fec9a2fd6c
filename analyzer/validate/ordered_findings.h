#ifndef MWA_VALIDATE_ORDERED_FINDINGS_H
#define MWA_VALIDATE_ORDERED_FINDINGS_H

#include <pthread.h>

#include "analyzer/validate/findings.h"

/*
 * Findings of parts of an archive that several threads look at, told in the order of the parts:
 * what is found of one waits until all before it are through.
 */
struct mwa_found_part;

struct mwa_ordered_findings {
    pthread_mutex_t lock;
    struct mwa_findings *findings; /* where they are told */
    struct mwa_found_part *parts;
    uint64_t count;
    uint64_t told; /* so many first ones */
};

/*
 * To be ended with mwa_ordered_findings_fini in any case. findings are somebody else's, and nobody
 * may add to them meanwhile.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ordered_findings_init(struct mwa_ordered_findings *ordered,
                                         struct mwa_findings *findings, uint64_t count,
                                         struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_ordered_findings_fini(struct mwa_ordered_findings *ordered);

/* No findings, of the same archive as those of ordered; any thread, as all functions below. */
void mwa_ordered_findings_begin(const struct mwa_ordered_findings *ordered,
                                struct mwa_findings *found);

/*
 * The part, below count, is through, once: found has what was found, and is empty afterwards.
 *
 * \return MW_OK. MW_ERROR_MEMORY: what was found is lost, and what comes behind it.
 */
enum mw_status mwa_ordered_findings_put(struct mwa_ordered_findings *ordered, uint64_t part,
                                        struct mwa_findings *found,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
