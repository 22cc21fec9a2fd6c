#ifndef MWA_LOAD_INPUT_INTERNAL_H
#define MWA_LOAD_INPUT_INTERNAL_H

#include <otf2/otf2.h>

#include "analyzer/load/input.h"

/* What analyzer/load/input.c and analyzer/load/event_reader.c share. */
struct mwa_input {
    struct mwa_files *files;
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *callbacks; /* made with the first event reader */
    struct mwa_trace trace;
};

#endif
