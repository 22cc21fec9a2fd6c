/* A value stays until the next sample of the same variable on the same object, as the recorder
 * writes only what says something new. */
#include "analyzer/live/live_variables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_screen.h"
#include "formats/base/array.h"

#define HEARD_MAX        4096u    /* variables that others tell of */
#define HEARD_VALUES_MAX 4000000u /* of all their ranks together */

/* What a rank told last of a variable on an object. */
struct value {
    uint32_t variable; /* in the list */
    uint32_t rank;
    double value;
};

struct mwa_live_variables {
    struct mwa_live_variable *list;
    uint32_t count;
    struct value *values;
    struct mwa_index index; /* of values, by rank and metric, and object */
};

struct mwa_live_variables *mwa_live_variables_create(void)
{
    return calloc(1, sizeof(struct mwa_live_variables));
}

void mwa_live_variables_destroy(struct mwa_live_variables *variables)
{
    if (!variables) {
        return;
    }
    for (uint32_t i = 0; i < variables->count; i++) {
        free(variables->list[i].name);
        free(variables->list[i].unit);
    }
    mwa_index_fini(&variables->index);
    free(variables->values);
    free(variables->list);
    free(variables);
}

/* The place in the list of the variable of that name; UINT32_MAX: it has none. */
static uint32_t find_name(const struct mwa_live_variables *variables, const char *name)
{
    for (uint32_t i = 0; i < variables->count; i++) {
        if (strcmp(variables->list[i].name, name) == 0) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* The place in the list; UINT32_MAX: no memory. */
static uint32_t variable_of(struct mwa_live_variables *variables, const char *name,
                            const char *unit, bool is_sum)
{
    struct mwa_live_variable added = {.is_sum = is_sum};
    const uint32_t known = find_name(variables, name);

    if (known != UINT32_MAX) {
        return known;
    }
    added.name = strdup(name);
    added.unit = strdup(unit);
    if (!added.name || !added.unit ||
        !mw_array_grow((void **)&variables->list, variables->count, sizeof added)) {
        free(added.name);
        free(added.unit);
        return UINT32_MAX;
    }
    variables->list[variables->count] = added;
    return variables->count++;
}

static double number_of(uint64_t bits, unsigned type)
{
    double number;

    if (type == MW_METRIC_DOUBLE) {
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    return type == MW_METRIC_INT64 ? (double)(int64_t)bits : (double)bits;
}

/* All its elements together; those that a sample of the greatest leaves out are not in it. */
static double sum_of(const struct mw_metric_member *sample)
{
    const unsigned form = MW_METRIC_FORM(sample->form);
    const unsigned count = form == MW_METRIC_STATISTICS ? 1 : sample->count;
    double sum = 0;

    for (unsigned i = 0; i < count; i++) {
        if (!MW_METRIC_IS_PLACE(form, i)) {
            sum += number_of(sample->values[i], sample->type);
        }
    }
    return sum;
}

static bool take_sample(struct mwa_live_variables *variables, uint32_t rank,
                        const struct mwa_live_numbers *numbers,
                        const struct mw_metric_member *sample)
{
    const struct mwa_key key = {(uint64_t)rank << 32 | sample->metric,
                                (uint64_t)MW_METRIC_OBJECT(sample->form) << 32 |
                                    sample->head.comm};
    const struct mwa_live_metric *metric =
        sample->metric < numbers->metric_room ? &numbers->metrics[sample->metric] : NULL;
    uint64_t count = variables->index.count;
    uint64_t at;

    if (!metric || !metric->name || metric->class == MW_CLASS_EVENT ||
        MW_METRIC_FORM(sample->form) == MW_METRIC_RUNNING) {
        return true;
    }
    at = mwa_index_of(&variables->index, key, &variables->values, sizeof *variables->values);
    if (at == MWA_MAP_ABSENT) {
        return false;
    }
    if (at == count) {
        const uint32_t variable =
            variable_of(variables, metric->name, metric->unit, MW_CLASS_IS_SUM(metric->class));

        variables->values[at] = (struct value){.variable = variable, .rank = rank};
        if (variable == UINT32_MAX) {
            return false;
        }
    }
    /* An object that has ended has no queues any more, but what was counted of it counts. */
    variables->values[at].value =
        (sample->flags & MW_SAMPLE_END) && !MW_CLASS_IS_SUM(metric->class) ? 0 : sum_of(sample);
    return true;
}

bool mwa_live_variables_take(struct mwa_live_variables *variables, uint32_t rank,
                             const struct mwa_live_numbers *numbers,
                             const struct mw_spool_call *call)
{
    const struct mw_member *member = NULL;
    bool has_memory = true;

    while (has_memory && (member = mw_spool_call_member(call, member))) {
        if (member->type == MW_MEMBER_METRIC || member->type == MW_MEMBER_METRIC_ENTER) {
            has_memory = take_sample(variables, rank, numbers, (const void *)member);
        }
    }
    return has_memory;
}

bool mwa_live_variables_hear(struct mwa_live_variables *variables, uint32_t rank, const char *name,
                             const char *unit, bool is_sum, double value)
{
    uint32_t variable;
    uint64_t at;
    struct mwa_key key;

    if ((variables->count >= HEARD_MAX && find_name(variables, name) == UINT32_MAX) ||
        variables->index.count >= HEARD_VALUES_MAX) {
        return true;
    }
    variable = variable_of(variables, name, unit, is_sum);
    if (variable == UINT32_MAX) {
        return false;
    }
    key = (struct mwa_key){(uint64_t)rank << 32 | variable, UINT64_MAX};
    at = mwa_index_of(&variables->index, key, &variables->values, sizeof *variables->values);
    if (at == MWA_MAP_ABSENT) {
        return false;
    }
    variables->values[at] = (struct value){.variable = variable, .rank = rank, .value = value};
    return true;
}

/* --- what it comes to ---------------------------------------------- */

static int by_variable_and_rank(const void *left, const void *right)
{
    const struct value *a = left;
    const struct value *b = right;

    return a->variable != b->variable ? (a->variable < b->variable ? -1 : 1)
           : a->rank != b->rank       ? (a->rank < b->rank ? -1 : 1)
                                      : 0;
}

static void add_rank(struct mwa_live_variable *variable, uint32_t rank, double value)
{
    if (variable->ranks++ == 0 || value > variable->most) {
        variable->most = value;
        variable->most_rank = rank;
    }
    variable->sum += value;
}

static void add_spark(struct mwa_live_variable *variable)
{
    const double more = variable->spark_count > 0 ? variable->sum - variable->sum_before : 0;

    variable->sparks[variable->spark_count++ % MWA_LIVE_SPARKS] =
        variable->is_sum ? more : variable->most;
    variable->sum_before = variable->sum;
}

bool mwa_live_variables_look(struct mwa_live_variables *variables)
{
    const uint64_t count = variables->index.count;
    struct value *sorted = malloc((count + 1) * sizeof *sorted);

    if (!sorted) {
        return false;
    }
    if (count > 0) {
        memcpy(sorted, variables->values, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_variable_and_rank);
    }
    for (uint32_t i = 0; i < variables->count; i++) {
        variables->list[i].ranks = 0;
        variables->list[i].sum = 0;
        variables->list[i].most = 0;
    }
    for (uint64_t i = 0; i < count;) {
        const struct value *first = &sorted[i];
        double value = 0;

        for (; i < count && by_variable_and_rank(first, &sorted[i]) == 0; i++) {
            value += sorted[i].value;
        }
        add_rank(&variables->list[first->variable], first->rank, value);
    }
    for (uint32_t i = 0; i < variables->count; i++) {
        add_spark(&variables->list[i]);
    }
    free(sorted);
    return true;
}

const struct mwa_live_variable *mwa_live_variables_list(
    const struct mwa_live_variables *variables, uint32_t *count)
{
    *count = variables->count;
    return variables->list;
}

static uint32_t find_word(const struct mwa_live_variables *variables, const char *word)
{
    uint32_t found = UINT32_MAX;

    for (uint32_t i = 0; i < variables->count; i++) {
        if (mwa_live_contains(variables->list[i].name, word) &&
            (found == UINT32_MAX ||
             strlen(variables->list[i].name) < strlen(variables->list[found].name))) {
            found = i;
        }
    }
    return found;
}

uint32_t mwa_live_variables_find(const struct mwa_live_variables *variables, const char *name)
{
    static const char *const lengths[] = {"unexpected_msgq_length", "unexpected_recvq_length",
                                          "posted_recvq_length"};
    uint32_t found = name[0] ? find_word(variables, name) : UINT32_MAX;

    for (size_t i = 0; !name[0] && found == UINT32_MAX && i < sizeof lengths / sizeof lengths[0];
         i++) {
        found = find_word(variables, lengths[i]);
    }
    return found == UINT32_MAX && !name[0] && variables->count > 0 ? 0 : found;
}

double *mwa_live_variables_ranks(const struct mwa_live_variables *variables, uint32_t variable,
                                 uint32_t ranks)
{
    double *values = malloc((ranks + (size_t)1) * sizeof *values);

    for (uint32_t i = 0; values && i < ranks; i++) {
        values[i] = NAN;
    }
    for (uint64_t i = 0; values && i < variables->index.count; i++) {
        const struct value *value = &variables->values[i];

        if (value->variable == variable && value->rank < ranks) {
            values[value->rank] =
                value->value + (isnan(values[value->rank]) ? 0 : values[value->rank]);
        }
    }
    return values;
}

const char *mwa_live_variable_sparks(const struct mwa_live_variable *variable, char *text,
                                     size_t size)
{
    static const char blocks[8][4] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const uint32_t count =
        variable->spark_count < MWA_LIVE_SPARKS ? variable->spark_count : MWA_LIVE_SPARKS;
    double highest = 0;
    size_t used = 0;

    for (uint32_t i = 0; i < count; i++) {
        highest = variable->sparks[i] > highest ? variable->sparks[i] : highest;
    }
    for (uint32_t i = variable->spark_count - count; i < variable->spark_count; i++) {
        const double spark = variable->sparks[i % MWA_LIVE_SPARKS];
        const unsigned height = highest > 0 && spark > 0 ? (unsigned)(spark / highest * 7.0) : 0;

        if (used + 4 <= size) {
            memcpy(text + used, blocks[height], 3);
            used += 3;
        }
    }
    text[used < size ? used : size - 1] = '\0';
    return text;
}
