#include "formats/archive/archive_json_variables.h"

#include "formats/archive/archive_words.h"
#include "formats/spool/record.h"

/* The offer of the lowest rank that told one: the same MPI everywhere. */
static void write_offer(struct mw_json *json, const struct mw_merged *merged)
{
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_define_offer *offer = &merged->ranks[i].offer;

        if (offer->note) {
            mw_json_unsigned(json, "pvars_offered", offer->pvars);
            mw_json_unsigned(json, "pvars_valid", offer->pvars_valid);
            mw_json_unsigned(json, "pvars_recorded", offer->pvars_recorded);
            mw_json_unsigned(json, "cvars_offered", offer->cvars);
            mw_json_text(json, "note", offer->note);
            return;
        }
    }
}

static void write_metric(struct mw_json *json, const struct mw_define_metric *metric, uint32_t id)
{
    static const char *const types[] = {"uint64", "int64", "double"};
    static const char *const forms[] = {"list", "statistics", "top", "running"};

    mw_json_object(json, NULL);
    mw_json_unsigned(json, "id", id);
    mw_json_text(json, "name", metric->name);
    mw_json_text(json, "class", mw_class_name(metric->declared));
    mw_json_text(json, "effective_class", mw_class_name(metric->effective));
    mw_json_text(json, "type", types[metric->type <= MW_METRIC_DOUBLE ? metric->type : 0]);
    mw_json_unsigned(json, "bits", metric->bits);
    mw_json_text(json, "bind", metric->bind);
    mw_json_unsigned(json, "verbosity", metric->verbosity);
    mw_json_bool(json, "readonly", metric->flags & MW_VARIABLE_READONLY);
    mw_json_bool(json, "continuous", metric->flags & MW_VARIABLE_CONTINUOUS);
    mw_json_bool(json, "atomic", metric->flags & MW_VARIABLE_ATOMIC);
    mw_json_bool(json, "read_resets", metric->flags & MW_VARIABLE_READ_RESETS);
    mw_json_bool(json, "rebuilt", metric->flags & MW_VARIABLE_REBUILT);
    mw_json_text(json, "form",
                 forms[metric->form <= MW_METRIC_RUNNING ? metric->form : MW_METRIC_LIST]);
    mw_json_unsigned(json, "first", metric->first);
    mw_json_unsigned(json, "count", metric->count);
    mw_json_unsigned(json, "elements", metric->elements);
    mw_json_text(json, "unit", metric->unit);
    mw_json_text(json, "description", metric->description);
    mw_json_text(json, "items", metric->items);
    mw_json_text(json, "categories", metric->categories);
    mw_json_object_end(json);
}

static void write_baseline(struct mw_json *json, const struct mw_merged_baseline *baseline)
{
    mw_json_object(json, NULL);
    mw_json_unsigned(json, "metric", baseline->metric);
    mw_json_unsigned(json, "rank", baseline->rank);
    if (baseline->comm == MW_MERGED_NONE) {
        mw_json_null(json, "communicator");
    } else {
        mw_json_unsigned(json, "communicator", baseline->comm);
    }
    if (baseline->object == MW_MERGED_NONE) {
        mw_json_null(json, "object");
    } else {
        mw_json_unsigned(json, "object", baseline->object);
    }
    mw_json_unsigned(json, "element", baseline->element);
    mw_json_signed(json, "value_bits", (int64_t)baseline->value);
    mw_json_signed(json, "doubt_bits", (int64_t)baseline->doubt);
    mw_json_object_end(json);
}

static void write_cvar(struct mw_json *json, const struct mw_merged_cvar *cvar)
{
    mw_json_object(json, NULL);
    mw_json_text(json, "name", cvar->define.name);
    mw_json_text(json, "value", cvar->define.value);
    mw_json_text(json, "type", cvar->define.type);
    mw_json_text(json, "scope", cvar->define.scope);
    mw_json_unsigned(json, "verbosity", cvar->define.verbosity);
    mw_json_bool(json, "set_by_user", cvar->define.set_by_user);
    mw_json_unsigned(json, "rank", cvar->rank);
    mw_json_object_end(json);
}

static void write_difference(struct mw_json *json, const struct mw_merged_variables *variables,
                             const struct mw_merged_cvar_difference *difference)
{
    mw_json_object(json, NULL);
    mw_json_text(json, "name", variables->cvars[difference->cvar].define.name);
    mw_json_unsigned(json, "rank", difference->rank);
    mw_json_text(json, "value", difference->value);
    mw_json_object_end(json);
}

void mw_json_variables(struct mw_json *json, const struct mw_merged *merged)
{
    const struct mw_merged_variables *variables = &merged->variables;

    mw_json_object(json, "variables");
    write_offer(json, merged);
    mw_json_array(json, "metrics");
    for (uint32_t i = 0; i < variables->metric_count; i++) {
        write_metric(json, &variables->metrics[i], i);
    }
    mw_json_array_end(json);
    mw_json_array(json, "baselines");
    for (uint32_t i = 0; i < variables->baseline_count; i++) {
        write_baseline(json, &variables->baselines[i]);
    }
    mw_json_array_end(json);
    mw_json_array(json, "cvars");
    for (uint32_t i = 0; i < variables->cvar_count; i++) {
        write_cvar(json, &variables->cvars[i]);
    }
    mw_json_array_end(json);
    mw_json_array(json, "cvar_differences");
    for (uint32_t i = 0; i < variables->difference_count; i++) {
        write_difference(json, variables, &variables->differences[i]);
    }
    mw_json_array_end(json);
    mw_json_object_end(json);
}
