#ifndef MW_FORMATS_ARCHIVE_WORDS_H
#define MW_FORMATS_ARCHIVE_WORDS_H

#include <stddef.h>

#include "formats/definition.h"

/* What mpiwatch.json calls the values of enumerations, for who writes it and who reads it. */

/* "COUNTER" of MW_CLASS_COUNTER …; "?" of what is no class. Static storage. */
const char *mw_class_name(uint32_t class);

/* The other way round, of a word of so many bytes; MW_CLASS_COUNT for other words. */
uint32_t mw_class_of(const char *word, size_t length);

/* "mpi", "registered", "unregistered"; null of what is no source. Static storage. */
const char *mw_name_source_word(uint32_t source);

/* The other way round; MW_NAME_MPI for other words. */
enum mw_name_source mw_name_source_of(const char *word);

#endif
