#ifndef MWA_SIDECAR_SIDECAR_H
#define MWA_SIDECAR_SIDECAR_H

#include <stdint.h>

#include "analyzer/sidecar/sidecar_place.h"
#include "formats/base/status.h"

/*
 * A sidecar: what was found out of an archive and may be of use again, in a file of the user's
 * cache. It has sections, each known by a name and a number, such as a location's. What is there is
 * whole, of this archive and of this version, or else there is none: whoever asks finds it out
 * anew. Nothing is told of what goes wrong but where it is written.
 */

#define MWA_SIDECAR_NAME_BYTES 16u /* of a section's name, with the 0 behind it */
#define MWA_SIDECAR_ALIGNMENT  64u /* bytes; a section begins at a multiple of it */

struct mwa_sidecar;

/*
 * Opens the part of what is known of the archive with that key; part is a short word of letters
 * ("blocks"), version how its sections are made, which only their owner knows. What is
 * open stays as it is when the sidecar is replaced or removed meanwhile by this host. Memory: its
 * size up to 64 MiB; what is larger is mapped.
 *
 * \return the sidecar, to be freed with mwa_sidecar_close; null: there is none.
 */
struct mwa_sidecar *mwa_sidecar_open(const struct mwa_archive_key *key, const char *part,
                                     uint32_t version);
void mwa_sidecar_close(struct mwa_sidecar *sidecar); /* null is fine */

/*
 * The bytes of a section, which live as long as sidecar: they are those that were written
 * (CRC-32), which says nothing of who wrote them. Null, and *bytes 0: it is damaged, or there is
 * none. Any number of threads.
 */
const void *mwa_sidecar_section(struct mwa_sidecar *sidecar, const char *name, uint64_t number,
                                uint64_t *bytes);

#endif
