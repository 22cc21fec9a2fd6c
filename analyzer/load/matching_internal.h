#ifndef MWA_LOAD_MATCHING_INTERNAL_H
#define MWA_LOAD_MATCHING_INTERNAL_H

#include "analyzer/load/channels.h"
#include "analyzer/load/held_sends.h"
#include "analyzer/load/input.h"
#include "analyzer/load/lookahead.h"
#include "analyzer/load/matching.h"

/* The state of matching. */

enum receive_state { RECEIVE_PENDING, RECEIVE_KNOWN, RECEIVE_DROPPED };

/* A posted receive, in the order of posting. */
struct receive {
    enum receive_state state;
    uint64_t ordinal; /* among the MpiIrecvRequest of the rank; UINT64_MAX: a blocking one */
    uint64_t time;
    void *object; /* the listener's */
    struct mwa_message_data message;
};

/* A non-blocking send whose request is not complete. */
struct pending_send {
    struct mwa_key channel;
    uint64_t bytes;
    void *object; /* the listener's */
    uint64_t held; /* its number among those held, UINT64_MAX: it isn't */
    uint32_t next_free;
};

struct rank_state {
    struct receive *receives; /* a ring; numbers from first to first + count */
    uint64_t capacity;        /* a power of two or 0 */
    uint64_t first;
    uint64_t count;
    struct mwa_table requests;
    struct mwa_table early; /* receives that reading ahead told the fate of: to their objects */
    struct mwa_held_sends held; /* only if the program cancels requests */
    struct pending_send *sends;
    uint64_t send_capacity;
    uint32_t send_count;
    uint32_t send_free; /* list of free elements, MWA_NONE: empty */
    uint64_t posted;
    uint64_t pending; /* receives */
    uint64_t most_pending;
    bool looked_ahead;
    bool paused;
    struct mwa_lookahead ahead;
};

struct mwa_matching {
    const struct mwa_trace *trace;
    const char *path;
    struct mwa_matching_listener listener; /* all null: none */
    struct mwa_input *second; /* to read ahead, opened when needed */
    struct rank_state *ranks;
    struct mwa_channels channels;
    bool cancels; /* the program calls MPI_Cancel */
    struct mwa_matching_result result;
    uint64_t cancelled_capacity;
    struct mw_diagnostic diagnostic;
};

#endif
