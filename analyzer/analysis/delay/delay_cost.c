#include "analyzer/analysis/delay/delay_cost.h"

#include <math.h>
#include <stdlib.h>

#include "formats/base/order.h"

/* Waits of a rank from its number `from` on pass on this much of cost for each of their ticks. */
struct range {
    uint64_t from;
    double rate;
};

/* What the waits of a rank pass on, at the place in the log that has been reached. */
struct passing {
    struct range *ranges; /* a heap: the greatest `from` first, each once at the top */
    uint64_t capacity;
    uint64_t count;
    double from_first; /* rate of ranges from 0 on */
    double rate;       /* sum of those in the heap */
    uint64_t left;     /* waits that were not reached */
    double unexplained; /* of them, ticks */
    double indirect;
};

/* Costs by activity. */
struct cost {
    double short_term[MWA_ACTIVITIES];
    double long_term[MWA_ACTIVITIES];
};

/* What of them is of waits for the calls at a place. */
struct place {
    uint32_t rank;
    uint32_t activity;
    uint32_t site; /* the first one of the place; MWA_NONE: not known where */
    double short_term;
    double long_term;
};

struct distribution {
    uint32_t order[MWA_ACTIVITIES]; /* activities by region: sums are the same, however numbered */
    struct passing *passing; /* per rank */
    struct cost **costs;     /* per rank, null: none */
    struct mwa_index index;  /* of places, by rank, activity and site */
    struct place *places;
};

static uint32_t activity_of(uint64_t delay)
{
    return delay & ((1u << MWA_DELAY_ACTIVITY) - 1);
}

bool mwa_delay_is_record(const struct mwa_trace *trace, const uint64_t *words, uint32_t count)
{
    bool is_record = count >= MWA_DELAY_HEAD &&
                     words[MWA_DELAY_RANK] < trace->rank_count &&
                     words[MWA_DELAY_CAUSE] < trace->rank_count &&
                     words[MWA_DELAY_LEFT] <= words[MWA_DELAY_WAIT] &&
                     words[MWA_DELAY_SITE] <= trace->site_count;

    for (uint32_t i = MWA_DELAY_HEAD; i < count && is_record; i++) {
        is_record = activity_of(words[i]) < MWA_ACTIVITIES;
    }
    return is_record;
}

/* --- ranges ------------------------------------------------------------------------------- */

static bool add_range(struct passing *passing, uint64_t from, double rate)
{
    uint64_t at = passing->count;

    if (from == 0) {
        passing->from_first += rate;
        return true;
    }
    passing->rate += rate;
    if (at > 0 && passing->ranges[0].from == from) {
        passing->ranges[0].rate += rate;
        return true;
    }
    if (!mwa_grow(&passing->ranges, &passing->capacity, at + 1, sizeof *passing->ranges)) {
        return false;
    }
    passing->count++;
    for (; at > 0 && passing->ranges[(at - 1) / 2].from < from; at = (at - 1) / 2) {
        passing->ranges[at] = passing->ranges[(at - 1) / 2];
    }
    passing->ranges[at] = (struct range){ from, rate };
    return true;
}

static void drop_top(struct passing *passing)
{
    struct range last = passing->ranges[--passing->count];
    uint64_t at = 0;

    passing->rate = passing->count > 0 ? passing->rate - passing->ranges[0].rate : 0;
    for (;;) {
        uint64_t child = 2 * at + 1;

        if (child + 1 < passing->count &&
            passing->ranges[child + 1].from > passing->ranges[child].from) {
            child++;
        }
        if (child >= passing->count || passing->ranges[child].from <= last.from) {
            break;
        }
        passing->ranges[at] = passing->ranges[child];
        at = child;
    }
    passing->ranges[at] = last;
}

/* What wait number passes on for each of its ticks; those before it are all that follow. */
static double rate_of(struct passing *passing, uint64_t number)
{
    while (passing->count > 0 && passing->ranges[0].from > number) {
        drop_top(passing);
    }
    return passing->from_first + passing->rate;
}

/* --- distribution ------------------------------------------------------------------------- */

/* The place of an activity of rank; null without memory. */
static struct place *place_of(struct distribution *distribution, uint32_t rank, uint32_t activity,
                              uint32_t site)
{
    const struct mwa_key key = { (uint64_t)rank << 32 | activity, site };
    uint64_t at = mwa_index_put(&distribution->index, key, &distribution->places,
                                sizeof *distribution->places);
    struct place *place;

    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    place = &distribution->places[at];
    place->rank = rank;
    place->activity = activity;
    place->site = site;
    return place;
}

/* Distributes the wait of a record. */
static enum mw_status distribute(struct distribution *distribution,
                                 const struct mwa_delay_chapter *chapter, const uint64_t *words,
                                 uint32_t count)
{
    uint32_t cause = (uint32_t)words[MWA_DELAY_CAUSE];
    const uint32_t site = words[MWA_DELAY_SITE] > 0 ? (uint32_t)words[MWA_DELAY_SITE] - 1
                                                    : MWA_NONE;
    struct passing *own_passing = &distribution->passing[words[MWA_DELAY_RANK]];
    const double wait = (double)words[MWA_DELAY_WAIT];
    const double own = (double)(words[MWA_DELAY_WAIT] - words[MWA_DELAY_LEFT]);
    const double passed = wait * rate_of(own_passing, --own_passing->left);
    const double sum = (double)words[MWA_DELAY_SUM];
    const double most = sum > wait ? sum : wait;
    const uint64_t from = words[MWA_DELAY_FROM] + chapter->before[cause];
    struct cost *cost = distribution->costs[cause];
    double delays = 0;

    if (count > MWA_DELAY_HEAD && !cost) {
        cost = distribution->costs[cause] = calloc(1, sizeof *cost);
        if (!cost) {
            return MW_ERROR_MEMORY;
        }
    }
    for (uint32_t i = MWA_DELAY_HEAD; i < count; i++) {
        uint32_t activity = chapter->numbers[activity_of(words[i])];
        double delay = (double)(words[i] >> MWA_DELAY_ACTIVITY);
        struct place *place = place_of(distribution, cause, activity, site);

        if (!place) {
            return MW_ERROR_MEMORY;
        }
        place->short_term += own * delay / most;
        place->long_term += passed * delay / most;
        cost->short_term[activity] += own * delay / most;
        cost->long_term[activity] += passed * delay / most;
        delays += delay;
    }
    own_passing->unexplained += (own + passed) * (most - sum) / most;
    own_passing->indirect += own * (sum - delays) / most;
    return add_range(&distribution->passing[cause], from, (own + passed) / most)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

void mwa_delay_chapter_fini(struct mwa_delay_chapter *chapter)
{
    for (uint64_t i = 0; i < chapter->early_count; i++) {
        free(chapter->early[i]);
    }
    free(chapter->early);
    mwa_record_log_destroy(chapter->log);
    free(chapter->before);
}

/* Distributes the waits of a chapter, from the last to the first. */
static enum mw_status distribute_all(struct distribution *distribution,
                                     const struct mwa_delay_chapter *chapter)
{
    const uint64_t *words;
    uint32_t length;
    enum mw_status status;

    while ((status = mwa_record_log_last(chapter->log, &words, &length)) == MW_OK) {
        if (length == 1) {
            words = chapter->early[words[0]];
            length = (uint32_t)*words++;
        }
        status = distribute(distribution, chapter, words, length);
        if (status != MW_OK) {
            return status;
        }
    }
    return status == MW_END ? MW_OK : status;
}

/* --- the result --------------------------------------------------------------------------- */

static int by_rank_activity_cost(const void *one, const void *other)
{
    const struct place *a = one;
    const struct place *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order(a->activity, b->activity)
               ?: mw_order(b->short_term + b->long_term, a->short_term + a->long_term)
               ?: mw_order(a->site, b->site);
}

/* Takes the first known one of those at *next that are of a rank's activity; goes behind them. */
static uint32_t take_site(const struct distribution *distribution, uint32_t rank,
                          uint32_t activity, uint64_t *next)
{
    const struct place *places = distribution->places;
    uint32_t first = MWA_NONE;

    for (; *next < distribution->index.count && places[*next].rank == rank &&
           places[*next].activity == activity;
         ++*next) {
        first = first == MWA_NONE ? places[*next].site : first;
    }
    return first;
}

static int by_cost(const void *one, const void *other)
{
    const struct mwa_delay_cell *a = one;
    const struct mwa_delay_cell *b = other;
    uint64_t sum_a = a->short_ns + a->long_ns;
    uint64_t sum_b = b->short_ns + b->long_ns;

    return mw_order(sum_b, sum_a) ?: mw_order(a->rank, b->rank)
               ?: mw_order(a->region, b->region)
               ?: mw_order(a->before, b->before);
}

static uint64_t to_ns(const struct mwa_trace *trace, double ticks)
{
    return ticks > 0 ? mwa_trace_ns(trace, (uint64_t)llround(ticks)) : 0;
}

/* A rank's costs; cells have room for all of them. Its places are from *next on. */
static void tell_rank(const struct mwa_trace *trace, const struct mwa_activities *activities,
                      const struct distribution *distribution, uint32_t rank, uint64_t *next,
                      struct mwa_delays *delays)
{
    const struct cost *cost = distribution->costs[rank];
    double sums[2] = { 0 };

    for (uint32_t i = 0; i < mwa_activity_count(activities); i++) {
        struct mwa_delay_cell cell = { .rank = rank,
                                       .region = mwa_activity_region(activities, i),
                                       .short_ns = to_ns(trace, cost->short_term[i]),
                                       .long_ns = to_ns(trace, cost->long_term[i]),
                                       .before = take_site(distribution, rank, i, next) };

        if (cell.short_ns + cell.long_ns > 0) {
            delays->cells[delays->cell_count++] = cell;
        }
    }
    for (uint32_t i = 0; i < mwa_activity_count(activities); i++) {
        sums[0] += cost->short_term[distribution->order[i]];
        sums[1] += cost->long_term[distribution->order[i]];
    }
    delays->rank_short_ns[rank] = to_ns(trace, sums[0]);
    delays->rank_long_ns[rank] = to_ns(trace, sums[1]);
    delays->short_ns += delays->rank_short_ns[rank];
    delays->long_ns += delays->rank_long_ns[rank];
}

static enum mw_status tell_places(const struct mwa_trace *trace,
                                  const struct mwa_activities *activities,
                                  const struct distribution *distribution,
                                  struct mwa_delays *delays)
{
    const uint64_t count = distribution->index.count;

    delays->places = calloc(count + 1, sizeof *delays->places);
    if (!delays->places) {
        mwa_delays_fini(delays);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        const struct place *place = &distribution->places[i];
        const struct mwa_delay_cell cost = {
            .rank = place->rank,
            .region = mwa_activity_region(activities, place->activity),
            .short_ns = to_ns(trace, place->short_term),
            .long_ns = to_ns(trace, place->long_term),
            .before = place->site
        };

        if (cost.short_ns + cost.long_ns > 0) {
            delays->places[delays->place_count++] = cost;
        }
    }
    qsort(delays->places, delays->place_count, sizeof *delays->places, by_cost);
    return MW_OK;
}

static void put_in_order(const struct mwa_activities *activities,
                         struct distribution *distribution)
{
    for (uint32_t i = 0; i < mwa_activity_count(activities); i++) {
        uint32_t at = i;

        for (; at > 0 && mwa_activity_region(activities, distribution->order[at - 1]) >
                             mwa_activity_region(activities, i);
             at--) {
            distribution->order[at] = distribution->order[at - 1];
        }
        distribution->order[at] = i;
    }
}

static enum mw_status tell(const struct mwa_trace *trace,
                           const struct mwa_activities *activities,
                           const struct distribution *distribution, struct mwa_delays *delays)
{
    double unexplained = 0, indirect = 0;
    uint64_t ranks = 0;
    uint64_t next = 0;

    if (distribution->places) {
        qsort(distribution->places, distribution->index.count, sizeof *distribution->places,
              by_rank_activity_cost);
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        ranks += distribution->costs[i] != NULL;
        unexplained += distribution->passing[i].unexplained;
        indirect += distribution->passing[i].indirect;
    }
    *delays = (struct mwa_delays){ .rank_count = trace->rank_count };
    delays->unexplained_ns = to_ns(trace, unexplained);
    delays->indirect_ns = to_ns(trace, indirect);
    if (ranks == 0) {
        return MW_OK;
    }
    delays->rank_short_ns = calloc(trace->rank_count, sizeof *delays->rank_short_ns);
    delays->rank_long_ns = calloc(trace->rank_count, sizeof *delays->rank_long_ns);
    delays->cells = calloc(ranks * mwa_activity_count(activities), sizeof *delays->cells);
    if (!delays->rank_short_ns || !delays->rank_long_ns || !delays->cells) {
        mwa_delays_fini(delays);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (distribution->costs[i]) {
            tell_rank(trace, activities, distribution, (uint32_t)i, &next, delays);
        }
    }
    qsort(delays->cells, delays->cell_count, sizeof *delays->cells, by_cost);
    return tell_places(trace, activities, distribution, delays);
}

void mwa_delays_fini(struct mwa_delays *delays)
{
    free(delays->rank_short_ns);
    free(delays->rank_long_ns);
    free(delays->cells);
    free(delays->places);
    *delays = (struct mwa_delays){ 0 };
}

enum mw_status mwa_delay_distribute(const struct mwa_trace *trace,
                                    const struct mwa_activities *activities,
                                    const struct mwa_delay_chapter *chapters, uint64_t count,
                                    const uint64_t *logged, struct mwa_delays *delays)
{
    struct distribution distribution = {
        .passing = calloc(trace->rank_count + 1, sizeof *distribution.passing),
        .costs = calloc(trace->rank_count + 1, sizeof *distribution.costs)
    };
    enum mw_status status =
        distribution.passing && distribution.costs ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < trace->rank_count && status == MW_OK; i++) {
        distribution.passing[i].left = logged[i];
    }
    for (uint64_t i = count; i-- > 0 && status == MW_OK;) {
        status = distribute_all(&distribution, &chapters[i]);
    }
    if (status == MW_OK) {
        put_in_order(activities, &distribution);
        status = tell(trace, activities, &distribution, delays);
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (distribution.passing) {
            free(distribution.passing[i].ranges);
        }
        if (distribution.costs) {
            free(distribution.costs[i]);
        }
    }
    mwa_index_fini(&distribution.index);
    free(distribution.places);
    free(distribution.passing);
    free(distribution.costs);
    return status;
}
