#ifndef MWA_ANALYSIS_MESSAGES_MISTAKES_H
#define MWA_ANALYSIS_MESSAGES_MISTAKES_H

#include "analyzer/analysis/analysis.h"

/*
 * What a program leaves undone, or does otherwise on one rank than on another, without hanging on
 * it: sends that nobody receives, requests that never complete, collective operations that ranks
 * call in another order, with another root, another MPI_Op, other types or other counts; and sends
 * on which it would hang if the MPI did not keep messages (send_circles.h).
 */

enum mwa_mistake_kind {
    MWA_MISTAKE_ORDER,      /* of collective operations on a communicator */
    MWA_MISTAKE_ROOT,       /* of one of them */
    MWA_MISTAKE_REDUCTION,  /* MPI_Op of one of them */
    MWA_MISTAKE_TYPE,       /* of what is sent or received in one of them */
    MWA_MISTAKE_COUNT,      /* bytes that are sent in one are not those that are received */
    MWA_MISTAKE_CIRCLE,     /* of sends that need each other */
    MWA_MISTAKE_UNRECEIVED, /* sent, and never received */
    MWA_MISTAKE_UNMATCHED,  /* a receive that was posted, and never complete nor cancelled */
    MWA_MISTAKE_UNFINISHED, /* another request likewise: never waited for, or freed meanwhile */
    MWA_MISTAKE_KINDS
};

struct mwa_mistake {
    enum mwa_mistake_kind kind;
    bool is_sure;    /* else it may be that a record which is missing has the other half */
    uint32_t rank;   /* world rank: that sent, that posted, or one of those that disagree */
    uint32_t other;  /* to whom, or with whom; MWA_NONE: not told */
    uint32_t comm;   /* index, MWA_NONE: not told */
    uint32_t tag;    /* the least, MWA_NONE: of no message, or not told */
    uint32_t site;   /* index, MWA_NONE: not known */
    uint32_t other_site;
    uint64_t count;  /* how often that is */
    uint64_t bytes;  /* COUNT: sent and received where least were; CIRCLE: the smallest message, of
                        several circles of the one where it is greatest; else UINT64_MAX */
    uint64_t other_bytes;
    uint32_t term;       /* REDUCTION: enum mw_reduction, TYPE: scalar (formats/table/terms.h) */
    uint32_t other_term; /* of several the least; 0: not told */
};

struct mwa_mistakes {
    struct mwa_mistake *list; /* those that are sure first, by kind, the most frequent first */
    uint64_t count;
    uint64_t capacity;
};

/* "MPI_SUM", "int32": what one side of the mistake is about; null: there is none. */
const char *mwa_mistake_term(const struct mwa_mistake *mistake, bool of_other);

/* "order of collectives" and so on. */
const char *mwa_mistake_name(enum mwa_mistake_kind kind);

/* Adds one; what is as one of the latest, but for tag and bytes, counts with it. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_mistakes_add(struct mwa_mistakes *mistakes,
                                const struct mwa_mistake *mistake) MW_MUST_CHECK;

/* Adds all of more, makes one of those that are alike, and sorts them. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_mistakes_join(struct mwa_mistakes *mistakes,
                                 const struct mwa_mistakes *more) MW_MUST_CHECK;

void mwa_mistakes_fini(struct mwa_mistakes *mistakes);

extern const struct mwa_exchange_analysis mwa_mistakes_analysis; /* into struct mwa_mistakes */

#endif
