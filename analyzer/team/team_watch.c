/*
 * /proc tells what a process has used: all its threads in hundredths of seconds, and the main one,
 * which is that which waits, in nanoseconds. When it was started tells it from another one that has
 * its number there, where processes have namespaces of their own.
 */
#include "analyzer/team/team_watch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/host_key.h"

/* Where a process is, as all are told. */
struct whereabouts {
    struct mw_host_key host;
    uint64_t pid;
    uint64_t started; /* ticks since the host was; 0: not known */
};

/* What /proc says of one. */
struct reading {
    uint64_t started;
    uint64_t used[2];
    char state;
};

struct peer {
    uint32_t process;
    uint64_t pid;
    struct reading last;
    uint32_t seconds; /* that nothing has changed */
    bool is_told;     /* so far */
};

struct mwa_team_watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_ended; /* under the lock */
    void (*tell)(const struct mwa_stuck *stuck);
    struct mwa_patience patience;
    uint32_t process; /* this one */
    uint32_t count;
    struct peer peers[]; /* on this host, in their order, without this one */
};

/* --- looking ---------------------------------------------------------------------------------- */

/* Reads the first line of a file of /proc of a process; false: there is none. */
static bool read_line(uint64_t pid, const char *name, char *line, size_t size)
{
    char path[64];
    FILE *file;
    bool is_read;

    snprintf(path, sizeof path, "/proc/%" PRIu64 "/%s", pid, name);
    file = fopen(path, "re");
    is_read = file && fgets(line, (int)size, file);
    if (file) {
        (void)fclose(file);
    }
    return is_read;
}

/* See proc(5): fields 3, 14, 15 and 22 of stat. False: there is no such process. */
static bool look_at(uint64_t pid, struct reading *reading)
{
    char line[1024];
    const char *behind_name;
    uint64_t user, system;

    *reading = (struct reading){ .state = 0 };
    if (!read_line(pid, "stat", line, sizeof line) || !(behind_name = strrchr(line, ')')) ||
        sscanf(behind_name,
               ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
               " %*s %*s %*s %*s %*s %*s %" SCNu64,
               &reading->state, &user, &system, &reading->started) != 4) {
        return false;
    }
    reading->used[0] = user + system;
    if (read_line(pid, "schedstat", line, sizeof line)) {
        reading->used[1] = strtoull(line, NULL, 10);
    }
    return true;
}

/* Whether this process is the one to speak of peer: the lowest here but that, and but those that
 * are stuck as well and can't. */
static bool is_to_tell(const struct mwa_team_watch *watch, const struct peer *peer)
{
    for (uint32_t i = 0; i < watch->count; i++) {
        const struct peer *other = &watch->peers[i];

        if (other != peer && other->process < watch->process &&
            other->seconds < watch->patience.first) {
            return false;
        }
    }
    return true;
}

static void look_at_peer(const struct mwa_team_watch *watch, struct peer *peer)
{
    struct mwa_stuck stuck = { .process = peer->process, .pid = peer->pid };
    struct reading now;

    if (!look_at(peer->pid, &now) || now.started != peer->last.started ||
        memcmp(now.used, peer->last.used, sizeof now.used) != 0) {
        memcpy(peer->last.used, now.used, sizeof now.used);
        peer->seconds = 0;
        peer->is_told = false;
        return;
    }
    stuck.seconds = ++peer->seconds;
    stuck.is_stopped = now.state == 'T' || now.state == 't';
    stuck.is_over = stuck.seconds >= watch->patience.last;
    if (stuck.seconds >= watch->patience.first && (stuck.is_over || !peer->is_told) &&
        is_to_tell(watch, peer)) {
        peer->is_told = true;
        watch->tell(&stuck);
    }
}

/* A pthread's function. */
static void *watch_them(void *argument)
{
    struct mwa_team_watch *watch = argument;
    struct timespec next;

    pthread_mutex_lock(&watch->lock);
    while (!watch->has_ended) {
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_sec++;
        if (pthread_cond_timedwait(&watch->changed, &watch->lock, &next) == 0) {
            continue;
        }
        for (uint32_t i = 0; i < watch->count; i++) {
            look_at_peer(watch, &watch->peers[i]);
        }
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* --- who is where ----------------------------------------------------------------------------- */

static void find_own(struct whereabouts *own)
{
    struct reading reading;

    memset(own, 0, sizeof *own);
    mw_host_key_own(&own->host);
    own->pid = (uint64_t)getpid();
    own->started = look_at(own->pid, &reading) ? reading.started : 0;
}

/* Puts those of all processes, in their order, into all. */
static enum mw_status tell_all(const struct mwa_team *team, const struct whereabouts *own,
                               struct mw_buffer *all, struct mw_diagnostic *diagnostic)
{
    struct mw_parts parts;
    enum mw_status status = team->transport.gather(team->transport.context, own, sizeof *own,
                                                   &parts, diagnostic);

    for (uint32_t i = 0; status == MW_OK && i < parts.count; i++) {
        mw_buffer_append(all, parts.parts[i], sizeof *own);
    }
    mw_parts_fini(&parts);
    status = mwa_team_agree(team, status, 0, diagnostic);
    return status == MW_OK ? mwa_team_tell(team, all, diagnostic) : status;
}

/* Those that can be looked at; null: there are none, or there is no memory. */
static struct mwa_team_watch *choose(const struct mwa_team *team, const struct whereabouts *own,
                                     const struct mw_buffer *all)
{
    const uint32_t count = (uint32_t)(all->bytes / sizeof *own);
    struct mwa_team_watch *watch = calloc(1, sizeof *watch + count * sizeof watch->peers[0]);

    for (uint32_t i = 0; watch && i < count; i++) {
        struct peer peer = { .process = i };
        struct whereabouts one;

        memcpy(&one, all->data + i * sizeof one, sizeof one);
        peer.pid = one.pid;
        if (i != team->transport.rank && one.started > 0 &&
            memcmp(&one.host, &own->host, sizeof one.host) == 0 &&
            look_at(one.pid, &peer.last) && peer.last.started == one.started) {
            watch->peers[watch->count++] = peer;
        }
    }
    if (watch && watch->count == 0) {
        free(watch);
        return NULL;
    }
    return watch;
}

enum mw_status mwa_team_watch_begin(const struct mwa_team *team,
                                    void (*tell)(const struct mwa_stuck *stuck),
                                    struct mwa_team_watch **result,
                                    struct mw_diagnostic *diagnostic)
{
    struct mw_buffer all = { 0 };
    struct mwa_team_watch *watch;
    struct whereabouts own;
    enum mw_status status;

    *result = NULL;
    find_own(&own);
    status = tell_all(team, &own, &all, diagnostic);
    watch = status == MW_OK ? choose(team, &own, &all) : NULL;
    mw_buffer_fini(&all);
    if (status == MW_ERROR_MEMORY) { /* on all */
        *diagnostic = (struct mw_diagnostic){ .status = MW_OK };
        return MW_OK;
    }
    if (!watch) {
        return status;
    }
    watch->tell = tell;
    watch->patience = mwa_team_patience();
    watch->process = team->transport.rank;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->changed, NULL);
    if (pthread_create(&watch->thread, NULL, watch_them, watch) != 0) {
        pthread_cond_destroy(&watch->changed);
        pthread_mutex_destroy(&watch->lock);
        free(watch);
        return MW_OK;
    }
    *result = watch;
    return MW_OK;
}

void mwa_team_watch_end(struct mwa_team_watch *watch)
{
    if (!watch) {
        return;
    }
    pthread_mutex_lock(&watch->lock);
    watch->has_ended = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}
