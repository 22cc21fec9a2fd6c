#ifndef MW_FORMATS_SPOOL_DEFINITION_READER_H
#define MW_FORMATS_SPOOL_DEFINITION_READER_H

#include "formats/spool/definition.h"

struct mw_definition_reader;

/*
 * Reads a definitions file; it is read into memory as a whole.
 *
 * \return MW_OK and *reader, to be freed with mw_definition_reader_destroy.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT, MW_ERROR_VERSION.
 */
enum mw_status mw_definition_reader_create(const char *path, struct mw_definition_reader **reader,
                                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Reads a definitions file that is in memory already. image is altered, stays the
 * caller's and has to live as long as what is read from it; where is for diagnostics.
 *
 * \return as mw_definition_reader_create.
 */
enum mw_status mw_definition_reader_create_image(const char *where, char *image, size_t bytes,
                                                 struct mw_definition_reader **reader,
                                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_definition_reader_destroy(struct mw_definition_reader *reader);

/* Where in the file the next record is, or will be. */
uint64_t mw_definition_reader_offset(const struct mw_definition_reader *reader);

/* What the header says. */
uint64_t mw_definition_reader_nonce(const struct mw_definition_reader *reader);
uint32_t mw_definition_reader_rank(const struct mw_definition_reader *reader);

/*
 * Reads the next definition; strings and members in it live as long as the reader. One of
 * MW_DEFINE_COMM_LIKE comes as the MW_DEFINE_COMM that it stands for.
 *
 * \return MW_OK; MW_END at the end of the file, at an incomplete last record, or at room for
 * more.
 * \return MW_ERROR_FORMAT with the offset when a whole record has a wrong CRC or
 * contradicts its kind; MW_ERROR_MEMORY.
 */
enum mw_status mw_definition_reader_next(struct mw_definition_reader *reader,
                                         struct mw_definition *definition,
                                         struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
