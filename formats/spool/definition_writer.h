#ifndef MW_FORMATS_SPOOL_DEFINITION_WRITER_H
#define MW_FORMATS_SPOOL_DEFINITION_WRITER_H

#include "formats/spool/definition.h"

struct mw_definition_writer;

/*
 * Creates the file path (O_EXCL, no symlink followed, mode 0600).
 *
 * \return MW_OK and *writer, to be freed with mw_definition_writer_destroy.
 * \return MW_ERROR_MEMORY, MW_ERROR_SYSTEM, MW_ERROR_SPACE.
 */
enum mw_status mw_definition_writer_create(const char *path, uint64_t nonce, uint32_t rank,
                                           struct mw_definition_writer **writer,
                                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Cuts the file behind its last record. It stays. */
void mw_definition_writer_destroy(struct mw_definition_writer *writer);

/* Whether the file is still where it was made. */
bool mw_definition_writer_is_there(const struct mw_definition_writer *writer);

/*
 * Appends one definition, through memory: only when the file has to grow the system is called.
 * Thread-safe (a mutex inside: creation of communicators is no hot path). In a signal handler that
 * has interrupted its own thread in here it does nothing.
 *
 * \return MW_OK, MW_ERROR_MEMORY, MW_ERROR_SYSTEM, MW_ERROR_SPACE; after a failure
 * the stream ends with its last whole record and later calls fail alike, but for losses,
 * which room is kept for.
 */
enum mw_status mw_definition_write(struct mw_definition_writer *writer,
                                   const struct mw_definition *definition,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
