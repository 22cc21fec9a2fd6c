#ifndef MWA_ANALYSIS_MESSAGES_TAGS_H
#define MWA_ANALYSIS_MESSAGES_TAGS_H

#include "analyzer/analysis/analysis.h"

/* How many messages were sent with which tag, in the order of tags. */
struct mwa_tags {
    struct mwa_tag {
        uint32_t tag;
        uint64_t count;
        uint64_t bytes;
    } *rows;
    uint64_t count;
};

/* Finishes into struct mwa_tags. */
extern const struct mwa_analysis mwa_tags_analysis;

void mwa_tags_fini(struct mwa_tags *tags);

#endif
