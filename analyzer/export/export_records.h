#ifndef MWA_EXPORT_EXPORT_RECORDS_H
#define MWA_EXPORT_EXPORT_RECORDS_H

#include "analyzer/export/export_selection.h"
#include "formats/base/status.h"

#define MWA_RECORDS_MOST 1000000u /* rows, where the user says nothing */

/* How many there are, and how many rows of them were written. */
struct mwa_records_told {
    uint64_t calls, call_rows;
    uint64_t messages, message_rows;
};

/*
 * Writes call_records.csv, a row for each call of MPI in selection, and message_records.csv, a row
 * for each matched message, into directory, which is there: the first most of them by the time
 * when they are entered or sent. comms: a flag for each communicator, only those on these; null:
 * all. Files are replaced as by analyzer/export/output.h. Memory: that of mwa_walk, and 144 bytes
 * for each of most, at most.
 *
 * \return MW_OK and *told; as mwa_walk; as mwa_output_open.
 */
enum mw_status mwa_export_records(const struct mwa_trace *trace, const char *path,
                                  const struct mwa_selection *selection, const bool *comms,
                                  uint64_t most, const char *directory, bool force,
                                  struct mwa_records_told *told,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
