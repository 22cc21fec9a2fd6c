#include "recorder/variables/pvars.h"

#include <fnmatch.h>
#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/record.h"
#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/variables/categories.h"

/* --- one variable --------------------------------------------------------------- */

/* What MPI_T_pvar_get_info tells, with the texts' room. */
struct info {
    char name[256];
    char description[512];
    int verbosity;
    int var_class;
    MPI_Datatype datatype;
    MPI_T_enum enumeration;
    int bind;
    int is_readonly;
    int is_continuous;
    int is_atomic;
};

static bool get_info(int index, struct info *info)
{
    int name_length = sizeof info->name;
    int description_length = sizeof info->description;
    int result;

    memset(info, 0, sizeof *info);
    info->enumeration = MPI_T_ENUM_NULL;
    result = MWR_PMPI(T_pvar_get_info)(index, info->name, &name_length, &info->verbosity,
                                       &info->var_class, &info->datatype, &info->enumeration,
                                       info->description, &description_length, &info->bind,
                                       &info->is_readonly, &info->is_continuous, &info->is_atomic);
    info->name[sizeof info->name - 1] = '\0';
    info->description[sizeof info->description - 1] = '\0';
    return result == MPI_SUCCESS && info->name[0];
}

/* "0=idle;1=busy": the values of a STATE. */
static void list_items(MPI_T_enum enumeration, char *text, size_t size)
{
    char name[128];
    int count = 0;
    int length = sizeof name;
    size_t used = 0;

    if (enumeration == MPI_T_ENUM_NULL ||
        MWR_PMPI(T_enum_get_info)(enumeration, &count, name, &length) != MPI_SUCCESS) {
        return;
    }
    for (int i = 0; i < count && used < size; i++) {
        int value = 0;

        length = sizeof name;
        if (MWR_PMPI(T_enum_get_item)(enumeration, i, &value, name, &length) == MPI_SUCCESS) {
            name[sizeof name - 1] = '\0';
            used += (size_t)snprintf(text + used, size - used, "%s%d=%s", used ? ";" : "", value,
                                     name);
        }
    }
}

static const char *unit_of(const struct mwr_pvar *pvar)
{
    if (pvar->effective == MW_CLASS_TIMER) {
        return pvar->type == MW_METRIC_DOUBLE ? "s" : "ticks"; /* MPI defines no unit */
    }
    if (pvar->effective == MW_CLASS_PERCENTAGE) {
        return "1";
    }
    if (pvar->effective == MW_CLASS_STATE) {
        return "";
    }
    return fnmatch("*bytes*", pvar->name, FNM_CASEFOLD) == 0 ||
                   fnmatch("*_size", pvar->name, 0) == 0 ||
                   fnmatch("*buffer_size*", pvar->name, 0) == 0
               ? "bytes"
               : "#";
}

static bool is_in_category(const struct mwr_candidate *candidate, const char *pattern)
{
    return mwr_category_has(MWR_PERFORMANCE_VARIABLE, candidate->index, pattern);
}

void mwr_pvars_refuse(struct mwr_pvars *pvars, const char *name, const char *why)
{
    if (pvars->refused++ == 0) {
        snprintf(pvars->refusal, sizeof pvars->refusal, "%.160s: %s", name, why);
    }
}

static bool refuse(struct mwr_pvars *pvars, const char *name, const char *why)
{
    mwr_pvars_refuse(pvars, name, why);
    return false;
}

/* Fills pvar when the variable is selected and can be recorded. */
static bool describe(struct mwr_pvars *pvars, int index, const struct info *info,
                     struct mwr_pvar *pvar)
{
    struct mwr_candidate candidate = {.name = info->name,
                                      .class = mwr_class_of(info->var_class),
                                      .verbosity = mwr_verbosity_of(info->verbosity),
                                      .bind = mwr_bind_word(info->bind),
                                      .is_in_category = is_in_category,
                                      .index = index};
    bool read_resets = false;

    memset(pvar, 0, sizeof *pvar);
    pvar->term = mwr_selection_takes(&pvars->selection, &candidate);
    if (!pvar->term) {
        return false;
    }
    if (mwr_pvar_danger(info->name)) {
        return refuse(pvars, info->name, mwr_pvar_danger(info->name));
    }
    if (mwr_bind_refusal(info->bind) || !mwr_pvar_set_type(pvar, info->datatype)) {
        return refuse(pvars, info->name,
                      mwr_bind_refusal(info->bind) ? mwr_bind_refusal(info->bind)
                                                   : mwr_type_refusal(info->datatype));
    }
    pvar->index = index;
    memcpy(pvar->name, info->name, sizeof pvar->name);
    memcpy(pvar->description, info->description, sizeof pvar->description);
    pvar->declared = candidate.class;
    pvar->effective = candidate.class;
    (void)mwr_class_override(mwr_recorder.settings.pvar_class, info->name, &pvar->effective,
                             &read_resets);
    pvar->bind = mwr_bind_of(info->bind);
    pvar->bind_name = candidate.bind;
    pvar->verbosity = candidate.verbosity;
    pvar->flags = (info->is_readonly ? MW_VARIABLE_READONLY : 0u) |
                  (info->is_continuous ? MW_VARIABLE_CONTINUOUS : 0u) |
                  (info->is_atomic ? MW_VARIABLE_ATOMIC : 0u) |
                  (read_resets ? MW_VARIABLE_READ_RESETS : 0u);
    snprintf(pvar->unit, sizeof pvar->unit, "%s", unit_of(pvar));
    list_items(info->enumeration, pvar->items, sizeof pvar->items);
    return true;
}

static void append(struct mwr_pvars *pvars, const struct mwr_pvar *pvar)
{
    if (mw_array_grow((void **)&pvars->list, pvars->count, sizeof *pvars->list)) {
        pvars->list[pvars->count++] = *pvar;
    }
}

void mwr_pvars_look(struct mwr_pvars *pvars)
{
    int count = 0;
    struct info info;
    struct mwr_pvar pvar;

    if (MWR_PMPI(T_pvar_get_num)(&count) != MPI_SUCCESS) {
        return;
    }
    for (; pvars->seen < count; pvars->seen++) {
        if (!get_info(pvars->seen, &info)) {
            continue; /* of a component that was unloaded */
        }
        pvars->valid++;
        if (describe(pvars, pvars->seen, &info, &pvar)) {
            append(pvars, &pvar);
        }
    }
}

void mwr_pvars_fini(struct mwr_pvars *pvars)
{
    free(pvars->list);
    pvars->list = NULL;
    pvars->count = 0;
}

/* --- metrics --------------------------------------------------------------------- */

/* What tells one metric from another. */
struct metric {
    int index;
    uint32_t form;
    uint32_t first;
    uint32_t count;
};

/* All under metric_lock. */
static struct metric *metrics;
static uint32_t metric_count;
static bool metrics_ended;
static pthread_mutex_t metric_lock = PTHREAD_MUTEX_INITIALIZER;

static void define(const struct mwr_pvar *pvar, uint32_t number, const struct metric *metric,
                   uint32_t elements)
{
    char categories[512];

    mwr_categories_of(MWR_PERFORMANCE_VARIABLE, pvar->index, categories, sizeof categories);
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_METRIC,
        .of.metric = {.metric = number,
                      .name = pvar->name,
                      .declared = pvar->declared,
                      .effective = pvar->effective,
                      .type = pvar->type,
                      .bits = 8 * pvar->element_bytes,
                      .bind = pvar->bind_name,
                      .verbosity = pvar->verbosity,
                      .flags = pvar->flags |
                               (MW_CLASS_IS_SUM(pvar->effective) ? MW_VARIABLE_REBUILT : 0u),
                      .form = metric->form,
                      .first = metric->first,
                      .count = metric->count,
                      .elements = elements,
                      .unit = pvar->unit,
                      .description = pvar->description,
                      .items = pvar->items,
                      .categories = categories},
    });
}

/* Takes the next number; UINT32_MAX: no memory, or it is too late. metric_lock is held. */
static uint32_t append_metric(const struct metric *metric)
{
    if (metrics_ended || !mw_array_grow((void **)&metrics, metric_count, sizeof *metrics)) {
        return UINT32_MAX;
    }
    metrics[metric_count] = *metric;
    return metric_count++;
}

static uint32_t find_metric(const struct metric *wanted)
{
    for (uint32_t i = 0; i < metric_count; i++) {
        if (memcmp(&metrics[i], wanted, sizeof *wanted) == 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

uint32_t mwr_metric_define(const struct mwr_pvar *pvar, uint32_t form, uint32_t first,
                           uint32_t count, uint32_t elements)
{
    struct metric wanted = {pvar->index, form, first, count};
    uint32_t number;

    pthread_mutex_lock(&metric_lock);
    number = find_metric(&wanted);
    if (number == UINT32_MAX) {
        number = append_metric(&wanted);
        if (number != UINT32_MAX) {
            define(pvar, number, &wanted, elements);
        }
    }
    pthread_mutex_unlock(&metric_lock);
    return number;
}

uint32_t mwr_metric_define_own(const struct mw_define_metric *metric)
{
    struct mw_define_metric numbered = *metric;

    pthread_mutex_lock(&metric_lock);
    numbered.metric = append_metric(&(struct metric){.index = -1});
    if (numbered.metric != UINT32_MAX) {
        mwr_recorder_define(
            &(struct mw_definition){.kind = MW_DEFINE_METRIC, .of.metric = numbered});
    }
    pthread_mutex_unlock(&metric_lock);
    return numbered.metric;
}

void mwr_metrics_fini(void)
{
    pthread_mutex_lock(&metric_lock);
    free(metrics);
    metrics = NULL;
    metric_count = 0;
    metrics_ended = true;
    pthread_mutex_unlock(&metric_lock);
}
