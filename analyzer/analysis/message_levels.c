#include "analyzer/analysis/message_levels.h"

#include <stdlib.h>
#include <string.h>

static const char lossy[] = "messages are lost or were not recorded";
static const char cancelled[] = "sends were cancelled, when is not known";
static const char remote[] = "between hosts: as exact as their clocks agree";

enum level { LEVEL_FLIGHT, LEVEL_UNEXPECTED, LEVELS };

static const char *const names[LEVELS] = { [LEVEL_FLIGHT] = MWA_TRACK_FLIGHT,
                                           [LEVEL_UNEXPECTED] = MWA_TRACK_UNEXPECTED };

struct change {
    uint64_t time;
    double by;
    uint32_t call; /* index of the region, MWA_NONE: none */
};

/* Of a rank on a communicator. */
struct series {
    enum level level;
    uint32_t rank;
    uint32_t comm;
    struct change *changes;
    uint64_t count, capacity;
    bool is_remote;    /* some have their other end on another host */
};

struct mwa_message_levels {
    const struct mwa_trace *trace;
    struct mwa_table index; /* of series */
    struct series *series;
    uint64_t count, capacity;
};

struct mwa_message_levels *mwa_message_levels_create(const struct mwa_trace *trace)
{
    struct mwa_message_levels *levels = calloc(1, sizeof *levels);

    if (levels) {
        levels->trace = trace;
    }
    return levels;
}

void mwa_message_levels_destroy(struct mwa_message_levels *levels)
{
    if (!levels) {
        return;
    }
    for (uint64_t i = 0; i < levels->count; i++) {
        free(levels->series[i].changes);
    }
    free(levels->series);
    mwa_table_fini(&levels->index);
    free(levels);
}

/* --- what the engine tells ---------------------------------------------------------- */

/* Null without memory. */
static struct series *series_of(struct mwa_message_levels *levels, enum level level,
                                uint32_t rank, uint32_t comm)
{
    struct mwa_key key = { level, (uint64_t)rank << 32 | comm };
    uint64_t *place;

    if (!mwa_grow(&levels->series, &levels->capacity, levels->count + 1,
                  sizeof *levels->series) ||
        !(place = mwa_table_put(&levels->index, key, levels->count))) {
        return NULL;
    }
    if (*place == levels->count) {
        levels->series[levels->count++] =
            (struct series){ .level = level, .rank = rank, .comm = comm };
    }
    return &levels->series[*place];
}

static enum mw_status change(const struct mwa_message_levels *levels, struct series *series,
                             uint64_t time, double by, const struct mwa_exchange_call *call)
{
    uint32_t region =
        call->region ? (uint32_t)(call->region - levels->trace->regions) : MWA_NONE;

    if (!mwa_grow(&series->changes, &series->capacity, series->count + 1,
                  sizeof *series->changes)) {
        return MW_ERROR_MEMORY;
    }
    series->changes[series->count++] = (struct change){ time, by, region };
    return MW_OK;
}

static double bytes_of(const struct mwa_message *message)
{
    return message->bytes == UINT64_MAX ? 0 : (double)message->bytes;
}

static enum mw_status take_begin(void *user, struct mwa_exchange_call *call)
{
    struct mwa_message_levels *levels = user;
    enum mw_status status = MW_OK;

    for (const struct mwa_message *message = call->begun; message && status == MW_OK;
         message = message->next_begun) {
        struct series *flight = series_of(levels, LEVEL_FLIGHT, call->rank, message->comm);

        if (!flight) {
            return MW_ERROR_MEMORY;
        }
        status = change(levels, flight, message->sent_at, bytes_of(message), call);
    }
    return status;
}

static bool is_remote(const struct mwa_trace *trace, uint32_t one, uint32_t other)
{
    return strcmp(trace->ranks[one].host, trace->ranks[other].host) != 0;
}

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    struct mwa_message_levels *levels = user;
    uint32_t to = message->receive->rank;
    bool far = is_remote(levels->trace, message->send->rank, to);
    struct series *flight =
        series_of(levels, LEVEL_FLIGHT, message->send->rank, message->comm);
    struct series *unexpected;
    enum mw_status status = MW_OK;

    if (!flight) {
        return MW_ERROR_MEMORY;
    }
    flight->is_remote |= far;
    if (message->receive_completion) {
        status = change(levels, flight, message->receive_completion->leave, -bytes_of(message),
                        message->receive_completion);
    }
    unexpected = series_of(levels, LEVEL_UNEXPECTED, to, message->comm);
    if (!unexpected) {
        return MW_ERROR_MEMORY;
    }
    unexpected->is_remote |= far;
    if (status == MW_OK && message->sent_at < message->posted_at) {
        status = change(levels, unexpected, message->sent_at, 1, message->send);
        if (status == MW_OK) {
            status = change(levels, unexpected, message->posted_at, -1, message->receive);
        }
    }
    return status;
}

struct mwa_exchange_sink mwa_message_levels_sink(struct mwa_message_levels *levels)
{
    return (struct mwa_exchange_sink){
        .user = levels, .begin = take_begin, .message = take_message
    };
}

/* --- tracks --------------------------------------------------------------------------- */

static int by_time(const void *one, const void *other)
{
    const struct change *a = one;
    const struct change *b = other;

    return (a->time > b->time) - (a->time < b->time);
}

/* Sums up changes into samples; what happens at one time is one sample. */
static enum mw_status sum_up(struct change *changes, uint64_t count, struct mwa_track *track)
{
    double value = 0;

    qsort(changes, count, sizeof *changes, by_time);
    track->samples = malloc((count + 1) * sizeof *track->samples);
    if (!track->samples) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        value += changes[i].by;
        if (i + 1 == count || changes[i + 1].time != changes[i].time) {
            track->samples[track->count++] = (struct mwa_sample){
                .time = changes[i].time, .value = value, .call = changes[i].call
            };
        }
    }
    return MW_OK;
}

static bool has_losses(const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        const struct mwa_rank *rank = &trace->ranks[i];

        if (rank->lost > 0 || rank->paused || rank->incomplete) {
            return true;
        }
    }
    return trace->incomplete;
}

/* Why a series may be wrong, null: it is exact. */
static const char *doubt_of(const struct mwa_trace *trace,
                            const struct mwa_matching_result *matching,
                            const struct series *series)
{
    bool is_unmatched = matching->unmatched_sends > 0 || matching->unmatched_receives > 0;

    if (is_unmatched && has_losses(trace)) {
        return lossy;
    }
    for (uint64_t i = 0; i < matching->cancelled_send_count; i++) {
        const struct mwa_cancelled_send *send = &matching->cancelled_sends[i];

        if (series->level == LEVEL_FLIGHT && send->from == series->rank &&
            send->comm == series->comm) {
            return cancelled;
        }
    }
    if (series->level == LEVEL_UNEXPECTED && matching->unmatched_sends > 0) {
        return "messages that nobody received are not counted";
    }
    return series->is_remote ? remote : NULL;
}

/* Makes track of the series from first on that are of its level, rank and communicator. */
static enum mw_status make_track(const struct mwa_message_levels *levels,
                                 const struct mwa_matching_result *matching,
                                 const struct series *series, uint64_t series_count,
                                 struct mwa_track *track)
{
    uint64_t count = 0;
    uint64_t used = 0;
    struct change *changes;
    enum mw_status status;

    for (uint64_t i = 0; i < series_count; i++) {
        const char *doubt = doubt_of(levels->trace, matching, &series[i]);

        count += series[i].count;
        track->inexact = track->inexact ? track->inexact : doubt;
    }
    changes = malloc((count + 1) * sizeof *changes);
    if (!changes) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < series_count; i++) {
        if (series[i].count > 0) {
            memcpy(changes + used, series[i].changes, series[i].count * sizeof *changes);
            used += series[i].count;
        }
    }
    status = sum_up(changes, count, track);
    free(changes);
    return status;
}

static int by_place(const void *one, const void *other)
{
    const struct series *a = one;
    const struct series *b = other;

    if (a->level != b->level) {
        return a->level < b->level ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return (a->comm > b->comm) - (a->comm < b->comm);
}

static int by_level_and_comm(const void *one, const void *other)
{
    const struct mwa_track *a = one;
    const struct mwa_track *b = other;
    int names_differ = strcmp(a->name, b->name);
    uint32_t one_comm = a->comm + 1; /* those of no communicator first */
    uint32_t other_comm = b->comm + 1;

    if (names_differ != 0) {
        return names_differ;
    }
    if (one_comm != other_comm) {
        return one_comm < other_comm ? -1 : 1;
    }
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Appends the track of series, all of one level and rank. */
static enum mw_status append(const struct mwa_message_levels *levels,
                             const struct mwa_matching_result *matching,
                             const struct series *series, uint64_t count, uint32_t comm,
                             struct mwa_tracks *tracks)
{
    struct mwa_track *track = &tracks->list[tracks->count];

    *track = (struct mwa_track){ .name = names[series->level],
                                 .metric = MWA_NONE,
                                 .rank = series->rank,
                                 .comm = comm,
                                 .object = MWA_NONE };
    if (make_track(levels, matching, series, count, track) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    tracks->count++;
    return MW_OK;
}

/* Appends a track for each of count series, which are sorted, and one for each rank. */
static enum mw_status append_all(const struct mwa_message_levels *levels,
                                 const struct mwa_matching_result *matching,
                                 const struct series *series, uint64_t count,
                                 struct mwa_tracks *tracks)
{
    uint64_t first = 0;

    for (uint64_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count || series[i + 1].level != series[i].level ||
                       series[i + 1].rank != series[i].rank;

        if (append(levels, matching, &series[i], 1, series[i].comm, tracks) != MW_OK) {
            return MW_ERROR_MEMORY;
        }
        if (is_last) {
            if (append(levels, matching, &series[first], i + 1 - first, MWA_NONE, tracks) !=
                MW_OK) {
                return MW_ERROR_MEMORY;
            }
            first = i + 1;
        }
    }
    return MW_OK;
}

enum mw_status mwa_message_levels_append(const struct mwa_message_levels *levels,
                                         const struct mwa_matching_result *matching,
                                         struct mwa_tracks *tracks)
{
    uint64_t before = tracks->count;
    struct series *sorted = malloc((levels->count + 1) * sizeof *sorted);
    struct mwa_track *grown =
        realloc(tracks->list, (before + 2 * levels->count + 1) * sizeof *grown);
    enum mw_status status = MW_ERROR_MEMORY;

    if (grown) {
        tracks->list = grown;
    }
    if (grown && sorted) {
        if (levels->count > 0) {
            memcpy(sorted, levels->series, levels->count * sizeof *sorted);
        }
        qsort(sorted, levels->count, sizeof *sorted, by_place);
        status = append_all(levels, matching, sorted, levels->count, tracks);
        qsort(tracks->list + before, tracks->count - before, sizeof *grown, by_level_and_comm);
    }
    free(sorted);
    return status;
}
