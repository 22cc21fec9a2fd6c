#ifndef MWA_EXPORT_CUT_INTERNAL_H
#define MWA_EXPORT_CUT_INTERNAL_H

#include <jansson.h>
#include <otf2/otf2.h>

#include "analyzer/export/export_selection.h"
#include "analyzer/load/input.h"
#include "formats/base/status.h"

/* What the files of analyzer/export/cut share. */

/* For the macros of otf2_records.def: a list behind other arguments, also an empty one. */
#define MWA_BEHIND(...) , ##__VA_ARGS__

/* A message that was sent before the window and is received in it or later. */
struct mwa_crossing {
    uint32_t location; /* the sender's, an index */
    uint32_t comm;     /* OTF2's id */
    uint32_t peer;
    uint32_t tag;
    uint64_t bytes;
    uint64_t number; /* in order of sending */
};

struct mwa_crossings {
    struct mwa_crossing *list; /* by location, then number */
    uint64_t count;
    uint64_t capacity;
};

/* Finds them by a pass over all messages. \return as mwa_pass_run; fini is due in any case. */
enum mw_status mwa_crossings_find(const char *path, const struct mwa_selection *selection,
                                  struct mwa_crossings *crossings,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_crossings_fini(struct mwa_crossings *crossings);

/*
 * Copies the events of a location in the window to writer. code is what libotf2 said when
 * writing. \return MW_OK, also when code is not OTF2_SUCCESS; as mwa_event_reader_scan.
 */
enum mw_status mwa_cut_events(struct mwa_input *input, uint32_t location,
                              const struct mwa_selection *selection,
                              const struct mwa_crossings *crossings, OTF2_EvtWriter *writer,
                              OTF2_ErrorCode *code,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Copies the global definitions, with these numbers of events (by location index) and the
 * window's clock. *code and return as above.
 */
enum mw_status mwa_cut_definitions(struct mwa_input *input,
                                   const struct mwa_selection *selection, const uint64_t *events,
                                   OTF2_GlobalDefWriter *writer, OTF2_ErrorCode *code,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Gives the communicators of mpiwatch.json the times that the events of the archive at path tell,
 * by a pass over them. \return as mwa_input_open and mwa_pass_run.
 */
enum mw_status mwa_cut_lives(const char *path, json_t *communicators,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
