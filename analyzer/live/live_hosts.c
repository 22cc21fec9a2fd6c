/*
 * What is told of other hosts is heard as it comes, and of this one too: views see one kind of
 * thing, whether a rank runs here, elsewhere, or beyond a port.
 */
#include "analyzer/live/live_hosts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/live/live_carrier.h"
#include "analyzer/live/live_hear.h"
#include "analyzer/live/live_here.h"

#define SECOND 1000000000u
#define FIRST_MILLISECONDS 10000 /* that all have to be heard of for the first time */
#define STRAGGLERS_MILLISECONDS 300 /* at each later look; hosts look when they do */

struct hosts {
    struct mwa_live_source source;
    struct mw_run run;
    struct mwa_live_carrier carrier;
    struct mwa_live_here here; /* of who looks itself */
    uint32_t seconds; /* between two looks */
    const char **names; /* null: nothing is looked at here */
    uint64_t silence;   /* ns after which somebody is not heard of */
    bool *is_heard;     /* since the latest look, by teller */
};

/* Calls go to one of those that look. */
static void give_to(void *context, uint32_t to, const void *message, size_t bytes)
{
    (void)mwa_live_carrier_give(context, to, message, bytes);
}

/* What those who watch are told goes to all of them. */
static void give_to_watchers(void *context, const void *message, size_t bytes)
{
    (void)mwa_live_carrier_give(context, MW_CARRY_WATCHERS, message, bytes);
}

/* --- who shows ------------------------------------------------------------------------------- */

struct hearing {
    struct mwa_live *live;
    enum mw_status status;
    struct mw_diagnostic *diagnostic;
};

static void hear_here(void *context, const void *message, size_t bytes)
{
    struct hearing *hearing = context;

    if (hearing->status == MW_OK) {
        hearing->status = mwa_live_hear(hearing->live, 0, message, bytes, hearing->diagnostic);
    }
}

static struct hosts *hosts_of(struct mwa_live *live)
{
    return (struct hosts *)live->source;
}

static bool all_are_heard(const struct mwa_live *live, const struct hosts *hosts)
{
    for (uint32_t i = hosts->names ? 1 : 0; i < live->host_count; i++) {
        if (!hosts->is_heard[i] && !live->hosts[i].is_over &&
            (!live->hosts[i].is_silent || live->hosts[i].heard == 0)) {
            return false;
        }
    }
    return true;
}

/* What is no message at all is for who refuses it. */
static bool is_of_calls(const char *data, size_t bytes)
{
    struct mw_diagnostic wrong = {0};
    struct mw_live_head head;
    struct mw_cursor items;

    return mw_live_message_read(data, bytes, &head, &items, &wrong) == MW_OK &&
           head.kind == MW_LIVE_CALLS;
}

static enum mw_status take_packet(struct mwa_live *live, const struct mw_carry_head *head,
                                  const char *data, size_t bytes,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_live_host *host;

    if (head->number >= live->host_count) {
        return MW_OK;
    }
    host = &live->hosts[head->number];
    if (head->kind == MW_CARRY_MESSAGE && is_of_calls(data, bytes)) {
        return mwa_live_here_take(&hosts_of(live)->here, head->number, data, bytes,
                                  hosts_of(live)->seconds, diagnostic);
    }
    if (head->kind == MW_CARRY_MESSAGE) {
        hosts_of(live)->is_heard[head->number] = true;
        return mwa_live_hear(live, head->number, data, bytes, diagnostic);
    }
    host->is_over = true;
    if (bytes > 0 && !host->refused[0]) {
        snprintf(host->refused, sizeof host->refused, "%.*s", (int)bytes, data);
    }
    return MW_OK;
}

/* Hears what has come, and waits for who has not told anything yet, up to so long. */
static enum mw_status hear_others(struct mwa_live *live, int milliseconds,
                                  struct mw_diagnostic *diagnostic)
{
    struct hosts *hosts = hosts_of(live);
    const uint64_t until = mwa_live_time() + (uint64_t)milliseconds * 1000000;
    enum mw_status status = MW_OK;

    memset(hosts->is_heard, 0, live->host_count * sizeof *hosts->is_heard);
    while (status == MW_OK) {
        struct mw_carry_head head;
        const char *data;
        size_t bytes;
        const bool is_late = all_are_heard(live, hosts) || mwa_live_time() >= until;

        if (mwa_live_carrier_take(&hosts->carrier, is_late ? 0 : 10, &head, &data, &bytes)) {
            status = take_packet(live, &head, data, bytes, diagnostic);
        } else if (is_late || hosts->carrier.socket < 0) {
            break;
        }
    }
    for (uint32_t i = hosts->names ? 1 : 0; hosts->carrier.socket < 0 && i < live->host_count;
         i++) {
        live->hosts[i].is_over = true;
    }
    return status;
}

struct wishing {
    struct mwa_live_carrier *carrier;
    uint32_t to;
};

static void give_wish(void *context, const void *message, size_t bytes)
{
    const struct wishing *wishing = context;

    (void)mwa_live_carrier_give(wishing->carrier, wishing->to, message, bytes);
}

/* Each is to tell what is wished for here. */
static enum mw_status tell_wish(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    struct hosts *hosts = hosts_of(live);
    const struct mw_live_wish wish = {.flags = live->wish};
    struct wishing wishing = {&hosts->carrier, 0};
    struct mwa_live_telling telling = {.give = give_wish, .context = &wishing};
    enum mw_status status = MW_OK;

    mwa_live_here_wish(&hosts->here, live->wish);
    for (uint32_t i = hosts->names ? 1 : 0;
         status == MW_OK && live->wish && i < live->host_count; i++) {
        wishing.to = i;
        status = mwa_live_tell_one(live->run, MW_LIVE_WISH, &wish, NULL, &telling, diagnostic);
    }
    return status;
}

static enum mw_status look_everywhere(struct mwa_live *live, int milliseconds,
                                      struct mw_diagnostic *diagnostic)
{
    struct hosts *hosts = hosts_of(live);
    struct hearing hearing = {live, MW_OK, diagnostic};
    bool has_ended;
    enum mw_status status = tell_wish(live, diagnostic);

    if (status == MW_OK && hosts->names) {
        hosts->here.telling.give = hear_here;
        hosts->here.telling.context = &hearing;
        status = mwa_live_here_look(&hosts->here, hosts->names, hosts->seconds, &has_ended,
                                    diagnostic);
        status = status != MW_OK ? status : hearing.status;
    }
    if (status == MW_OK) {
        status = hear_others(live, milliseconds, diagnostic);
    }
    mwa_live_hear_age(live, hosts->silence);
    return status;
}

static enum mw_status look(struct mwa_live *live, struct mw_diagnostic *diagnostic)
{
    return look_everywhere(live, STRAGGLERS_MILLISECONDS, diagnostic);
}

static void end(struct mwa_live *live)
{
    struct hosts *hosts = hosts_of(live);

    live->source = NULL;
    live->run = NULL;
    mwa_live_variables_destroy(live->variables);
    live->variables = NULL;
    mwa_live_carrier_end(&hosts->carrier);
    mwa_live_here_end(&hosts->here);
    mwa_live_peers_destroy(hosts->here.peers);
    free(hosts->is_heard);
    free(hosts);
}

/* Puts the source into *live, which hears of so many tellers. */
static enum mw_status take_source(struct mwa_live *live, struct hosts *hosts, uint32_t seconds,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        mwa_live_hear_begin(live, &hosts->run, hosts->carrier.tellers, diagnostic);

    live->source = &hosts->source;
    hosts->source = (struct mwa_live_source){.look = look, .end = end};
    hosts->seconds = seconds;
    hosts->silence = (3 * (uint64_t)seconds + 2) * SECOND;
    hosts->is_heard = calloc(hosts->carrier.tellers + (size_t)1, sizeof *hosts->is_heard);
    if (!hosts->is_heard) {
        status = mw_no_memory(diagnostic, NULL, "for who tells of the run");
    }
    return status != MW_OK ? status : look_everywhere(live, FIRST_MILLISECONDS, diagnostic);
}

static void drop(struct hosts *hosts)
{
    mwa_live_carrier_end(&hosts->carrier);
    mwa_live_peers_destroy(hosts->here.peers);
    free(hosts);
}

/* --- who tells ------------------------------------------------------------------------------- */

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal)
{
    (void)signal;
    is_interrupted = 1;
}

/* Looks and tells until nobody wants to know any more; ends_with_run: or the run has ended. */
static enum mw_status tell_on(struct hosts *hosts, const char **names, uint32_t seconds,
                              bool ends_with_run, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;
    bool has_ended = false;

    hosts->here.telling.give = give_to_watchers;
    hosts->here.telling.context = &hosts->carrier;
    while (status == MW_OK && hosts->carrier.socket >= 0 && !is_interrupted &&
           !(has_ended && ends_with_run)) {
        const uint64_t until = mwa_live_time() + seconds * (uint64_t)SECOND;

        status = mwa_live_here_look(&hosts->here, names, seconds, &has_ended, diagnostic);
        while (status == MW_OK && hosts->carrier.socket >= 0 && !is_interrupted &&
               mwa_live_time() < until) {
            struct mw_carry_head head;
            const char *data;
            size_t bytes;

            if (mwa_live_carrier_take(&hosts->carrier, 100, &head, &data, &bytes) &&
                head.kind == MW_CARRY_MESSAGE) {
                status = mwa_live_here_take(&hosts->here, head.number, data, bytes, seconds,
                                            diagnostic);
            }
        }
    }
    mwa_live_here_end(&hosts->here);
    return status;
}

/* Who can't tell any more goes with the others: a launcher ends them all with the first. */
static void stay(struct mwa_live_carrier *carrier)
{
    while (carrier->socket >= 0 && !is_interrupted) {
        struct mw_carry_head head;
        const char *data;
        size_t bytes;

        mwa_live_carrier_take(carrier, 100, &head, &data, &bytes);
    }
}

/* Nobody sees a run: why not, as it looks from here. */
static enum mw_status nothing(const char **names, struct mw_diagnostic *diagnostic)
{
    struct mwa_live live;
    enum mw_status status = mwa_live_begin(&live, names, diagnostic);

    mwa_live_fini(&live);
    return status != MW_OK ? status
                           : mw_fail(diagnostic, MW_ERROR_FORMAT, names[0],
                                     MW_DIAGNOSTIC_OFFSET_NONE,
                                     "none of its ranks is to be seen from where this was started");
}

/* --- the ways -------------------------------------------------------------------------------- */

/* A watcher looks at nothing itself. */
static enum mw_status start(struct hosts **hosts, const char *way, const char *place,
                            bool is_watcher, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    *hosts = calloc(1, sizeof **hosts);
    if (!*hosts) {
        return mw_no_memory(diagnostic, NULL, "to speak over MPI");
    }
    status = mwa_live_carrier_begin(&(*hosts)->carrier, way, place, diagnostic);
    if (status != MW_OK) {
        drop(*hosts);
        *hosts = NULL;
    } else if ((*hosts)->carrier.tellers > 1 && !is_watcher) {
        (*hosts)->here.peers = mwa_live_peers_create((*hosts)->carrier.tellers,
                                                     (*hosts)->carrier.rank, give_to,
                                                     &(*hosts)->carrier);
    }
    return status;
}

enum mw_status mwa_live_together(struct mwa_live *live, const char **names, uint32_t seconds,
                                 bool *is_first, struct mw_diagnostic *diagnostic)
{
    struct hosts *hosts;
    enum mw_status status = start(&hosts, "together", NULL, false, diagnostic);

    *live = (struct mwa_live){0};
    *is_first = true;
    if (status != MW_OK) {
        return status;
    }
    *is_first = hosts->carrier.rank == 0;
    if (*is_first) {
        hosts->names = names;
        status = take_source(live, hosts, seconds, diagnostic);
        return status == MW_OK && live->run->size == 0 ? nothing(names, diagnostic) : status;
    }
    status = tell_on(hosts, names, seconds, false, diagnostic);
    stay(&hosts->carrier);
    drop(hosts);
    return status;
}

enum mw_status mwa_live_serve(const char **names, uint32_t seconds, const char *place,
                              struct mw_diagnostic *diagnostic)
{
    const struct sigaction action = {.sa_handler = interrupt};
    struct hosts *hosts;
    enum mw_status status;

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    status = start(&hosts, "serve", place, false, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    status = tell_on(hosts, names, seconds, true, diagnostic);
    mwa_live_carrier_stop(&hosts->carrier);
    stay(&hosts->carrier);
    drop(hosts);
    return status;
}

enum mw_status mwa_live_connect(struct mwa_live *live, const char *ports, uint32_t seconds,
                                struct mw_diagnostic *diagnostic)
{
    struct hosts *hosts;
    enum mw_status status = start(&hosts, "connect", ports, true, diagnostic);

    *live = (struct mwa_live){0};
    if (status == MW_OK) {
        status = take_source(live, hosts, seconds, diagnostic);
    }
    for (uint32_t i = 0; status == MW_OK && i < live->host_count; i++) {
        if (live->hosts[i].heard > 0) {
            return MW_OK;
        }
    }
    return status != MW_OK ? status
                           : mw_fail(diagnostic, MW_ERROR_FORMAT, ports, MW_DIAGNOSTIC_OFFSET_NONE,
                                     "no server is to be heard: %s",
                                     live->hosts[0].refused[0] ? live->hosts[0].refused
                                                               : "none has told anything");
}
