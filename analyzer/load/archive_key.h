#ifndef MWA_LOAD_ARCHIVE_KEY_H
#define MWA_LOAD_ARCHIVE_KEY_H

#include <stdbool.h>

#include "analyzer/load/files.h"
#include "analyzer/sidecar/sidecar_place.h"

/*
 * What sidecars of the archive go by. A ZIP file is known by its size and its central directory,
 * which has the CRCs of all members: a copy of it is the same archive. Files in a directory are
 * known by name, size, inode and the times of their last changes, the anchor and the global
 * definitions by what is in them as well: a copy is another archive.
 *
 * \return false when a file can't be read: nothing is to be kept of the archive then.
 */
bool mwa_archive_key(const struct mwa_files *files, struct mwa_archive_key *key) MW_MUST_CHECK;

#endif
