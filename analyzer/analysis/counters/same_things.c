#include "analyzer/analysis/counters/same_things.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* What levels and variables are of the same thing, by their names, and how they differ. */
static const struct same_thing {
    const char *level;
    const char *variable; /* a glob */
    const char *of_level;
    const char *of_variable;
} same_things[] = {
    { "unexpected messages", "*unexpected*q*length*",
      "the program's, from when they are sent; the MPI's variable has those that have arrived, and "
      "the MPI's own, too",
      "what has arrived, the MPI's own messages (of collectives) included; the level from events "
      "has the program's, from when they are sent" },
};

/* What of a thing a rank has. */
enum { HAS_VARIABLE = 1, HAS_LEVEL = 2 };

static unsigned side_of(const struct mwa_watermark_row *row, const struct same_thing *thing)
{
    if (row->track->metric != MWA_NONE) {
        return fnmatch(thing->variable, row->track->name, 0) == 0 ? HAS_VARIABLE : 0;
    }
    return fnmatch(thing->level, row->track->name, 0) == 0 ? HAS_LEVEL : 0;
}

enum mw_status mwa_same_things_relate(const struct mwa_trace *trace,
                                      struct mwa_watermarks *watermarks)
{
    unsigned char *has = malloc(trace->rank_count + 1u);

    for (unsigned k = 0; has && k < sizeof same_things / sizeof same_things[0]; k++) {
        const struct same_thing *thing = &same_things[k];

        memset(has, 0, trace->rank_count);
        for (uint64_t i = 0; i < watermarks->count; i++) {
            has[watermarks->rows[i].track->rank] |=
                (unsigned char)side_of(&watermarks->rows[i], thing);
        }
        for (uint64_t i = 0; i < watermarks->count; i++) {
            struct mwa_watermark_row *row = &watermarks->rows[i];
            const unsigned side = side_of(row, thing);

            if (side != 0 && has[row->track->rank] == (HAS_VARIABLE | HAS_LEVEL)) {
                row->relation = side == HAS_VARIABLE ? thing->of_variable : thing->of_level;
            }
        }
    }
    if (!has) {
        return MW_ERROR_MEMORY;
    }
    free(has);
    return MW_OK;
}
