#include "formats/merge/merge_variables.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/record.h"

/* --- metrics ------------------------------------------------------------------- */

/* A variable is known by name and class: MPICH has timers and counters of one name. */
static bool metric_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_define_metric *one = &((const struct mw_define_metric *)context)[index];
    const struct mw_define_metric *other = key;

    return one->declared == other->declared && one->effective == other->effective &&
           one->type == other->type && one->form == other->form && one->first == other->first &&
           one->count == other->count && strcmp(one->name, other->name) == 0;
}

/* The id of a metric that is alike, or a new one; MW_MERGED_NONE without memory. */
static uint32_t share_metric(struct mw_merged_variables *variables,
                             const struct mw_define_metric *metric)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, metric->name, strlen(metric->name));
    uint32_t id =
        mw_index_find(&variables->by_metric, hash, metric_is, variables->metrics, metric);

    if (id != MW_INDEX_NONE) {
        return id;
    }
    id = variables->metric_count;
    if (!mw_array_grow((void **)&variables->metrics, id, sizeof *metric) ||
        !mw_index_add(&variables->by_metric, hash, id)) {
        return MW_MERGED_NONE;
    }
    variables->metrics[variables->metric_count++] = *metric;
    return id;
}

/* A process numbers its metrics in the order of their definitions. */
static bool add_metric(struct mw_merged *merged, struct mw_merged_rank *rank,
                       const struct mw_define_metric *metric)
{
    if (!mw_array_grow((void **)&rank->metrics, rank->metric_count, sizeof *rank->metrics)) {
        return false;
    }
    rank->metrics[rank->metric_count] = share_metric(&merged->variables, metric);
    return rank->metrics[rank->metric_count++] != MW_MERGED_NONE;
}

/* Sets what a baseline's number stands for; false if it is not defined. */
static bool find_object(const struct mw_merged_rank *rank, const struct mw_define_metric *metric,
                        uint32_t number, struct mw_merged_baseline *baseline)
{
    bool is_window = strcmp(metric->bind, "MPI_WIN") == 0;
    bool is_file = strcmp(metric->bind, "MPI_FILE") == 0;
    enum mw_object_kind kind = is_window ? MW_OBJECT_WINDOW : MW_OBJECT_HANDLE;

    if (!is_window && !is_file) {
        baseline->comm = mw_merged_comm_of(rank, number);
        return baseline->comm != MW_MERGED_NONE;
    }
    baseline->object =
        number < rank->objects.counts[kind] ? rank->objects.ids[kind][number] : MW_MERGED_NONE;
    return baseline->object != MW_MERGED_NONE;
}

static bool add_baseline(struct mw_merged *merged, uint32_t number,
                         const struct mw_define_baseline *baseline)
{
    struct mw_merged_variables *variables = &merged->variables;
    const struct mw_merged_rank *rank = &merged->ranks[number];
    struct mw_merged_baseline added = {.rank = number,
                                       .comm = MW_MERGED_NONE,
                                       .object = MW_MERGED_NONE,
                                       .element = baseline->element,
                                       .value = baseline->value,
                                       .doubt = baseline->doubt};

    if (baseline->metric >= rank->metric_count) {
        return true;
    }
    added.metric = rank->metrics[baseline->metric];
    if (baseline->object != MW_COMM_NONE &&
        !find_object(rank, &variables->metrics[added.metric], baseline->object, &added)) {
        return true;
    }
    if (!mw_array_grow((void **)&variables->baselines, variables->baseline_count, sizeof added)) {
        return false;
    }
    variables->baselines[variables->baseline_count++] = added;
    return true;
}

/* --- control variables ------------------------------------------------------------ */

static bool cvar_is(const void *context, uint32_t index, const void *key)
{
    return strcmp(((const struct mw_merged_cvar *)context)[index].define.name, key) == 0;
}

static bool add_cvar(struct mw_merged_variables *variables, uint32_t rank,
                     const struct mw_define_cvar *cvar)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, cvar->name, strlen(cvar->name));
    uint32_t index =
        mw_index_find(&variables->by_cvar, hash, cvar_is, variables->cvars, cvar->name);

    if (index == MW_INDEX_NONE) {
        index = variables->cvar_count;
        if (!mw_array_grow((void **)&variables->cvars, index, sizeof *variables->cvars) ||
            !mw_index_add(&variables->by_cvar, hash, index)) {
            return false;
        }
        variables->cvars[variables->cvar_count++] = (struct mw_merged_cvar){*cvar, rank};
        return true;
    }
    variables->cvars[index].define.set_by_user |= cvar->set_by_user;
    if (strcmp(variables->cvars[index].define.value, cvar->value) == 0) {
        return true;
    }
    if (!mw_array_grow((void **)&variables->differences, variables->difference_count,
              sizeof *variables->differences)) {
        return false;
    }
    variables->differences[variables->difference_count++] =
        (struct mw_merged_cvar_difference){index, rank, cvar->value};
    return true;
}

bool mw_merge_variable(struct mw_merged *merged, uint32_t rank,
                       const struct mw_definition *definition)
{
    switch (definition->kind) {
    case MW_DEFINE_METRIC:
        return add_metric(merged, &merged->ranks[rank], &definition->of.metric);
    case MW_DEFINE_BASELINE:
        return add_baseline(merged, rank, &definition->of.baseline);
    case MW_DEFINE_CVAR:
        return add_cvar(&merged->variables, rank, &definition->of.cvar);
    case MW_DEFINE_OFFER:
        merged->ranks[rank].offer = definition->of.offer;
        return true;
    case MW_DEFINE_OWN_TRAFFIC:
        merged->ranks[rank].own_traffic = definition->of.own_traffic;
        return true;
    default:
        return true;
    }
}

void mw_merged_variables_fini(struct mw_merged_variables *variables)
{
    free(variables->metrics);
    free(variables->baselines);
    free(variables->cvars);
    free(variables->differences);
    mw_index_fini(&variables->by_metric);
    mw_index_fini(&variables->by_cvar);
    memset(variables, 0, sizeof *variables);
}
