#ifndef MWR_FINALIZE_MANIFEST_H
#define MWR_FINALIZE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/archive/transport.h"

/*
 * NAME.run beside the archive to be: which ranks run where and where their spools are,
 * so that they can be found should the run not finish. One line of JSON for the run, then
 * one per rank (formats/ARCHIVE.md).
 *
 * What is there already, a killed run's file or anything else, stays: the next free name is
 * taken ("run-1.otf2.zip.run"). Only a file that begins with the run's own nonce is written to
 * and removed.
 */

/*
 * Collective. Afterwards mwr_recorder.run_file is the file's path on all ranks, "" when it could
 * not be written, which is said in one line on rank 0 and changes nothing else.
 */
void mwr_manifest_write(const struct mw_transport *transport);

/*
 * What to give to mpiwatch-recover, as words of a shell in text: the file, or without one the
 * spools of this host. "" when this rank knows of neither. Returns text.
 */
const char *mwr_manifest_words(char *text, size_t size);

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

/* Rank 0, or the last: removes it, when there is nothing any more that it could tell of. */
void mwr_manifest_remove(void);

#endif
