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
 * not be written, and .run_file_is_shared whether all see it. Rank 0 says what of this is not as it
 * should be, and whatever else is known by now to go wrong at the end (finalize/foresight.h).
 *
 * \param trouble  why this rank has no spool; not used if it has one.
 */
void mwr_manifest_write(const struct mw_transport *transport, const char *trouble);

/*
 * What to do with the spools, in text: mpiwatch-recover and words of a shell, which are the file,
 * or the spools where it is not there for all; before it, on which hosts. "" when this rank knows
 * of neither. Returns text.
 */
const char *mwr_manifest_next(char *text, size_t size);

/*
 * Appends to the file how this rank ended without MPI_Finalize.
 *
 * \return true if it is the first to do so, as far as can be seen: it speaks for all.
 */
bool mwr_manifest_note_end(const char *how, int code);

/*
 * As mwr_manifest_note_end, of a rank that a signal ends: nothing here waits or allocates, so that
 * a handler may call it.
 *
 * \return true if it is the first of all to end before its time. False also where the file is not
 * seen, or is gone since the archive has been made.
 */
bool mwr_manifest_note_signal(int number);

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
