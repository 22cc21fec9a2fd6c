#ifndef MWA_ANALYSIS_MESSAGES_TERMS_DEFERRED_H
#define MWA_ANALYSIS_MESSAGES_TERMS_DEFERRED_H

#include "analyzer/analysis/messages/terms_told.h"

/*
 * Operations of a chapter with heirs (terms_told.h): what is wrong with them is known once it is
 * known what earlier chapters have told last. Those that are alike in all that it depends on are
 * kept once, which are as many as there are places in the program from which members call.
 */

struct mwa_deferred_operation {
    uint32_t comm;
    uint32_t operation; /* OTF2_CollectiveOp */
    uint64_t times;
    uint64_t alike; /* position and 1 of another one with the same hash; 0: none */
    struct mwa_terms_told told;   /* heirs by rank */
    struct mwa_mistakes of_bytes; /* if its data is of one type: of counts */
};

/* Zeros: none. */
struct mwa_terms_deferred {
    struct mwa_deferred_operation *list;
    uint64_t count;
    uint64_t capacity;
    struct mwa_map by_hash; /* positions */
    uint64_t heirs;         /* of all of them */
    bool has_given_up;      /* there were too many to be kept: some are lost */
};

/* Takes told out of one, and the mistake of its bytes, which may be null. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_terms_deferred_add(struct mwa_terms_deferred *deferred, uint32_t comm,
                                      uint32_t operation, struct mwa_terms_told *told,
                                      const struct mwa_mistake *of_bytes) MW_MUST_CHECK;

/* Adds the mistakes of one, by the terms (mwa_terms_key) that were told last before the chapter.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_terms_deferred_judge(const struct mwa_deferred_operation *one,
                                        const struct mwa_map *terms,
                                        struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* Between processes (analyzer/team/packing.h); unpack into zeros, fini is due in any case. */
void mwa_terms_deferred_pack(const struct mwa_terms_deferred *deferred, struct mw_buffer *to);
enum mw_status mwa_terms_deferred_unpack(struct mwa_terms_deferred *deferred,
                                         const struct mwa_trace *trace,
                                         struct mw_cursor *from) MW_MUST_CHECK;
void mwa_terms_deferred_fini(struct mwa_terms_deferred *deferred);

#endif
