#ifndef MW_FORMATS_ARCHIVE_RESOLVE_SITES_H
#define MW_FORMATS_ARCHIVE_RESOLVE_SITES_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/archive/archive.h"
#include "formats/base/status.h"
#include "formats/merge/merge_sites.h"

#define MW_RESOLVER_NAME "mpiwatch-resolve"
#define MW_RESOLVER_SECONDS 20u /* it may take at most */

/*
 * Finds the program: beside the file own, above the build tree's .libs, where programs are
 * installed, seen from there, or in installed. Cuts own to its directory. False: it is in none.
 */
bool mw_resolver_find(char *own, const char *installed, char *path, size_t size);

/*
 * Gives every site its place, and every frame its context: asks the program resolver (null: there
 * is none), through files in the directory scratch, and where that knows nothing, or fails, says
 * module and address. debug_directory may have the debugging information of stripped files (null:
 * there is none). Rank 0's work, whose host's files count.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mw_sites_resolve(struct mw_merged_sites *sites, const char *resolver,
                                const char *debug_directory, enum mw_source_paths paths,
                                const char *scratch,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
