/*
 * Every step at which another rank might wait for ever goes through the transport:
 * wrapped around it, one countdown reaches them all, and the code under test holds
 * no test.
 */
#include "recorder/finalize/dying.h"

#include <signal.h>
#include <stdlib.h>

void mwr_dying_point(struct mwr_dying *dying)
{
    if (dying->countdown > 0 && --dying->countdown == 0) {
        raise(SIGKILL);
    }
}

static enum mw_status gather(void *context, const void *data, uint64_t bytes,
                             struct mw_parts *parts, struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.gather(dying->alive.context, data, bytes, parts, diagnostic);
}

static enum mw_status combine(void *context, const struct mw_combined *combined,
                              struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.combine(dying->alive.context, combined, diagnostic);
}

static enum mw_status scatter(void *context, const struct mw_parts *parts, char **data,
                              uint64_t *bytes, struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.scatter(dying->alive.context, parts, data, bytes, diagnostic);
}

static enum mw_status broadcast(void *context, void *data, uint64_t bytes,
                                struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.broadcast(dying->alive.context, data, bytes, diagnostic);
}

static enum mw_status exscan(void *context, uint64_t mine, uint64_t *before, uint64_t *total,
                             struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.exscan(dying->alive.context, mine, before, total, diagnostic);
}

static enum mw_status agree(void *context, enum mw_status mine, enum mw_status *worst,
                            struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.agree(dying->alive.context, mine, worst, diagnostic);
}

static enum mw_status output_open(void *context, const char *path, uint64_t nonce,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.output_open(dying->alive.context, path, nonce, diagnostic);
}

static enum mw_status output_write(void *context, int source, uint64_t source_offset,
                                   uint64_t bytes, uint64_t target_offset,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.output_write(dying->alive.context, source, source_offset, bytes,
                                     target_offset, diagnostic);
}

static enum mw_status output_close(void *context, struct mw_diagnostic *diagnostic)
{
    struct mwr_dying *dying = context;

    mwr_dying_point(dying);
    return dying->alive.output_close(dying->alive.context, diagnostic);
}

void mwr_dying_wrap(struct mwr_dying *dying, struct mw_transport *transport)
{
    const char *when = getenv("MPIWATCH_TEST_DIE_AT");
    char *colon;

    dying->countdown = 0;
    if (!when) {
        return;
    }
    dying->countdown = (unsigned)strtoul(when, &colon, 10);
    if (*colon == ':' && strtoul(colon + 1, NULL, 10) != transport->rank) {
        dying->countdown = 0;
    }
    dying->alive = *transport;
    transport->context = dying;
    transport->gather = gather;
    transport->combine = combine;
    transport->scatter = scatter;
    transport->broadcast = broadcast;
    transport->exscan = exscan;
    transport->agree = agree;
    transport->output_open = output_open;
    transport->output_write = output_write;
    transport->output_close = output_close;
}
