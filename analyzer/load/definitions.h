#ifndef MWA_LOAD_DEFINITIONS_H
#define MWA_LOAD_DEFINITIONS_H

#include <otf2/otf2.h>

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Reads all global definitions of reader into trace, which must be zero. MPI ranks are
 * the positions in the COMM_LOCATIONS group of the paradigm MPI; without one, the
 * location groups of processes, in their order.
 *
 * \return MW_OK. MW_ERROR_MEMORY. MW_ERROR_OTF2 when libotf2 failed: the caller knows
 * the streams and finds out why. MW_ERROR_FORMAT for definitions that contradict each
 * other. trace is to be freed with mwa_trace_fini in any case.
 */
enum mw_status mwa_definitions_read(OTF2_Reader *reader, const char *path,
                                    struct mwa_trace *trace,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Hands all global definitions of reader to callbacks, which are deleted; null: there was no
 * memory for them. \return what libotf2 says, and in *count how many there were.
 */
OTF2_ErrorCode mwa_definitions_scan(OTF2_Reader *reader,
                                    OTF2_GlobalDefReaderCallbacks *callbacks, void *user,
                                    uint64_t *count);

#endif
