#ifndef MWA_LOAD_OPEN_CALLS_H
#define MWA_LOAD_OPEN_CALLS_H

#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/* The regions that a location has entered and not left, one event after the other. */

/* One of them. */
struct mwa_open_call {
    uint64_t enter;  /* ticks */
    uint64_t inside; /* as struct mwa_region_data has them: ticks inside of the calls … */
    uint64_t repeat; /* … that it stands for */
    uint32_t region; /* index; so is */
    uint32_t site;
    struct mwa_found_data found;
};

/* Whether it can be one of trace: region and site are there, and belong together. */
bool mwa_open_call_is_sound(const struct mwa_trace *trace, const struct mwa_open_call *call);

/* Those of a location whose events are read, by one thread. With nothing but trace it is empty. */
struct mwa_open_calls {
    const struct mwa_trace *trace;
    struct mwa_open_call *stack; /* the outermost first */
    uint64_t capacity;
    uint32_t depth;
    bool is_through; /* MPI_Finalize was entered, outside of other MPI calls */
};

/*
 * How many calls are open behind the leave of region (index): leaving an outer one leaves what is
 * inside of it, one that was never entered leaves nothing.
 */
uint32_t mwa_open_calls_kept(const struct mwa_open_calls *calls, uint32_t region);

/*
 * Takes the location's next event, of whatever kind.
 *
 * \return MW_OK. MW_ERROR_FORMAT for more than MWA_NESTED_MAX calls inside of each other,
 * MW_ERROR_MEMORY: calls is as it was.
 */
enum mw_status mwa_open_calls_take(struct mwa_open_calls *calls,
                                   const struct mwa_event *event) MW_MUST_CHECK;

/* Begins with count calls, the outermost first. False without memory. */
bool mwa_open_calls_begin(struct mwa_open_calls *calls, const struct mwa_open_call *from,
                          uint32_t count, bool is_through) MW_MUST_CHECK;

void mwa_open_calls_fini(struct mwa_open_calls *calls);

#endif
