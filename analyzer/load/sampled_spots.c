/*
 * Samples are counted by index, so that one number that is wrong would move them all to another
 * function: of what does not fit together nothing is taken. All else of the archive is right
 * without it.
 */
#include "analyzer/load/sampled_spots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/sampled_name.h"
#include "formats/base/order.h"

#define RATE_MOST 1000000000u /* a second has so many ns */
#define ROW_ITEMS 4u

/* The whole number that value is, if it is below end. */
static bool take_number(const json_t *value, uint64_t end, uint64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) >= end) {
        return false;
    }
    *number = (uint64_t)json_integer_value(value);
    return true;
}

static bool take_index(const json_t *value, uint64_t end, uint32_t *index)
{
    uint64_t number;

    if (!take_number(value, end < MWA_NONE ? end : MWA_NONE, &number)) {
        return false;
    }
    *index = (uint32_t)number;
    return true;
}

/* Adds a count to a sum, which stays one that all can tell. */
static bool add_count(const json_t *value, uint64_t *count, uint64_t *sum)
{
    if (!take_number(value, INT64_MAX, count) || *count > INT64_MAX - *sum) {
        return false;
    }
    *sum += *count;
    return true;
}

/* Where a text is in the trace; null: it is none, or there is no memory (lacks_text). */
static const char *take_text(struct mwa_trace *trace, const json_t *value)
{
    return json_is_string(value) ? mwa_trace_text(trace, json_string_value(value)) : NULL;
}

/* --- ranks, spots, rows: null, or what is wrong -------------------------------------------- */

/* Where it is that something is wrong. */
struct item {
    const char *list; /* null: in none */
    size_t index;
    uint32_t rank; /* MWA_NONE: of none, or not known */
};

static const char *take_ranks(struct mwa_trace *trace, const json_t *list, struct item *at)
{
    struct mwa_sampled *sampled = &trace->sampled;
    uint64_t outside = 0, inside = 0, lost = 0;
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        struct mwa_sampled_rank rank = { .was_to = true };
        uint32_t number;

        *at = (struct item){ "ranks", i, MWA_NONE };
        if (!take_index(json_object_get(object, "rank"), trace->rank_count, &number) ||
            sampled->ranks[number].was_to) {
            return "samples are of a rank that there is not, or twice";
        }
        at->rank = number;
        rank.refused = take_text(trace, json_object_get(object, "refused"));
        if (!add_count(json_object_get(object, "outside"), &rank.outside, &outside) ||
            !add_count(json_object_get(object, "inside"), &rank.inside, &inside) ||
            !add_count(json_object_get(object, "lost"), &rank.lost, &lost) || !rank.refused) {
            return "a rank's numbers of samples are none";
        }
        sampled->ranks[number] = rank;
    }
    at->list = NULL;
    return json_is_array(list) ? NULL : "samples have no list of ranks";
}

static const char *take_spots(struct mwa_trace *trace, const json_t *list, struct item *at)
{
    struct mwa_sampled *sampled = &trace->sampled;
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        struct mwa_sampled_spot *spot = &sampled->spots[i];

        *at = (struct item){ "spots", i, MWA_NONE };
        spot->function = take_text(trace, json_object_get(object, "function"));
        spot->file = take_text(trace, json_object_get(object, "file"));
        if (!spot->function || !spot->file ||
            !take_index(json_object_get(object, "line"), MWA_NONE, &spot->line)) {
            return "a function that was sampled has no name, file or line";
        }
        spot->name_key = mwa_sampled_name_key(spot->function);
        sampled->spot_count++;
    }
    at->list = NULL;
    return json_is_array(list) ? NULL : "samples have no list of functions";
}

/* The site of the call of MPI of that region of OTF2, or none where it is null. */
static bool take_site(const struct mwa_trace *trace, const json_t *region, uint32_t *site)
{
    uint32_t id;

    *site = MWA_NONE;
    if (json_is_null(region)) {
        return true;
    }
    if (!take_index(region, MWA_NONE, &id)) {
        return false;
    }
    *site = mwa_trace_site(trace, id);
    return *site != MWA_NONE &&
           trace->regions[trace->sites[*site].region].kind != MWA_REGION_USER;
}

/* Where rows go to: of threads that call MPI, or of others. */
struct rows {
    const char *called;
    struct mwa_sampled_row *rows;
    uint64_t *count;
    uint64_t *left; /* of each rank, how many samples its rows may have */
    bool (*may_have)(const struct mwa_sampled *sampled, uint32_t rank);
};

static bool has_crew(const struct mwa_sampled *sampled, uint32_t rank)
{
    return sampled->crews[rank].threads + sampled->crews[rank].refused > 0;
}

static const char *take_rows(struct mwa_trace *trace, const json_t *list, const struct rows *to,
                             struct item *at)
{
    const json_t *items;
    size_t i;

    json_array_foreach(list, i, items) {
        struct mwa_sampled_row *row = &to->rows[i];

        *at = (struct item){ to->called, i, MWA_NONE };
        if (json_array_size(items) != ROW_ITEMS ||
            !take_index(json_array_get(items, 0), trace->rank_count, &row->rank) ||
            !to->may_have(&trace->sampled, row->rank)) {
            return "samples are of a rank that was not sampled";
        }
        at->rank = row->rank;
        if (!take_site(trace, json_array_get(items, 1), &row->site)) {
            return "samples come before what is no call of MPI";
        }
        if (!take_index(json_array_get(items, 2), trace->sampled.spot_count, &row->spot)) {
            return "samples are of a function that is not listed";
        }
        if (!take_number(json_array_get(items, 3), to->left[row->rank] + 1, &row->count)) {
            return "a rank has more samples in functions than outside of MPI";
        }
        to->left[row->rank] -= row->count;
        (*to->count)++;
    }
    at->list = NULL;
    return json_is_array(list) ? NULL : "samples have no rows";
}

static const char *take_crews(struct mwa_trace *trace, const json_t *list, struct item *at)
{
    struct mwa_sampled *sampled = &trace->sampled;
    uint64_t there = 0, outside = 0, inside = 0, lost = 0;
    const json_t *object;
    size_t i;

    json_array_foreach(list, i, object) {
        struct mwa_sampled_crew crew = { .threads = 0 };
        uint32_t number;

        *at = (struct item){ "others.ranks", i, MWA_NONE };
        if (!take_index(json_object_get(object, "rank"), trace->rank_count, &number) ||
            !sampled->ranks[number].was_to ||
            has_crew(sampled, number)) {
            return "threads are of a rank that was not sampled, or twice";
        }
        at->rank = number;
        if (!take_index(json_object_get(object, "threads"), MWA_NONE, &crew.threads) ||
            !take_index(json_object_get(object, "refused"), MWA_NONE, &crew.refused) ||
            !add_count(json_object_get(object, "there_ns"), &crew.there_ns, &there) ||
            !add_count(json_object_get(object, "outside"), &crew.outside, &outside) ||
            !add_count(json_object_get(object, "inside"), &crew.inside, &inside) ||
            !add_count(json_object_get(object, "lost"), &crew.lost, &lost)) {
            return "the numbers of a rank's other threads are none";
        }
        sampled->crews[number] = crew;
    }
    at->list = NULL;
    return json_is_array(list) ? NULL : "other threads have no list of ranks";
}

/* --- all of it ----------------------------------------------------------------------------- */

/* A spot and where it is in the list. */
struct placed_spot {
    const struct mwa_sampled_spot *spot;
    uint32_t index;
};

static int by_function(const void *one, const void *other)
{
    const struct placed_spot *a = one;
    const struct placed_spot *b = other;

    return strcmp(a->spot->function, b->spot->function) ?: strcmp(a->spot->file, b->spot->file)
               ?: mw_order(a->index, b->index);
}

static bool is_same_function(const struct mwa_sampled_spot *one,
                             const struct mwa_sampled_spot *other)
{
    return strcmp(one->function, other->function) == 0 && strcmp(one->file, other->file) == 0;
}

/* Finds which spots are of one function. */
static bool find_functions(struct mwa_sampled *sampled)
{
    struct placed_spot *placed = calloc(sampled->spot_count + 1, sizeof *placed);
    uint32_t first = 0;

    for (uint64_t i = 0; placed && i < sampled->spot_count; i++) {
        placed[i] = (struct placed_spot){ &sampled->spots[i], (uint32_t)i };
    }
    if (placed && sampled->spot_count > 0) {
        qsort(placed, sampled->spot_count, sizeof *placed, by_function);
    }
    for (uint64_t i = 0; placed && i < sampled->spot_count; i++) {
        if (i == 0 || !is_same_function(placed[i].spot, &sampled->spots[first])) {
            first = placed[i].index;
        }
        sampled->spots[placed[i].index].first = first;
    }
    free(placed);
    return placed != NULL;
}

static bool make_room(struct mwa_trace *trace, const json_t *samples)
{
    struct mwa_sampled *sampled = &trace->sampled;

    sampled->ranks = calloc(trace->rank_count + 1, sizeof *sampled->ranks);
    sampled->spots = calloc(json_array_size(json_object_get(samples, "spots")) + 1,
                            sizeof *sampled->spots);
    sampled->rows = calloc(json_array_size(json_object_get(samples, "rows")) + 1,
                           sizeof *sampled->rows);
    return sampled->ranks && sampled->spots && sampled->rows;
}

static bool make_crew_room(struct mwa_trace *trace, const json_t *others)
{
    struct mwa_sampled *sampled = &trace->sampled;

    sampled->crews = calloc(trace->rank_count + 1, sizeof *sampled->crews);
    sampled->crew_rows = calloc(json_array_size(json_object_get(others, "rows")) + 1,
                                sizeof *sampled->crew_rows);
    return sampled->crews && sampled->crew_rows;
}

/* left: room for a number for each rank. */
static const char *take_lists(struct mwa_trace *trace, const json_t *samples, uint64_t *left,
                              struct item *at)
{
    struct mwa_sampled *sampled = &trace->sampled;
    const char *wrong = take_ranks(trace, json_object_get(samples, "ranks"), at);

    for (uint64_t i = 0; i < trace->rank_count; i++) {
        left[i] = sampled->ranks[i].outside;
    }
    wrong = wrong ? wrong : take_spots(trace, json_object_get(samples, "spots"), at);
    return wrong ? wrong
                 : take_rows(trace, json_object_get(samples, "rows"),
                             &(struct rows){ "rows", sampled->rows, &sampled->row_count, left,
                                             mwa_was_sampled }, at);
}

/* The same of other threads, where there are such. */
static const char *take_others(struct mwa_trace *trace, const json_t *others, uint64_t *left,
                               struct item *at)
{
    struct mwa_sampled *sampled = &trace->sampled;
    const char *wrong = take_crews(trace, json_object_get(others, "ranks"), at);

    for (uint64_t i = 0; i < trace->rank_count; i++) {
        left[i] = sampled->crews[i].outside;
    }
    return wrong ? wrong
                 : take_rows(trace, json_object_get(others, "rows"),
                             &(struct rows){ "others.rows", sampled->crew_rows,
                                             &sampled->crew_row_count, left, has_crew }, at);
}

/* Leaves all of them out, and tells why; in lacks_text that there was no memory for that. */
static void leave_out(struct mwa_trace *trace, const char *wrong, const struct item *at)
{
    struct mwa_sampled *sampled = &trace->sampled;
    char text[200], rank[32] = "";

    if (at->rank != MWA_NONE) {
        snprintf(rank, sizeof rank, ", rank %" PRIu32, at->rank);
    }
    if (at->list) {
        snprintf(text, sizeof text, "samples.%s[%zu]%s: %s", at->list, at->index, rank, wrong);
    } else {
        snprintf(text, sizeof text, "%s", wrong);
    }
    free(sampled->ranks);
    free(sampled->spots);
    free(sampled->rows);
    free(sampled->crews);
    free(sampled->crew_rows);
    *sampled = (struct mwa_sampled){ .wrong = mwa_trace_text(trace, text) };
}

enum mw_status mwa_sampled_take(struct mwa_trace *trace, const json_t *samples, const char *path,
                                struct mw_diagnostic *diagnostic)
{
    const json_t *others = json_object_get(samples, "others");
    struct item at = { .rank = MWA_NONE };
    uint64_t *left = NULL;
    const char *wrong = NULL;
    bool has_memory = true;

    if (!samples || json_is_null(samples)) {
        return MW_OK;
    }
    if (!take_number(json_object_get(samples, "rate_hz"), RATE_MOST + 1,
                     &trace->sampled.rate_hz) ||
        trace->sampled.rate_hz == 0) {
        wrong = "samples have no rate";
    } else {
        left = calloc(trace->rank_count + 1, sizeof *left);
        has_memory = left && make_room(trace, samples) &&
                     (!others || make_crew_room(trace, others));
        wrong = has_memory ? take_lists(trace, samples, left, &at) : NULL;
        if (has_memory && !wrong && others) {
            wrong = take_others(trace, others, left, &at);
        }
        has_memory = has_memory && !trace->lacks_text &&
                     (wrong || find_functions(&trace->sampled));
        free(left);
    }
    if (has_memory && wrong) {
        leave_out(trace, wrong, &at);
        has_memory = !trace->lacks_text;
    }
    return has_memory ? MW_OK
                      : mw_fail(diagnostic, MW_ERROR_MEMORY, path, 0, "no memory for its samples");
}
