/*
 * Stretches of a location follow each other, so that those that ended by a time are the first ones
 * of its list; of a call that was told as several there are two of the same time. Of main threads
 * there is one state, by which it is known how long they are recorded: a thread or stream that has
 * no event then is idle.
 */
#include "analyzer/view/view_threads.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/bins.h"
#include "analyzer/view/view_states.h"

static struct mwa_view_stretch *nth(const struct mwa_view_store *store,
                                    const struct mwa_view_location *location, uint64_t n)
{
    return mwa_view_array_at(&store->stretches,
                             (uint64_t)location->stretch_chunks[n / MWA_VIEW_CHUNK] *
                                     MWA_VIEW_CHUNK +
                                 n % MWA_VIEW_CHUNK);
}

/* What had been done when the block of stretch n began. */
static struct mwa_view_sums *sums_of(const struct mwa_view_store *store,
                                     const struct mwa_view_location *location, uint64_t n)
{
    return mwa_view_array_at(&store->sums, ((uint64_t)location->stretch_chunks[n / MWA_VIEW_CHUNK] *
                                                MWA_VIEW_CHUNK +
                                            n % MWA_VIEW_CHUNK) /
                                               MWA_VIEW_BLOCK);
}

/* --- making ------------------------------------------------------------------------------- */

static enum mw_status add_chunk(struct mwa_view_threads *threads,
                                struct mwa_view_location *location)
{
    struct mwa_view_store *store = threads->store;
    const uint64_t chunk = store->stretches.count / MWA_VIEW_CHUNK;
    enum mw_status status;

    if (!mwa_grow(&location->stretch_chunks, &location->stretch_chunk_capacity,
                  location->stretch_chunk_count + 1, sizeof *location->stretch_chunks)) {
        return mw_no_memory(threads->diagnostic, NULL, "for threads and streams");
    }
    status = mwa_view_array_add(&store->stretches, MWA_VIEW_CHUNK, threads->diagnostic);
    if (status == MW_OK) {
        status = mwa_view_array_add(&store->sums, MWA_VIEW_CHUNK / MWA_VIEW_BLOCK,
                                    threads->diagnostic);
    }
    if (status == MW_OK) {
        location->stretch_chunks[location->stretch_chunk_count++] = (uint32_t)chunk;
    }
    return status;
}

static void keep_stretch(void *user, unsigned state, uint64_t from, uint64_t to, uint64_t ticks)
{
    struct mwa_view_threads *threads = user;
    struct mwa_view_location *location = &threads->store->locations[threads->location];

    if (ticks == 0 || threads->status != MW_OK) {
        return;
    }
    if (location->stretch_count == location->stretch_chunk_count * MWA_VIEW_CHUNK) {
        threads->status = add_chunk(threads, location);
    }
    if (threads->status == MW_OK) {
        *nth(threads->store, location, location->stretch_count++) =
            (struct mwa_view_stretch){ .from = from, .to = to, .ticks = ticks, .state = state };
    }
}

enum mw_status mwa_view_threads_begin(struct mwa_view_threads *threads,
                                      struct mwa_view_store *store,
                                      struct mw_diagnostic *diagnostic)
{
    *threads = (struct mwa_view_threads){
        .store = store,
        .activities = calloc(store->trace->location_count + 1, sizeof *threads->activities),
        .diagnostic = diagnostic
    };
    return threads->activities ? MW_OK
                               : mw_no_memory(diagnostic, NULL, "for threads and streams");
}

/* Main threads matter whose ranks have other locations. */
static bool is_wanted(const struct mwa_view_threads *threads, uint32_t location)
{
    const struct mwa_view_store *store = threads->store;
    const struct mwa_location *about = &store->trace->locations[location];
    uint64_t count = 0;

    if (about->rank != MWA_NONE && about->master && store->others.count > 0) {
        mwa_other_locations_of(&store->others, about->rank, &count);
    }
    return count > 0 || store->others.index_of[location] != MWA_NONE;
}

enum mw_status mwa_view_threads_take(struct mwa_view_threads *threads, uint32_t location,
                                     const struct mwa_moment *moment)
{
    struct mwa_activity *activity = &threads->activities[location];

    if (threads->store->others.count == 0 ||
        !(MWA_KIND(moment->event->kind) & MWA_ACTIVITY_KINDS) || !is_wanted(threads, location)) {
        return MW_OK;
    }
    threads->location = location;
    if (moment->location->master) {
        mwa_activity_take_main(activity, moment, keep_stretch, threads);
    } else if (mwa_activity_take(activity, moment, keep_stretch, threads) != MW_OK) {
        return mw_no_memory(threads->diagnostic, NULL, "for threads and streams");
    }
    return threads->status;
}

/* Makes the sums of blocks. */
static void add_up(struct mwa_view_store *store, const struct mwa_view_location *location)
{
    struct mwa_view_sums sums = { { 0 } };

    for (uint64_t n = 0; n < location->stretch_count; n++) {
        const struct mwa_view_stretch *stretch = nth(store, location, n);

        if (n % MWA_VIEW_BLOCK == 0) {
            *sums_of(store, location, n) = sums;
        }
        sums.ticks[stretch->state] += stretch->ticks;
    }
}

enum mw_status mwa_view_threads_end(struct mwa_view_threads *threads)
{
    struct mwa_view_store *store = threads->store;

    for (uint32_t i = 0; i < store->trace->location_count; i++) {
        threads->location = i;
        mwa_activity_end(&threads->activities[i], store->locations[i].last, keep_stretch, threads);
        if (threads->status != MW_OK) {
            return threads->status;
        }
        store->locations[i].tells_idle = threads->activities[i].tells_idle;
        add_up(store, &store->locations[i]);
    }
    return MW_OK;
}

void mwa_view_threads_fini(struct mwa_view_threads *threads)
{
    for (uint64_t i = 0; threads->activities && i < threads->store->trace->location_count; i++) {
        mwa_activity_fini(&threads->activities[i]);
    }
    free(threads->activities);
    *threads = (struct mwa_view_threads){ .status = MW_OK };
}

/* --- asking --------------------------------------------------------------------------------- */

/* How many stretches of a location had ended by time. */
static uint64_t ended(const struct mwa_view_store *store, const struct mwa_view_location *location,
                      uint64_t time)
{
    uint64_t low = 0, high = location->stretch_count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (nth(store, location, middle)->to <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What a location had done until time. */
static struct mwa_view_sums done_at(const struct mwa_view_store *store,
                                    const struct mwa_view_location *location, uint64_t time)
{
    const uint64_t count = ended(store, location, time);
    const uint64_t first = count > 0 ? (count - 1) / MWA_VIEW_BLOCK * MWA_VIEW_BLOCK : 0;
    struct mwa_view_sums sums = { { 0 } };

    if (count > 0) {
        sums = *sums_of(store, location, first);
    }
    for (uint64_t n = first; n < location->stretch_count; n++) {
        const struct mwa_view_stretch *stretch = nth(store, location, n);

        if (n >= count && stretch->from >= time) {
            break;
        }
        sums.ticks[stretch->state] +=
            n < count ? stretch->ticks
                      : mwa_ticks_share(stretch->ticks, stretch->from, stretch->to, stretch->from,
                                        time);
    }
    return sums;
}

static bool is_main(const struct mwa_view_store *store, uint32_t location)
{
    return store->others.index_of[location] == MWA_NONE;
}

struct mwa_view_row_done mwa_view_row_done_at(const struct mwa_view_store *store,
                                              uint32_t index, uint64_t time)
{
    struct mwa_view_row_done done = { .recorded = 0 };
    uint32_t master;

    if (is_main(store, index)) {
        const struct mwa_view_done own = mwa_view_done_at(store, index, time);

        memcpy(done.ticks, own.ticks, sizeof own.ticks);
        return done;
    }
    memcpy(done.ticks, done_at(store, &store->locations[index], time).ticks, sizeof done.ticks);
    master = store->trace->ranks[store->trace->locations[index].rank].master;
    if (master != MWA_NONE) {
        done.recorded =
            done_at(store, &store->locations[master], time).ticks[MWA_LOCATION_IDLE];
    }
    return done;
}

void mwa_view_row_between(const struct mwa_view_store *store, uint32_t index,
                          const struct mwa_view_row_done *before,
                          const struct mwa_view_row_done *after,
                          uint64_t ticks[MWA_LOCATION_STATES])
{
    for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
        ticks[state] = after->ticks[state] - before->ticks[state];
    }
    if (!is_main(store, index)) {
        mwa_activity_settle(ticks, after->recorded - before->recorded,
                            store->locations[index].tells_idle);
    }
}
