#include "formats/archive_words.h"

#include <string.h>

static const char *const classes[MW_CLASS_COUNT] = {
    "STATE",        "LEVEL",   "SIZE",      "PERCENTAGE", "HIGHWATERMARK",
    "LOWWATERMARK", "COUNTER", "AGGREGATE", "TIMER",      "GENERIC"};

static const char *const sources[MW_NAME_SOURCES] = {"mpi", "registered", "unregistered"};

const char *mw_class_name(uint32_t class)
{
    return class < MW_CLASS_COUNT ? classes[class] : "?";
}

uint32_t mw_class_of(const char *word, size_t length)
{
    uint32_t class = 0;

    while (class < MW_CLASS_COUNT && (strlen(classes[class]) != length ||
                                      strncmp(classes[class], word, length) != 0)) {
        class++;
    }
    return class;
}

const char *mw_name_source_word(uint32_t source)
{
    return source < MW_NAME_SOURCES ? sources[source] : NULL;
}

enum mw_name_source mw_name_source_of(const char *word)
{
    for (unsigned i = 0; i < MW_NAME_SOURCES; i++) {
        if (strcmp(sources[i], word) == 0) {
            return (enum mw_name_source)i;
        }
    }
    return MW_NAME_MPI;
}
