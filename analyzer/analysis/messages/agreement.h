#ifndef MWA_ANALYSIS_MESSAGES_AGREEMENT_H
#define MWA_ANALYSIS_MESSAGES_AGREEMENT_H

#include "analyzer/analysis/messages/mistakes.h"

/*
 * Whether the members of a communicator agree on their blocking collective operations: the n-th of
 * each is the same one, with the same root, and as many bytes are sent in it as are received
 * (formats/ARCHIVE.md, section 6). Of communicators within one job, whose members' records have no
 * gaps; bytes of archives by mpiwatch alone.
 */
struct mwa_agreement;

/* \return MW_OK, and mwa_agreement_destroy is due; MW_ERROR_MEMORY. */
enum mw_status mwa_agreement_create(const struct mwa_trace *trace,
                                    struct mwa_agreement **agreement) MW_MUST_CHECK;

/* Takes an MWA_COLLECTIVE_END. Mistakes that it shows are added. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_agreement_take(struct mwa_agreement *agreement,
                                  const struct mwa_moment *moment,
                                  struct mwa_mistakes *mistakes) MW_MUST_CHECK;

void mwa_agreement_destroy(struct mwa_agreement *agreement); /* null is fine */

#endif
