#ifndef MWA_LOAD_INPUT_INTERNAL_H
#define MWA_LOAD_INPUT_INTERNAL_H

#include <otf2/otf2.h>

#include "analyzer/load/input.h"

/* What analyzer/load/input.c, analyzer/load/event_reader.c and analyzer/validate share. */
struct mwa_input {
    struct mwa_files *files;
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *callbacks; /* made with the first event reader */
    const struct mwa_trace *trace; /* its own, or that of the input it shares */
    struct mwa_trace own;
    uint32_t threads;
    struct mwa_input *origin; /* itself, or the input it shares */
    _Atomic uint64_t events;  /* read of an origin and its shares */
    mwa_progress progress;    /* null: nobody asks */
    void *progress_user;
};

/*
 * For callbacks of libotf2 in other files: hands an event, its location filled in, to visit
 * of reader, which is their user data; and what the archive defines.
 */
OTF2_CallbackCode mwa_event_reader_deliver(void *reader, struct mwa_event *event);
const struct mwa_trace *mwa_event_reader_trace(const void *reader);

/* Adds the callbacks of analyzer/load/event_mpi.c: messages, requests, collectives. */
void mwa_mpi_events_register(OTF2_EvtReaderCallbacks *callbacks);

/* Adds the callbacks of analyzer/load/event_window.c. */
void mwa_window_events_register(OTF2_EvtReaderCallbacks *callbacks);
void mwa_file_events_register(OTF2_EvtReaderCallbacks *callbacks);

/* The same of what the program says by mpiwatch's API. */
void mwa_mark_events_register(OTF2_EvtReaderCallbacks *callbacks);

/* So many more events have been read of the archive: tells who wants to know. */
void mwa_input_note_events(struct mwa_input *input, uint64_t count);

/*
 * Reads all events of reader's location with other callbacks than its own, which get user;
 * times need not ascend. To be called before any event was read.
 *
 * \return MW_OK. MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mwa_event_reader_scan(struct mwa_event_reader *reader,
                                     const OTF2_EvtReaderCallbacks *callbacks, void *user,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
