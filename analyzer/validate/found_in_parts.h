#ifndef MWA_VALIDATE_FOUND_IN_PARTS_H
#define MWA_VALIDATE_FOUND_IN_PARTS_H

#include "analyzer/validate/findings.h"

/* Looks at a part of an archive, and adds what it finds to found; by any thread. */
typedef void mwa_part_check(void *user, uint64_t part, struct mwa_findings *found);

/*
 * Looks at parts 0 to count - 1 by so many threads, 1 at least, of which the calling one is the
 * first: each takes the next part that none has taken. What is found is added to findings in the
 * order of the parts, whoever found it; without memory for that a failure is, and parts may be left
 * out. Where a thread can't be had, those that there are do all.
 */
void mwa_find_in_parts(struct mwa_findings *findings, uint64_t count, uint32_t threads,
                       mwa_part_check *check, void *user);

#endif
