/* Of each kind of thing most listeners want nothing: those that do are listed once. */
#include "analyzer/exchange/audience.h"

#include <stdlib.h>

#define LISTS (sizeof(struct mwa_audience) / sizeof(void *))

/* Adds listener to the list that ends at *end if it wants to be told. */
static void list(const struct mwa_exchange_listener ***end,
                 const struct mwa_exchange_listener *listener, bool wants)
{
    if (wants) {
        *(*end)++ = listener;
    }
}

bool mwa_audience_init(struct mwa_audience *audience, enum mwa_audience_kind who,
                       const struct mwa_exchange_listener *listeners, uint32_t count)
{
    const size_t room = count + (size_t)1;
    struct mwa_audience at;

    at.begin = calloc(LISTS * room, sizeof *at.begin);
    at.end = at.begin + room;
    at.message = at.end + room;
    at.collective = at.message + room;
    at.settled = at.collective + room;
    at.gone = at.settled + room;
    at.round = at.gone + room;
    if (!at.begin) {
        return false;
    }
    *audience = at;
    for (uint32_t i = 0; i < count; i++) {
        const struct mwa_exchange_listener *listener = &listeners[i];

        if (who != MWA_AUDIENCE_ALL && listener->may_lag != (who == MWA_AUDIENCE_FAR)) {
            continue;
        }
        list(&at.begin, listener, listener->begin != NULL);
        list(&at.end, listener, listener->end != NULL);
        list(&at.message, listener, listener->message != NULL);
        list(&at.collective, listener, listener->collective != NULL);
        list(&at.settled, listener, listener->settled != NULL);
        list(&at.gone, listener, listener->gone != NULL);
        list(&at.round, listener, listener->round != NULL);
    }
    return true;
}

void mwa_audience_fini(struct mwa_audience *audience)
{
    free(audience->begin);
    *audience = (struct mwa_audience){ 0 };
}
