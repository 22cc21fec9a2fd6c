#ifndef MWA_ANALYSIS_COMMS_COMM_LABEL_H
#define MWA_ANALYSIS_COMMS_COMM_LABEL_H

#include "analyzer/model/trace.h"

#define MWA_COMM_LABEL_BYTES 256

/*
 * What tells communicators apart that have one name: the name and, where the program gave it, how
 * the communicator was made: "rows (split#1.0)". In text, of MWA_COMM_LABEL_BYTES, which is
 * returned; names come from the archive, and are as they are there.
 */
const char *mwa_comm_label(const struct mwa_trace *trace, uint32_t index, char *text);

#define MWA_COMM_UID_BYTES 32

/*
 * A communicator's identity: mpiwatch's uid, or in other tools' archives, which have none, "otf2:"
 * and the number of its definition, in text, of MWA_COMM_UID_BYTES.
 */
const char *mwa_comm_identity(const struct mwa_comm *comm, char *text);

/* The default name without its parent's: "dup#1"; null where there is none. */
const char *mwa_comm_making(const struct mwa_trace *trace, const struct mwa_comm *comm);

#endif
