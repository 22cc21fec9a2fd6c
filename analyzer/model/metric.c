/*
 * Every sample is looked up by the id of its metric, and ids need not be dense:
 * hence a map.
 */
#include "analyzer/model/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/trace.h"
#include "formats/archive/archive_words.h"

#define RUNNING (UINT64_MAX - 1) /* in by_id, of classes that tell whether threads ran */

void mwa_metrics_fini(struct mwa_metrics *metrics)
{
    for (uint64_t i = 0; i < metrics->count; i++) {
        free(metrics->list[i].members);
    }
    free(metrics->members);
    free(metrics->list);
    free(metrics->baselines);
    free(metrics->objects);
    free(metrics->cvars);
    mwa_map_fini(&metrics->by_object);
    mwa_map_fini(&metrics->by_doubt);
    mwa_map_fini(&metrics->by_member);
    mwa_map_fini(&metrics->by_id);
    *metrics = (struct mwa_metrics){ 0 };
}

static struct mwa_key key_of(uint32_t id)
{
    return (struct mwa_key){ 0, id };
}

uint32_t mwa_metric_index(const struct mwa_metrics *metrics, uint32_t id)
{
    uint64_t index = mwa_map_get(&metrics->by_id, key_of(id));

    return index < metrics->count ? (uint32_t)index : MWA_NONE;
}

bool mwa_metric_is_running(const struct mwa_metrics *metrics, uint32_t id)
{
    return metrics->has_running && mwa_map_get(&metrics->by_id, key_of(id)) == RUNNING;
}

bool mwa_metrics_add_member(struct mwa_metrics *metrics, const struct mwa_metric_member *member)
{
    if (!mwa_grow(&metrics->members, &metrics->member_capacity, metrics->member_count + 1,
                  sizeof *metrics->members) ||
        !mwa_map_put(&metrics->by_member, key_of(member->id), metrics->member_count)) {
        return false;
    }
    metrics->members[metrics->member_count++] = *member;
    return true;
}

/* Whether the class begins as MW_RUNNING_METRIC does, and has all values that it always had. */
static bool is_running(const struct mwa_metrics *metrics, const uint32_t *members, uint32_t count)
{
    uint64_t first = count < MW_RUNNING_THREADS ? MWA_MAP_ABSENT
                                               : mwa_map_get(&metrics->by_member,
                                                             key_of(members[0]));

    return first != MWA_MAP_ABSENT &&
           strcmp(metrics->members[first].name, mw_running_names[0]) == 0;
}

bool mwa_metrics_add_class(struct mwa_metrics *metrics, uint32_t id, const uint32_t *members,
                           uint32_t count)
{
    struct mwa_metric *metric;

    if (is_running(metrics, members, count)) {
        metrics->has_running = true;
        return mwa_map_put(&metrics->by_id, key_of(id), RUNNING) != NULL;
    }
    if (!mwa_grow(&metrics->list, &metrics->capacity, metrics->count + 1,
                  sizeof *metrics->list) ||
        !mwa_map_put(&metrics->by_id, key_of(id), metrics->count)) {
        return false;
    }
    metric = &metrics->list[metrics->count];
    *metric = (struct mwa_metric){
        .id = id, .bits = 64, .bind = "", .items = "", .is_foreign = true
    };
    metric->members = calloc(count + 1u, sizeof *metric->members);
    if (!metric->members) {
        return false;
    }
    metrics->count++;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t index = mwa_map_get(&metrics->by_member, key_of(members[i]));

        if (index != MWA_MAP_ABSENT) { /* else it is left out: there is nothing to read */
            metric->members[metric->count++] = (uint32_t)index;
        }
    }
    metric->declared = metric->count > 0 ? metrics->members[metric->members[0]].class
                                         : MW_CLASS_LEVEL;
    metric->effective = metric->declared;
    return true;
}

bool mwa_metrics_add_instance(struct mwa_metrics *metrics, uint32_t id, uint32_t class,
                              const char *scope)
{
    uint32_t of = mwa_metric_index(metrics, class);
    struct mwa_metric *metric;

    if (of == MWA_NONE || mwa_metric_index(metrics, id) != MWA_NONE) {
        return true;
    }
    if (!mwa_metrics_add_class(metrics, id, NULL, 0)) {
        return false;
    }
    metric = &metrics->list[metrics->count - 1];
    free(metric->members);
    metric->members = malloc((metrics->list[of].count + 1u) * sizeof *metric->members);
    if (!metric->members) {
        return false;
    }
    metric->count = metrics->list[of].count;
    for (uint32_t i = 0; i < metric->count; i++) {
        metric->members[i] = metrics->list[of].members[i];
    }
    metric->declared = metrics->list[of].declared;
    metric->effective = metrics->list[of].effective;
    metric->scope = scope;
    metrics->list[of].has_instances = true;
    return true;
}

uint64_t mwa_metric_bits(const struct mwa_metric_member *member, enum mw_metric_type type,
                         uint64_t bits)
{
    double real = mwa_metric_value(type, bits);

    if (type == member->type && member->factor == 0 && member->divisor == 0) {
        return bits;
    }
    real = member->factor != 0 ? real * member->factor : real;
    real = member->divisor != 0 ? real / member->divisor : real;
    if (member->type == MW_METRIC_DOUBLE) {
        memcpy(&bits, &real, sizeof bits);
    }
    return bits; /* integers of either kind have the same bits, where both can say them */
}

static struct mwa_key doubt_key(uint32_t metric, uint32_t rank, uint32_t comm, uint32_t object)
{
    return (struct mwa_key){ (uint64_t)metric << 32 | rank, (uint64_t)comm << 32 | object };
}

bool mwa_metrics_add_baseline(struct mwa_metrics *metrics, const struct mwa_baseline *baseline)
{
    struct mwa_baseline added = *baseline;
    uint64_t *place;

    if (!mwa_grow(&metrics->baselines, &metrics->baseline_capacity, metrics->baseline_count + 1,
                  sizeof added)) {
        return false;
    }
    if (added.doubt != 0) {
        place = mwa_map_put(&metrics->by_doubt,
                            doubt_key(added.metric, added.rank, added.comm, added.object), 0);
        if (!place) {
            return false;
        }
        added.next = *place;
        *place = metrics->baseline_count + 1;
    }
    metrics->baselines[metrics->baseline_count++] = added;
    return true;
}

const struct mwa_baseline *mwa_metric_doubt(const struct mwa_metrics *metrics, uint32_t metric,
                                            uint32_t rank, uint32_t comm, uint32_t object)
{
    const uint64_t place =
        mwa_map_get(&metrics->by_doubt, doubt_key(metric, rank, comm, object));

    return place == MWA_MAP_ABSENT ? NULL : &metrics->baselines[place - 1];
}

bool mwa_metrics_add_object(struct mwa_metrics *metrics, const struct mwa_metric_object *object)
{
    const struct mwa_key key = { object->is_file, object->id };

    if (!mwa_grow(&metrics->objects, &metrics->object_capacity, metrics->object_count + 1,
                  sizeof *metrics->objects) ||
        !mwa_map_put(&metrics->by_object, key, metrics->object_count)) {
        return false;
    }
    metrics->objects[metrics->object_count++] = *object;
    return true;
}

uint32_t mwa_metric_object_index(const struct mwa_metrics *metrics, bool is_file, uint32_t id)
{
    uint64_t index = mwa_map_get(&metrics->by_object, (struct mwa_key){ is_file, id });

    return index == MWA_MAP_ABSENT ? MWA_NONE : (uint32_t)index;
}

const char *mwa_metric_item(const struct mwa_metric *metric, int64_t value, size_t *length)
{
    for (const char *item = metric->items; *item;) {
        size_t whole = strcspn(item, ";");
        char *word;

        if (strtoll(item, &word, 10) == value && *word == '=' && word < item + whole) {
            *length = whole - (size_t)(word + 1 - item);
            return word + 1;
        }
        item += whole + (item[whole] == ';');
    }
    return NULL;
}

void mwa_metric_label(const struct mwa_metrics *metrics, const struct mwa_metric *metric,
                      uint32_t value, char *text, size_t size)
{
    const char *name = metrics->members[metric->members[value]].name;

    if (*metric->items) {
        snprintf(text, size, "%.200s (%s)", name, metric->items);
    } else {
        snprintf(text, size, "%s", name);
    }
}

void mwa_metric_discontinuity(const struct mwa_metrics *metrics, const struct mwa_metric *metric,
                              uint32_t what, char *text, size_t size)
{
    snprintf(text, size, "%.200s %s",
             metric->count > 0 ? metrics->members[metric->members[0]].name : "",
             what == MW_DISCONTINUITY_WRAP ? "has wrapped" : "was reset");
}

double mwa_metric_value(enum mw_metric_type type, uint64_t bits)
{
    double real;

    if (type == MW_METRIC_DOUBLE) {
        memcpy(&real, &bits, sizeof real);
        return real;
    }
    return type == MW_METRIC_INT64 ? (double)(int64_t)bits : (double)bits;
}
