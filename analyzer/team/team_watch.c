/*
 * /proc tells what a process has used: all its threads in hundredths of seconds, and the main one,
 * which is that which waits, in nanoseconds. The thread that looks goes on where the others do not,
 * and does not count. When it was started tells a process from another one that has its number
 * there, where processes have namespaces of their own.
 */
#include "analyzer/team/team_watch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/host_key.h"

#define ROUNDING 4u /* hundredths of seconds, of four times that are each rounded */

/* Where a process is, as all are told. */
struct whereabouts {
    struct mw_host_key host;
    uint64_t pid;
    uint64_t started; /* ticks since the host was; 0: not known */
    uint64_t watcher; /* its thread that looks; 0: none does */
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
    uint64_t watcher;
    struct reading last; /* when it went on, as far as is known */
    uint32_t seconds; /* that nothing has changed */
    bool is_told;     /* so far */
};

struct mwa_team_watch {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*tell)(const struct mwa_stuck *stuck);
    struct mwa_patience patience;
    uint32_t process; /* this one */

    /* Under the lock: */
    uint64_t watcher; /* the thread's number; 0: not known yet */
    bool has_ended;
    uint32_t count;
    struct peer *peers; /* on this host, in their order, without this one */
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

/* See proc(5): fields 3, 14, 15 and 22 of stat. False: there is no such process or thread. */
static bool read_stat(uint64_t pid, const char *name, struct reading *reading)
{
    char line[1024];
    const char *behind_name;
    uint64_t user, system;

    *reading = (struct reading){ .state = 0 };
    if (!read_line(pid, name, line, sizeof line) || !(behind_name = strrchr(line, ')')) ||
        sscanf(behind_name,
               ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64
               " %*s %*s %*s %*s %*s %*s %" SCNu64,
               &reading->state, &user, &system, &reading->started) != 4) {
        return false;
    }
    reading->used[0] = user + system;
    return true;
}

/* False: there is no such process. */
static bool look_at(uint64_t pid, uint64_t watcher, struct reading *reading)
{
    struct reading of_watcher;
    char line[64];

    if (!read_stat(pid, "stat", reading)) {
        return false;
    }
    snprintf(line, sizeof line, "task/%" PRIu64 "/stat", watcher);
    if (read_stat(pid, line, &of_watcher)) {
        reading->used[0] -= of_watcher.used[0] < reading->used[0] ? of_watcher.used[0]
                                                                  : reading->used[0];
    }
    if (read_line(pid, "schedstat", line, sizeof line)) {
        reading->used[1] = strtoull(line, NULL, 10);
    }
    return true;
}

/* Whether more was used from last to now than rounding makes of nothing. */
static bool goes_on(const struct reading *last, const struct reading *now)
{
    return now->used[0] > last->used[0] + ROUNDING || now->used[1] != last->used[1];
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

    if (!look_at(peer->pid, peer->watcher, &now) || now.started != peer->last.started ||
        goes_on(&peer->last, &now)) {
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
    watch->watcher = (uint64_t)syscall(SYS_gettid);
    pthread_cond_broadcast(&watch->changed);
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

static void find_own(const struct mwa_team_watch *watch, struct whereabouts *own)
{
    struct reading reading;

    memset(own, 0, sizeof *own);
    mw_host_key_own(&own->host);
    own->pid = (uint64_t)getpid();
    own->started = look_at(own->pid, 0, &reading) ? reading.started : 0;
    own->watcher = watch ? watch->watcher : 0;
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

/* Has those looked at that can be. False: there are none, or there is no memory. */
static bool choose(struct mwa_team_watch *watch, const struct whereabouts *own,
                   const struct mw_buffer *all)
{
    const uint32_t count = (uint32_t)(all->bytes / sizeof *own);
    bool has_any;

    pthread_mutex_lock(&watch->lock);
    watch->peers = calloc(count + 1, sizeof *watch->peers);
    for (uint32_t i = 0; watch->peers && i < count; i++) {
        struct peer peer = { .process = i };
        struct whereabouts one;

        memcpy(&one, all->data + i * sizeof one, sizeof one);
        peer.pid = one.pid;
        peer.watcher = one.watcher;
        if (i != watch->process && one.started > 0 &&
            memcmp(&one.host, &own->host, sizeof one.host) == 0 &&
            look_at(one.pid, one.watcher, &peer.last) && peer.last.started == one.started) {
            watch->peers[watch->count++] = peer;
        }
    }
    has_any = watch->count > 0;
    pthread_mutex_unlock(&watch->lock);
    return has_any;
}

/* A thread that looks at nobody yet; null: there can be none. */
static struct mwa_team_watch *create(const struct mwa_team *team,
                                     void (*tell)(const struct mwa_stuck *stuck))
{
    struct mwa_team_watch *watch = calloc(1, sizeof *watch);

    if (!watch) {
        return NULL;
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
        return NULL;
    }
    pthread_mutex_lock(&watch->lock);
    while (watch->watcher == 0) {
        pthread_cond_wait(&watch->changed, &watch->lock);
    }
    pthread_mutex_unlock(&watch->lock);
    return watch;
}

static void destroy(struct mwa_team_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->has_ended = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    free(watch->peers);
    free(watch);
}

enum mw_status mwa_team_watch_begin(const struct mwa_team *team,
                                    void (*tell)(const struct mwa_stuck *stuck),
                                    struct mwa_team_watch **result,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_team_watch *watch = create(team, tell);
    struct mw_buffer all = { 0 };
    struct whereabouts own;
    enum mw_status status;

    find_own(watch, &own);
    status = tell_all(team, &own, &all, diagnostic);
    if (watch && (status != MW_OK || !choose(watch, &own, &all))) {
        destroy(watch);
        watch = NULL;
    }
    mw_buffer_fini(&all);
    if (status == MW_ERROR_MEMORY) { /* on all */
        *diagnostic = (struct mw_diagnostic){ .status = MW_OK };
        status = MW_OK;
    }
    *result = watch;
    return status;
}

void mwa_team_watch_end(const struct mwa_team *team, struct mwa_team_watch *watch)
{
    mwa_team_await(team);
    if (watch) {
        destroy(watch);
    }
}
