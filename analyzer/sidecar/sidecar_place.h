#ifndef MWA_SIDECAR_SIDECAR_PLACE_H
#define MWA_SIDECAR_SIDECAR_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Where sidecars are: in the directory mpiwatch of $XDG_CACHE_HOME, else of ~/.cache, made with
 * mode 0700, their files with 0600. It is used only if it is the user's own and nobody else can
 * write to it.
 */

/* What tells an archive from all others, and from what it was before it was changed. */
struct mwa_archive_key {
    uint64_t words[4];
};

#define MWA_SIDECAR_PATH_BYTES 4096u
#define MWA_SIDECAR_FILE_BYTES 64u /* of the name of a sidecar */

/*
 * How many bytes all sidecars together have at most, of which those that were used longest ago go
 * first: 4 GiB, or a tenth of a disk of so many bytes if that is more, as what mpiwatch-view keeps
 * of a large archive is several GB, and a disk where such an archive lies is large.
 */
static inline uint64_t mwa_sidecar_bytes_most(uint64_t disk)
{
    return disk / 10 > 4ull << 30 ? disk / 10 : 4ull << 30;
}

/*
 * Opens the directory, and makes it if it is not there and is_made; its path goes to path.
 *
 * \return a descriptor to be closed; -1 with errno: there is none that may be used.
 */
int mwa_sidecar_directory(bool is_made, char path[MWA_SIDECAR_PATH_BYTES]);

/* The name of a sidecar in it; false: part is no word. */
bool mwa_sidecar_name(const struct mwa_archive_key *key, const char *part,
                      char name[MWA_SIDECAR_FILE_BYTES]);

/* Removes all parts of what is known of the archive. \return how many files there were. */
uint64_t mwa_sidecar_forget(const struct mwa_archive_key *key);

/*
 * Removes those that were used longest ago until all have at most so many bytes, and what writers
 * left behind that were killed more than a day ago.
 */
void mwa_sidecar_trim(int directory, uint64_t bytes);

#endif
