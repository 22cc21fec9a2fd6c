/* One that is not open has kind 0, which is none of a request's. */
#include "analyzer/load/quiet_requests.h"

#include <stdlib.h>

_Static_assert(MWA_ISEND > 0 && MWA_IRECV_POST > 0 && MWA_COLLECTIVE_POST > 0,
               "0 is no kind of a request");

static struct mwa_key key_of(uint64_t request)
{
    return (struct mwa_key){ 0, request };
}

/* A place in the list; MWA_MAP_ABSENT without memory. */
static uint64_t take_place(struct mwa_quiet_requests *requests)
{
    const uint64_t free = requests->free;

    if (free > 0) {
        requests->free = requests->list[free - 1].channel;
        return free - 1;
    }
    return mwa_grow(&requests->list, &requests->capacity, requests->count + 1,
                    sizeof *requests->list)
               ? requests->count++
               : MWA_MAP_ABSENT;
}

static void give_place(struct mwa_quiet_requests *requests, uint64_t at)
{
    requests->collectives -= requests->list[at].what.kind == MWA_COLLECTIVE_POST;
    requests->list[at] = (struct mwa_open_request){ .channel = requests->free };
    requests->free = at + 1;
}

enum mwa_request_step mwa_quiet_requests_begin(struct mwa_quiet_requests *requests,
                                               const struct mwa_open_request *one,
                                               struct mwa_open_request *former)
{
    const uint64_t at = take_place(requests);
    uint64_t *place = at == MWA_MAP_ABSENT
                          ? NULL
                          : mwa_map_put(&requests->open, key_of(one->what.request), at);
    const bool is_new = place && *place == at;

    if (!place) {
        return MWA_REQUEST_NO_MEMORY;
    }
    if (!is_new) {
        *former = requests->list[*place];
        give_place(requests, *place);
        *place = at;
    }
    requests->list[at] = *one;
    requests->collectives += one->what.kind == MWA_COLLECTIVE_POST;
    return is_new ? MWA_REQUEST_TAKEN : MWA_REQUEST_STRANGE;
}

enum mwa_request_step mwa_quiet_requests_end(struct mwa_quiet_requests *requests,
                                             const struct mwa_event *event, uint32_t kind,
                                             struct mwa_open_request *ended)
{
    const uint64_t at = mwa_map_remove(&requests->open, key_of(event->request));

    *ended = (struct mwa_open_request){ .channel = 0 };
    if (at == MWA_MAP_ABSENT) {
        return MWA_REQUEST_STRANGE;
    }
    *ended = requests->list[at];
    give_place(requests, at);
    return kind == MWA_NONE || ended->what.kind == kind ? MWA_REQUEST_TAKEN
                                                        : MWA_REQUEST_STRANGE;
}

const struct mwa_open_request *mwa_quiet_requests_next(const struct mwa_quiet_requests *requests,
                                                       uint64_t *at)
{
    while (*at < requests->count) {
        const struct mwa_open_request *one = &requests->list[(*at)++];

        if (one->what.kind != 0) {
            return one;
        }
    }
    return NULL;
}

void mwa_quiet_requests_fini(struct mwa_quiet_requests *requests)
{
    mwa_map_fini(&requests->open);
    free(requests->list);
}
