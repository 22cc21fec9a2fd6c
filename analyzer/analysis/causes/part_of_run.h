#ifndef MWA_ANALYSIS_CAUSES_PART_OF_RUN_H
#define MWA_ANALYSIS_CAUSES_PART_OF_RUN_H

#include "analyzer/analysis/causes/cause_judges.h"

/*
 * What each rank measured of itself outside of MPI: that it slept, wrote files, was in the kernel …
 * Who is to blame for that, and what the run could be shorter by without it. For judges.
 */

/* How long a rank does, or lacks, something of one kind, ns. */
typedef uint64_t (*mwa_part_ns)(const struct mwa_judging *judging, const struct mwa_rank_row *row);

/* Blames the ranks of whom that much of their run is lost that it matters, and `least` of what the
 * one loses that loses most, which is the first. False: nobody. */
bool mwa_blame_those(const struct mwa_judging *judging, mwa_part_ns lost_ns, double least,
                     struct mwa_cause *cause);

/*
 * What the run could be shorter by, ns, without a part of what ranks compute, or without what they
 * do beside it, as sleep is: by as much as the longest computing is, as what is longer elsewhere
 * stays so; or by what others wait for those that are named, or have ended earlier, beyond what
 * those were off their cores: so much they would wait without it, too. Who does it while it had to
 * wait for others anyway delays nobody.
 */
uint64_t mwa_without_ns(const struct mwa_judging *judging, const struct mwa_cause *cause,
                        mwa_part_ns part, bool is_beside);

/* Blames those of whose run such a part of computing takes so much that it matters. False: nobody.
 */
bool mwa_blame_for(const struct mwa_judging *judging, mwa_part_ns part, struct mwa_cause *cause);

/* Names the site of calls before which there is so much of all that there is, if that is most. */
void mwa_name_most(struct mwa_cause *cause, uint32_t site, uint64_t before, uint64_t all);

#endif
