#ifndef MWA_LOAD_QUIET_REQUESTS_H
#define MWA_LOAD_QUIET_REQUESTS_H

#include "analyzer/model/event.h"
#include "analyzer/model/map.h"
#include "analyzer/model/pool.h"
#include "analyzer/model/trace.h"

/*
 * The requests that a location has open, for quiet_places.h: of collective operations none may be
 * at a quiet place, of messages some may.
 */

/*
 * A request of a message that is open at a quiet place: of a send whose message was received before
 * it, or of a receive whose message is sent behind it, or that gets none.
 */
struct mwa_carried_request {
    uint64_t request;
    uint64_t begin, end;     /* events of OTF2 of the location before that which begins it, and
                                before that which ends it */
    uint64_t time, end_time; /* ticks, of both */
    uint64_t enter;          /* ticks, of the outermost call that begins it */
    uint64_t bytes;          /* of the message: what it is sent as, or was received as … */
    uint32_t comm;           /* … on it, an index; MWA_NONE: there is none */
    uint32_t peer;           /* rank in comm */
    uint32_t tag;
    uint32_t region, site;   /* of that call, indices; MWA_NONE: of none */
    uint32_t kind;           /* enum mwa_event_kind: MWA_ISEND, MWA_IRECV_POST */
    uint32_t ended_by;       /* likewise: MWA_ISEND_COMPLETE, MWA_IRECV, MWA_CANCELLED */
    uint32_t lane;           /* of the message, if it is in partitions; else 0 */
};

/* Whether it can be one of trace, of a kind that is carried, and ends behind where it begins. */
bool mwa_carried_request_is_sound(const struct mwa_trace *trace,
                                  const struct mwa_carried_request *one);

struct mwa_open_request {
    struct mwa_carried_request what; /* but for its end */
    uint64_t channel; /* a send's: what tells that from others */
};

/* All zeros has none open. */
struct mwa_quiet_requests {
    struct mwa_map open; /* request, to a struct mwa_open_request * */
    struct mwa_pool pool;
    uint64_t collectives; /* open ones of collective operations: kind MWA_COLLECTIVE_POST */
};

enum mwa_request_step {
    MWA_REQUEST_TAKEN,
    MWA_REQUEST_STRANGE, /* it was begun already, or wasn't, or is of another kind */
    MWA_REQUEST_NO_MEMORY
};

/* Opens one. It is strange where one of the same number is open, which it takes the place of:
 * *former. */
enum mwa_request_step mwa_quiet_requests_begin(struct mwa_quiet_requests *requests,
                                               const struct mwa_open_request *one,
                                               struct mwa_open_request *former);

/* Closes the one of the event, of that kind; MWA_NONE: of any. *ended: what it was; kind 0: no. */
enum mwa_request_step mwa_quiet_requests_end(struct mwa_quiet_requests *requests,
                                             const struct mwa_event *event, uint32_t kind,
                                             struct mwa_open_request *ended);

/* The next open one of *at on, which it leads behind; null: there are no more. */
const struct mwa_open_request *mwa_quiet_requests_next(const struct mwa_quiet_requests *requests,
                                                       uint64_t *at);

void mwa_quiet_requests_fini(struct mwa_quiet_requests *requests);

/* Whether it is open at a place that has so many events before it. */
static inline bool mwa_is_carried_over(const struct mwa_carried_request *request, uint64_t events)
{
    return request->begin < events && events <= request->end;
}

#endif
