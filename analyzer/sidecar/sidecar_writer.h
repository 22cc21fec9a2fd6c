#ifndef MWA_SIDECAR_SIDECAR_WRITER_H
#define MWA_SIDECAR_SIDECAR_WRITER_H

#include <stdint.h>

#include "analyzer/sidecar/sidecar_place.h"
#include "formats/base/status.h"

/* Writes what analyzer/sidecar/sidecar.h reads. */

struct mwa_sidecar_writer;

/*
 * Begins a sidecar, which is there for others as a whole from mwa_sidecar_commit on and takes the
 * place of one that is there. For one thread; other writers do not matter.
 *
 * \return MW_OK and *writer, for mwa_sidecar_commit or mwa_sidecar_discard.
 * \return MW_ERROR_SYSTEM when there is no cache that the user alone can write, MW_ERROR_SPACE,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_sidecar_create(const struct mwa_archive_key *key, const char *part,
                                  uint32_t version, struct mwa_sidecar_writer **writer,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Begins a section, in any order of names and numbers. No two are of the same name and number. */
enum mw_status mwa_sidecar_begin(struct mwa_sidecar_writer *writer, const char *name,
                                 uint64_t number,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Adds bytes to the section that was begun last.
 *
 * \return MW_OK; MW_ERROR_SPACE: the disk is full, or the sidecar larger than it may be;
 * MW_ERROR_SYSTEM. No matter what, the writer is to be ended.
 */
enum mw_status mwa_sidecar_write(struct mwa_sidecar_writer *writer, const void *from,
                                 uint64_t bytes, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Makes it be there, and frees writer. After a failure everything is as it was before. */
enum mw_status mwa_sidecar_commit(struct mwa_sidecar_writer *writer,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Leaves everything as it was before, and frees writer. Null is fine. */
void mwa_sidecar_discard(struct mwa_sidecar_writer *writer);

#endif
