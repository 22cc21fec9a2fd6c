/* Instances of one template compute by themselves, and their names for people leave out what they
 * are instances for: rows that read the same tell nobody which one it is. */
#include "analyzer/model/sampled_name.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/function_name.h"

#define NAME_BYTES 256

/* Whether it is another one of the name. */
static bool is_another(const char *function, const char *name, const char *other)
{
    char text[NAME_BYTES];

    return strcmp(other, function) != 0 &&
           strcmp(mwa_function_name(other, text, sizeof text), name) == 0;
}

const char *mwa_sampled_name(const struct mwa_sampled *sampled, const char *function, char *text,
                             size_t size)
{
    const char **others = strchr(function, '(') ? calloc(sampled->spot_count + 1, sizeof *others)
                                                : NULL; /* what has no parameters is whole */
    char name[NAME_BYTES];
    size_t count = 0;

    mwa_function_name(function, name, sizeof name);
    for (uint64_t i = 0; others && i < sampled->spot_count; i++) {
        const struct mwa_sampled_spot *spot = &sampled->spots[i];

        if (spot->first == i && is_another(function, name, spot->function)) {
            others[count++] = spot->function;
        }
    }
    mwa_function_name_among(function, others, count, text, size);
    free(others);
    return text;
}
