/*
 * A key means the same in all tables that have it, but for some: so its meaning is not told with
 * each column, but by the key, of what is above it no more than is needed.
 */
#include "analyzer/table/meanings.h"

#include <stddef.h>
#include <string.h>

static const struct meaning {
    const char *keys;
    const char *text;
} meanings[] = {
#define MEANING(keys, text) { keys, text },
#include "analyzer/table/meanings.def"
#include "analyzer/table/meanings_of_events.def"
#include "analyzer/table/meanings_of_variables.def"
#undef MEANING
};

/* That of exactly these keys. */
static const char *find(const char *keys)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strcmp(meanings[i].keys, keys) == 0) {
            return meanings[i].text;
        }
    }
    return NULL;
}

const char *mwa_meaning(const char *way)
{
    const char *found = find(way);

    for (const char *dot = strchr(way, '.'); dot && !found; dot = strchr(dot + 1, '.')) {
        found = find(dot + 1);
    }
    return found;
}
