#ifndef MWA_MODEL_HINT_H
#define MWA_MODEL_HINT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a call waited for that was never left, at its Enter, or what a request was for that was not
 * complete at the end of a record, at an MWA_TEST that is no test: mpiwatch's attributes. Ranks are
 * those in the communicator, or of the window's.
 */
struct mwa_hint {
    bool is_pending; /* of a request … */
    bool is_awaited; /* … that the open call waits for */
    bool has_peer;   /* peer, with tag if it sends: to whom, or the root, or the target */
    bool receives;   /* source, source_tag; below 0: any */
    bool sends;
    bool completes;  /* requests: so many */
    uint32_t comm;   /* index, MWA_NONE: not told */
    uint32_t window; /* index among the trace's objects, MWA_NONE: not told */
    int32_t peer;
    int32_t tag;
    int32_t source;
    int32_t source_tag;
    uint64_t bytes; /* UINT64_MAX: not known */
    uint64_t requests;
    uint32_t unready; /* of a send in partitions, one of the requests, on comm to peer with tag, so
                         many are not ready; 0: there is none, or it is not told */
    uint32_t unready_which; /* of its first 32 partitions, a bit for each */
};

#endif
