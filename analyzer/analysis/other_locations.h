#ifndef MWA_ANALYSIS_OTHER_LOCATIONS_H
#define MWA_ANALYSIS_OTHER_LOCATIONS_H

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * The locations of ranks that are not their main threads and have events of their own: threads, and
 * streams of accelerators. Those that have only metrics are none. Which of them have a row of their
 * own over time is chosen before the pass, so that memory does not grow with those of a large run.
 */

#define MWA_OTHER_LOCATIONS_SOME 64u

enum mwa_locations {
    MWA_LOCATIONS_SOME, /* the first MWA_OTHER_LOCATIONS_SOME */
    MWA_LOCATIONS_ALL,
    MWA_LOCATIONS_MAIN  /* none but main threads */
};

struct mwa_other_location {
    uint32_t rank;
    uint32_t location; /* index */
    uint32_t number;   /* of the rank's: threads from 1 on, streams from 0 on */
};

struct mwa_other_locations {
    struct mwa_other_location *all; /* by rank, then as in the archive */
    uint64_t count;
    uint32_t *index_of;  /* by location; MWA_NONE: it is none of them */
    uint64_t first;      /* the first one that has a row, */
    uint64_t rows;       /* how many from there on have one, */
    uint64_t candidates; /* and of how many */
};

/*
 * Lists them; of rank (MWA_NONE: of all) some have rows.
 *
 * \return MW_OK; MW_ERROR_MEMORY. mwa_other_locations_fini is due in any case.
 */
enum mw_status mwa_other_locations_make(const struct mwa_trace *trace, uint32_t rank,
                                        enum mwa_locations which,
                                        struct mwa_other_locations *others) MW_MUST_CHECK;
void mwa_other_locations_fini(struct mwa_other_locations *others);

/* The position of the first one of rank, or where it would be; *count of them. */
uint64_t mwa_other_locations_of(const struct mwa_other_locations *others, uint32_t rank,
                                uint64_t *count);

/* "thread", "stream", in OTF2's terms. */
const char *mwa_location_kind_name(enum mwa_location_kind kind);

#define MWA_LOCATION_LABEL_BYTES 32

/* "3.1", thread 1 of rank 3; "3.s0", its stream 0. The main thread is "3.0". */
const char *mwa_location_label(const struct mwa_trace *trace,
                               const struct mwa_other_locations *others, uint32_t location,
                               char *text);

#endif
