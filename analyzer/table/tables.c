/* All lists of results that have a file of their own in export --csv. */
#include "analyzer/table/tables.h"

const struct mwa_named_table mwa_tables[] = {
#define TABLE(name, ...) { #name, &mwa_##name##_table },
#include "analyzer/analysis/analyses.def"
    { NULL, NULL },
};
