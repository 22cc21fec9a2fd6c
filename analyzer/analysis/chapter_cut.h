#ifndef MWA_ANALYSIS_CHAPTER_CUT_H
#define MWA_ANALYSIS_CHAPTER_CUT_H

#include "analyzer/load/reading_start.h"

/* A part of a run (analyzer/load/chapters.h), and what of a location (an index) is in it. */

struct mwa_chapter {
    const struct mwa_reading_start *start; /* where it begins; null: at the beginning */
    const struct mwa_reading_start *next;  /* the call behind it is the last; null: to the end */
};

/* Whether anything is: what does not call MPI is in the first one. chapter null: it is all. */
bool mwa_chapter_has(const struct mwa_chapter *chapter, uint32_t location);

/* Whether the call that is entered with so many events of OTF2 is the first of start's, which may
 * be null. */
bool mwa_chapter_begins(const struct mwa_reading_start *start, uint32_t location, uint64_t events);

/* So many events of OTF2 are in the chapters before, with those of the call that this one has,
 * too, if there is one; chapter null: none. */
uint64_t mwa_chapter_before(const struct mwa_chapter *chapter, uint32_t location);

/* So many events of OTF2 are in it, and before it; UINT64_MAX: all. */
uint64_t mwa_chapter_end(const struct mwa_chapter *chapter, uint32_t location);

#endif
