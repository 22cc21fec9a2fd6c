#ifndef MWA_EXCHANGE_AUDIENCE_H
#define MWA_EXCHANGE_AUDIENCE_H

#include "analyzer/exchange/exchange.h"

/* Of the engine's listeners, those that want to be told of each; a null ends each list. For one
 * thread at a time. */
struct mwa_audience {
    const struct mwa_exchange_listener **begin; /* the array of all lists */
    const struct mwa_exchange_listener **end;
    const struct mwa_exchange_listener **message;
    const struct mwa_exchange_listener **collective;
    const struct mwa_exchange_listener **settled;
    const struct mwa_exchange_listener **gone;
    const struct mwa_exchange_listener **round;
};

/* Which listeners: all, those that may not lag, those that may. */
enum mwa_audience_kind { MWA_AUDIENCE_ALL, MWA_AUDIENCE_NEAR, MWA_AUDIENCE_FAR };

/* Makes it of count listeners, which must outlive it. False without memory. */
bool mwa_audience_init(struct mwa_audience *audience, enum mwa_audience_kind who,
                       const struct mwa_exchange_listener *listeners, uint32_t count);
void mwa_audience_fini(struct mwa_audience *audience); /* all zeros is fine */

/* Tell all that want it, until one fails, with whose status they return. */
MW_INLINE enum mw_status mwa_audience_begin(const struct mwa_audience *audience,
                                            struct mwa_exchange_call *call)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_exchange_listener **one = audience->begin; *one && status == MW_OK;
         one++) {
        status = (*one)->begin((*one)->user, call);
    }
    return status;
}

MW_INLINE enum mw_status mwa_audience_end(const struct mwa_audience *audience,
                                          struct mwa_exchange_call *call)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_exchange_listener **one = audience->end; *one && status == MW_OK;
         one++) {
        status = (*one)->end((*one)->user, call);
    }
    return status;
}

MW_INLINE enum mw_status mwa_audience_message(const struct mwa_audience *audience,
                                              struct mwa_message *message)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_exchange_listener **one = audience->message; *one && status == MW_OK;
         one++) {
        status = (*one)->message((*one)->user, message);
    }
    return status;
}

MW_INLINE enum mw_status mwa_audience_collective(const struct mwa_audience *audience,
                                                 struct mwa_collective *collective)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_exchange_listener **one = audience->collective; *one && status == MW_OK;
         one++) {
        status = (*one)->collective((*one)->user, collective);
    }
    return status;
}

MW_INLINE void mwa_audience_settled(const struct mwa_audience *audience,
                                    struct mwa_exchange_call *call)
{
    for (const struct mwa_exchange_listener **one = audience->settled; *one; one++) {
        (*one)->settled((*one)->user, call);
    }
}

MW_INLINE void mwa_audience_gone(const struct mwa_audience *audience,
                                 struct mwa_exchange_call *call)
{
    for (const struct mwa_exchange_listener **one = audience->gone; *one; one++) {
        (*one)->gone((*one)->user, call);
    }
}

MW_INLINE enum mw_status mwa_audience_round(const struct mwa_audience *audience)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_exchange_listener **one = audience->round; *one && status == MW_OK;
         one++) {
        status = (*one)->round((*one)->user);
    }
    return status;
}

#endif
