#ifndef MWR_FINALIZE_MANIFEST_H
#define MWR_FINALIZE_MANIFEST_H

#include <stdbool.h>

#include "formats/transport.h"

/*
 * NAME.run beside the archive to be: which ranks run where and where their spools are,
 * so that they can be found should the run not finish. One line of JSON for the run, then
 * one per rank (formats/ARCHIVE.md).
 */

/* Collective. A failure is said in one line on rank 0, and changes nothing else. */
void mwr_manifest_write(const struct mw_transport *transport);

/*
 * Appends to the file how this rank ended without MPI_Finalize.
 *
 * \return true if it is the first to do so, as far as can be seen: it speaks for all.
 */
bool mwr_manifest_note_end(const char *how, int code);

/*
 * Appends that this rank has ended as it should, without a word to others.
 *
 * \return true if all ranks have by now, and this is the last. False also where the file
 * can't be locked or is not seen.
 */
bool mwr_manifest_note_last(void);

/* Rank 0, or the last: removes it when the archive is complete. */
void mwr_manifest_remove(void);

#endif
