#ifndef MWA_LIVE_LIVE_EVENTS_H
#define MWA_LIVE_LIVE_EVENTS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/live/live_trace.h"
#include "analyzer/live/live_waits.h"
#include "formats/spool/spool_reader.h"

/*
 * Records of a thread's spool as the events that analyses take, in the order and with the meaning
 * of those that formats/archive/replay makes of them, and of an archive analyzer/load. Not made are
 * events that no analysis of a live view takes: samples, marks, what the program says.
 */

#define MWA_LIVE_LISTENERS 8u

/* Who is told of a thread's events; partials are the analyses'. */
struct mwa_live_listener {
    const struct mwa_analysis *analysis;
    void *partial;
    bool takes_receives; /* messages when they are received, as if the receiver had sent them */
    bool takes_codes;    /* as sites, the codes of the process's own records */
};

struct mwa_live_stream {
    const struct mwa_live_trace *live;
    const struct mwa_live_numbers *numbers;
    struct mwa_location location;
    uint64_t resolution; /* of the spool's clock: ticks a second */
    uint64_t last;       /* ns, of the last event */
    uint64_t begin;      /* ns, when it left MPI_Init; 0: it has not */
    struct mwa_live_listener listeners[MWA_LIVE_LISTENERS];
    uint32_t listener_count;
    struct mwa_live_waits *waits; /* are told, too; null: nobody asks for them */
    uint32_t waits_location;
};

/* Tells the listeners of a call. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_events(struct mwa_live_stream *stream,
                               const struct mw_spool_call *call) MW_MUST_CHECK;

#endif
