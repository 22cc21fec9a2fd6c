/*
 * OTF2's metrics can't say that reading resets a variable, or what it is bound to;
 * mpiwatch.json does. It is an addition: where the two differ OTF2's definitions
 * count, for other tools see them as well.
 */
#include "analyzer/load/variable_definitions.h"

#include <string.h>

#include "formats/archive/archive_words.h"
#include "formats/base/index_table.h"

static uint64_t number_in(const json_t *object, const char *key, uint64_t otherwise)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) && json_integer_value(value) >= 0
               ? (uint64_t)json_integer_value(value)
               : otherwise;
}

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static enum mw_variable_class class_in(const json_t *object, const char *key)
{
    const char *word = text_in(object, key);
    uint32_t class = mw_class_of(word, strlen(word));

    return class < MW_CLASS_COUNT ? (enum mw_variable_class)class : MW_CLASS_GENERIC;
}

static void take_metric(struct mwa_trace *trace, const json_t *object)
{
    uint64_t id = number_in(object, "id", MWA_NONE);
    uint32_t index = id < MWA_NONE ? mwa_metric_index(&trace->metrics, (uint32_t)id) : MWA_NONE;
    struct mwa_metric *metric;
    const char *bind;
    const char *items;
    const char *categories;

    if (index == MWA_NONE) {
        return;
    }
    metric = &trace->metrics.list[index];
    metric->is_foreign = false;
    metric->declared = class_in(object, "class");
    metric->effective = class_in(object, "effective_class");
    metric->bits = number_in(object, "bits", 64) == 32 ? 32 : 64;
    metric->is_statistic = strcmp(text_in(object, "form"), "statistics") == 0;
    metric->is_top = strcmp(text_in(object, "form"), "top") == 0;
    metric->read_resets = json_is_true(json_object_get(object, "read_resets"));
    metric->is_rebuilt = json_is_true(json_object_get(object, "rebuilt"));
    metric->first = (uint32_t)number_in(object, "first", 0);
    bind = mwa_trace_text(trace, text_in(object, "bind"));
    metric->bind = bind ? bind : metric->bind;
    items = mwa_trace_text(trace, text_in(object, "items"));
    metric->items = items ? items : metric->items;
    categories = text_in(object, "categories");
    metric->categories = *categories ? mwa_trace_text(trace, categories) : NULL;
}

static bool take_baseline(struct mwa_trace *trace, const json_t *object)
{
    struct mwa_metrics *metrics = &trace->metrics;
    const json_t *comm = json_object_get(object, "communicator");
    uint64_t id = number_in(object, "metric", MWA_NONE);
    uint64_t bound = number_in(object, "object", MWA_NONE);
    struct mwa_baseline baseline = {
        .metric = id < MWA_NONE ? mwa_metric_index(metrics, (uint32_t)id) : MWA_NONE,
        .rank = (uint32_t)number_in(object, "rank", MWA_NONE),
        .comm = json_is_integer(comm)
                    ? mwa_trace_comm(trace, (uint32_t)json_integer_value(comm))
                    : MWA_NONE,
        .object = MWA_NONE,
        .element = (uint32_t)number_in(object, "element", 0),
        .bits = (uint64_t)json_integer_value(json_object_get(object, "value_bits")),
        .doubt = (uint64_t)json_integer_value(json_object_get(object, "doubt_bits"))
    };

    if (baseline.metric == MWA_NONE) {
        return true;
    }
    if (bound != MWA_NONE) {
        baseline.object = mwa_metric_object_index(
            metrics, strcmp(metrics->list[baseline.metric].bind, "MPI_FILE") == 0,
            (uint32_t)bound);
    }
    return mwa_metrics_add_baseline(metrics, &baseline);
}

/* The scope of a control variable, which its description has. */
static const char *scope_of(const json_t *cvars, const char *name)
{
    const json_t *cvar;
    size_t i;

    json_array_foreach(cvars, i, cvar) {
        if (strcmp(text_in(cvar, "name"), name) == 0) {
            return text_in(cvar, "scope");
        }
    }
    return "";
}

static bool list_cvar(struct mwa_trace *trace, const json_t *object, const char *scope,
                      uint32_t rank)
{
    struct mwa_metrics *metrics = &trace->metrics;
    const struct mwa_cvar cvar = { .name = mwa_trace_text(trace, text_in(object, "name")),
                                   .value = mwa_trace_text(trace, text_in(object, "value")),
                                   .scope = mwa_trace_text(trace, scope),
                                   .rank = rank };

    if (!cvar.name || !cvar.value || !cvar.scope ||
        !mwa_grow(&metrics->cvars, &metrics->cvar_capacity, metrics->listed_cvars + 1,
                  sizeof cvar)) {
        return false;
    }
    metrics->cvars[metrics->listed_cvars++] = cvar;
    return true;
}

static bool take_cvars(struct mwa_trace *trace, const json_t *variables)
{
    struct mwa_metrics *metrics = &trace->metrics;
    const json_t *differences = json_object_get(variables, "cvar_differences");
    const json_t *cvars = json_object_get(variables, "cvars");
    const json_t *cvar;
    bool enough = true;
    size_t i;

    json_array_foreach(cvars, i, cvar) {
        bool is_set = json_is_true(json_object_get(cvar, "set_by_user"));

        metrics->cvar_count++;
        metrics->cvars_set += is_set;
        enough = enough && (!is_set || list_cvar(trace, cvar, text_in(cvar, "scope"), MWA_NONE));
    }
    metrics->cvars_differ = json_array_size(differences);
    json_array_foreach(differences, i, cvar) {
        enough = enough && list_cvar(trace, cvar, scope_of(cvars, text_in(cvar, "name")),
                                     (uint32_t)number_in(cvar, "rank", 0));
    }
    return enough;
}

/*
 * Counts the variables of the MPI: each may have several metrics; those of the program, of events
 * and of threads are none. False without memory.
 */
static bool count_variables(const json_t *metrics, uint64_t *count)
{
    struct mwa_map seen = { 0 };
    const json_t *metric;
    bool enough = true;
    size_t i;

    json_array_foreach(metrics, i, metric) {
        const char *name = text_in(metric, "name");
        const char *class = text_in(metric, "class");
        struct mwa_key key = { mw_hash_bytes(MW_HASH_START, name, strlen(name)),
                               mw_hash_bytes(MW_HASH_START, class, strlen(class)) };

        if (strcmp(text_in(metric, "bind"), "PROGRAM") == 0 ||
            strcmp(text_in(metric, "bind"), MW_BIND_EVENT) == 0 ||
            strcmp(text_in(metric, "form"), "running") == 0) {
            continue;
        }
        enough = enough && mwa_map_put(&seen, key, 0);
    }
    *count = seen.count;
    mwa_map_fini(&seen);
    return enough;
}

bool mwa_variables_take(struct mwa_trace *trace, const json_t *variables)
{
    const json_t *element;
    const char *note = text_in(variables, "note");
    bool enough = true;
    size_t i;

    json_array_foreach(json_object_get(variables, "metrics"), i, element) {
        take_metric(trace, element);
    }
    json_array_foreach(json_object_get(variables, "baselines"), i, element) {
        enough = enough && take_baseline(trace, element);
    }
    enough = enough && take_cvars(trace, variables);
    enough = enough && count_variables(json_object_get(variables, "metrics"),
                                       &trace->metrics.recorded);
    trace->metrics.note = *note ? mwa_trace_text(trace, note) : NULL;
    return enough;
}
