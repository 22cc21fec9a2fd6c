#ifndef MW_FORMATS_MERGE_MERGE_TEXTS_H
#define MW_FORMATS_MERGE_MERGE_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/index_table.h"
#include "formats/spool/definition.h"

/*
 * The texts of all processes' definitions, equal ones once: processes say the same, and what they
 * said it in need not stay in memory. A part of formats/merge. A zeroed one is empty.
 */
struct mw_merged_texts {
    char **texts;
    uint32_t count;
    struct mw_index_table by_text;
};

/* Makes the texts of a definition those that are kept here. False without memory. */
bool mw_merge_keep_texts(struct mw_merged_texts *texts, struct mw_definition *definition);

void mw_merged_texts_fini(struct mw_merged_texts *texts);

#endif
