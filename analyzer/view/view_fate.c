#include "analyzer/view/view_fate.h"

#include <stdio.h>
#include <string.h>

#define SUFFIX ".otf2"

/* Of the files that are known number i. False: the archive has no such file. */
static bool look(const char *path, unsigned i, struct stat *found)
{
    const size_t length = strlen(path), cut = strlen(SUFFIX);
    const bool is_anchor = length > cut && strcmp(path + length - cut, SUFFIX) == 0;
    char name[4096];
    int end;

    if (i == 0) {
        return stat(path, found) == 0;
    }
    end = snprintf(name, sizeof name, "%.*s%s", (int)(length - (is_anchor ? cut : 0)), path,
                   i == 1 ? ".def" : "");
    return is_anchor && end > 0 && (size_t)end < sizeof name && stat(name, found) == 0;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino &&
           one->st_size == other->st_size && one->st_mtim.tv_sec == other->st_mtim.tv_sec &&
           one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

void mwa_view_fate_init(struct mwa_view_fate *fate, const char *path)
{
    *fate = (struct mwa_view_fate){ .path = path };
    for (unsigned i = 0; i < MWA_VIEW_FATE_FILES; i++) {
        fate->is_there[i] = look(path, i, &fate->found[i]);
    }
}

const char *mwa_view_fate_tell(const struct mwa_view_fate *fate)
{
    const char *sentence = NULL;

    for (unsigned i = 0; i < MWA_VIEW_FATE_FILES; i++) {
        struct stat found;

        if (!fate->is_there[i]) {
            continue;
        }
        if (!look(fate->path, i, &found)) {
            return "The archive has been removed since it was opened.";
        }
        if (!is_same(&fate->found[i], &found)) {
            sentence = "The archive has been changed since it was opened.";
        }
    }
    return sentence;
}
