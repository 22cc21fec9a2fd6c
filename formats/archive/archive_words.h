#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_WORDS_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_WORDS_H

#include <stddef.h>

#include "formats/spool/definition.h"
#include "formats/spool/record.h"

/* What archives call the values of enumerations, for who writes them and who reads them. */

/* The attributes of events, by their ids in archives of mpiwatch. */
enum mw_attribute {
    MW_ATTRIBUTE_REPEAT,
    MW_ATTRIBUTE_INSIDE,
    MW_ATTRIBUTE_OPEN,
    MW_ATTRIBUTE_ERROR,
    MW_ATTRIBUTE_COMM,
    MW_ATTRIBUTE_FLAGS,
    MW_ATTRIBUTE_OFFSET,
    MW_ATTRIBUTE_WINDOW,
    MW_ATTRIBUTE_FILE,
    MW_ATTRIBUTE_NEIGHBORS,
    MW_ATTRIBUTE_SOURCES,
    MW_ATTRIBUTE_WILDCARDS,
    MW_ATTRIBUTE_METRIC,
    MW_ATTRIBUTE_HELD,
    MW_ATTRIBUTE_MEAN_LOWER,
    MW_ATTRIBUTE_MEAN_UPPER,
    MW_ATTRIBUTE_LOW,
    MW_ATTRIBUTE_HIGH,
    MW_ATTRIBUTE_UNSEEN,
    MW_ATTRIBUTE_TERMS,
    /* Of open calls and what they wait for; defined where there are some, or later ones are. */
    MW_ATTRIBUTE_PENDING,
    MW_ATTRIBUTE_PEER,
    MW_ATTRIBUTE_TAG,
    MW_ATTRIBUTE_BYTES,
    MW_ATTRIBUTE_SOURCE,
    MW_ATTRIBUTE_SOURCE_TAG,
    MW_ATTRIBUTE_REQUESTS,
    MW_ATTRIBUTE_SITE, /* defined where sites are told by it, or later ones are */
    /* The message that a probe found; defined where one has. */
    MW_ATTRIBUTE_FOUND_COMM,
    MW_ATTRIBUTE_FOUND_SOURCE,
    MW_ATTRIBUTE_FOUND_TAG,
    MW_ATTRIBUTE_LANE, /* of a message in partitions; defined where there is one, or later ones */
    /* What an open call waits for that sends in partitions; defined where one does. */
    MW_ATTRIBUTE_UNREADY,
    MW_ATTRIBUTE_UNREADY_WHICH,
    MW_ATTRIBUTE_COUNT
};

/* The parameters of events, by their ids likewise. */
enum mw_parameter {
    MW_PARAMETER_MARKER,
    MW_PARAMETER_REGISTERED,
    MW_PARAMETER_UNREGISTERED,
    MW_PARAMETER_DISCONTINUITY, /* a number, enum mw_discontinuity; the others are texts */
    MW_PARAMETER_COUNT
};

/* Why the values of a variable don't go on where its sum does. */
enum mw_discontinuity {
    MW_DISCONTINUITY_RESET = 1, /* the application reset or wrote it */
    MW_DISCONTINUITY_FALL,      /* it fell, and who did that is not known */
    MW_DISCONTINUITY_WRAP       /* it went past its greatest value */
};

/* "mpiwatch.repeat" …, by which readers find them whatever their ids are. */
extern const char *const mw_attribute_names[MW_ATTRIBUTE_COUNT];
extern const char *const mw_parameter_names[MW_PARAMETER_COUNT];

/* The values of MW_RUNNING_METRIC: "mpiwatch.running.stretch" …, and their units. */
extern const char *const mw_running_names[MW_RUNNING_VALUES];
extern const char *const mw_running_units[MW_RUNNING_VALUES];

/* "COUNTER" of MW_CLASS_COUNTER …; "?" of what is no class. Static storage. */
const char *mw_class_name(uint32_t class);

/* The other way round, of a word of so many bytes; MW_CLASS_COUNT for other words. */
uint32_t mw_class_of(const char *word, size_t length);

/* "mpi", "registered", "unregistered"; null of what is no source. Static storage. */
const char *mw_name_source_word(uint32_t source);

/* The other way round; MW_NAME_MPI for other words. */
enum mw_name_source mw_name_source_of(const char *word);

/* "MPI_Finalize", "MPI_Abort", "exit", "MPI error" of an enum mw_end_how; null of no such. Static
 * storage. */
const char *mw_end_word(uint32_t how);

#endif
