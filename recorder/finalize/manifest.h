#ifndef MWR_FINALIZE_MANIFEST_H
#define MWR_FINALIZE_MANIFEST_H

#include "formats/transport.h"

/*
 * NAME.run beside the archive to be: which ranks run where and where their spools are,
 * so that they can be found should the run not finish. One line of JSON for the run, then
 * one per rank (formats/ARCHIVE.md).
 */

/* Collective. A failure is said in one line on rank 0, and changes nothing else. */
void mwr_manifest_write(const struct mw_transport *transport);

/* Rank 0: removes it when the archive is complete. */
void mwr_manifest_remove(void);

#endif
