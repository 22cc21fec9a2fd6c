/*
 * What is compared is by that what the tables of each run say; it is copied, since an archive's
 * results are gone when the next one is read.
 */
#include "analyzer/report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/map.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/report/compare_differences.h"
#include "analyzer/report/compare_lines.h"
#include "analyzer/report/compare_words.h"
#include "analyzer/report/compare_wrappers.h"
#include "analyzer/table/tables.h"
#include "formats/base/order.h"

/* --- the tables --------------------------------------------------------------------------- */

#define RUN(member) MWA_IN(struct mwa_compared_run, member)

static struct mwa_value run_name(const struct mwa_cell *cell)
{
    char name[MWA_RUN_NAME_BYTES];

    return mwa_owned_text(strdup(mwa_run_name(cell->index, name)));
}

/* With titles: what a study of scaling shows, a line for each run by its ranks. */
static const struct mwa_column run_columns[] = {
    { NULL, "", 3, MWA_PLAIN, MWA_BY(MWA_TEXT, run_name) },
    { "archive", RUN(archive) },
    { "program", RUN(program), .unknown = MWA_NOT_SAID },
    { "ranks", "ranks", 5, MWA_PLAIN, RUN(pop.ranks) },
    { "runtime_ns", "run", 8, MWA_NS, RUN(pop.runtime_ns) },
    { NULL, "speed-up", 8, MWA_RATIO, RUN(speedup) },
    { NULL, "efficiency", 10, MWA_RATIO, RUN(efficiency) },
    { "parallel_efficiency", .unit = MWA_RATIO, RUN(pop.parallel_efficiency),
      .unknown = MWA_NO_RUN },
    { "running_efficiency", "on core", 7, MWA_RATIO, RUN(pop.running_efficiency),
      .unknown = MWA_NO_CORE },
    { "load_balance", "balance", 7, MWA_RATIO, RUN(pop.load_balance), .unknown = MWA_NO_RUN },
    { "communication_efficiency", .unit = MWA_RATIO, RUN(pop.communication_efficiency),
      .unknown = MWA_NO_RUN },
    { "serialisation_efficiency", "serialisation", 13, MWA_RATIO,
      RUN(pop.serialisation_efficiency), .unknown = MWA_NO_IDEAL },
    { "transfer_efficiency", "transfer", 8, MWA_RATIO, RUN(pop.transfer_efficiency),
      .unknown = MWA_NO_IDEAL },
    { "useful_total_ns", .unit = MWA_NS, RUN(pop.useful_total_ns) },
    { "speedup", .unit = MWA_RATIO, RUN(speedup), .unknown = MWA_NO_RUN },
    { "computation_scaling", "computation", 11, MWA_RATIO, RUN(computation_scaling),
      .unknown = MWA_NO_RUN },
    { "global_efficiency", "global", 6, MWA_RATIO, RUN(global_efficiency), .unknown = MWA_NO_RUN },
    { "change", .unit = MWA_SHARE, RUN(change), .unknown = MWA_NO_RUN },
    { "efficiency", .unit = MWA_RATIO, RUN(efficiency), .unknown = MWA_NO_RUN },
    { "machines", RUN(machines) },
    { "mpi_library", RUN(mpi_library), .unknown = MWA_NOT_SAID },
    { "commit", RUN(commit), .unknown = MWA_NOT_SAID },
    { "cpu", RUN(cpu), .unknown = MWA_NOT_SAID },
};

static int by_ranks(const void *one, const void *other)
{
    const struct mwa_compared_run *a = one, *b = other;

    return mw_order(a->pop.ranks, b->pop.ranks);
}

const struct mwa_table mwa_compare_table = { MWA_COLUMNS(run_columns),
                                             MWA_ROWS(struct mwa_comparison, runs, run_count),
                                             .order = by_ranks };

static const struct mwa_table per_rank = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(mwa_ns_column),
    MWA_ROWS(struct mwa_compared_time, per_rank_ns, run_count),
};

#define TIME(member) MWA_IN(struct mwa_compared_time, member)

static const struct mwa_column time_columns[] = {
    { "name", TIME(name) },
    { "change_ns", .unit = MWA_NS, TIME(change_ns) },
    { "per_rank_ns", .table = &per_rank },
};

static const struct mwa_table calls = {
    MWA_COLUMNS(time_columns), MWA_ROWS(struct mwa_comparison, calls.list, calls.count)
};
static const struct mwa_table waits = {
    MWA_COLUMNS(time_columns), MWA_ROWS(struct mwa_comparison, waits.list, waits.count)
};

/* --- lines --------------------------------------------------------------------------------- */

static const struct mwa_table waiting = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(mwa_ns_column),
    MWA_ROWS(struct mwa_compared_time, waiting_ns, run_count),
};
static const struct mwa_column number_columns[] = {
    { .kind = MWA_NUMBER, .size = sizeof(uint32_t),
      .unknown = "the run makes no call there, or its archive does not know the line" },
};
static const struct mwa_table numbers = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(number_columns),
    MWA_ROWS(struct mwa_compared_time, numbers, run_count),
};

MWA_VALUE_OF(file, struct mwa_compared_time, mwa_text(*row->file ? row->file : NULL))

MWA_WHETHER(is_called_from, ((const struct mwa_compared_time *)cell->row)->called_from != NULL)

static const struct mwa_column caller_columns[] = { { "called_from", TIME(called_from) } };
static const struct mwa_table caller = {
    .shape = MWA_ROW, MWA_COLUMNS(caller_columns), .is_known = is_called_from
};

static const struct mwa_column line_columns[] = {
    { "call", TIME(call) },
    { "file", MWA_BY(MWA_TEXT, file), .unknown = MWA_NOT_SAID },
    { "function", TIME(function) },
    { NULL, .table = &caller },
    { "line", .table = &numbers },
    { "change_ns", .unit = MWA_NS, TIME(change_ns) },
    { "per_rank_ns", .table = &per_rank },
    { "waiting_ns", .table = &waiting },
};

MWA_WHETHER(knows_lines, ((const struct mwa_comparison *)cell->row)->knows_lines)

static const struct mwa_table lines = {
    MWA_COLUMNS(line_columns), MWA_ROWS(struct mwa_comparison, lines.list, lines.count),
    .is_known = knows_lines, .unknown = "an archive does not say where calls were made"
};

MWA_VALUE_OF(scaling, struct mwa_comparison, mwa_text(row->is_weak ? "weak" : "strong"))

/* --- sentences: one for each run but the reference, and what is different in them ---------- */

static const struct mwa_comparison *comparison_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_COUNT_BY(sentence_count, comparison_of(parent)->added - 1)
MWA_COUNT_BY(difference_count, (comparison_of(parent)->added - 1) * MWA_DIFFERENCES)
MWA_ROW_BY(in_comparison, parent->row)

static struct mwa_value sentence(const struct mwa_cell *cell)
{
    char text[MWA_SENTENCE_BYTES], name[MWA_RUN_NAME_BYTES];

    return mwa_owned_text(strdup(mwa_compared_sentence(comparison_of(cell), 0, cell->index + 1,
                                                       "A", mwa_run_name(cell->index + 1, name),
                                                       text)));
}

static struct mwa_value difference(const struct mwa_cell *cell)
{
    const uint64_t run = 1 + cell->index / MWA_DIFFERENCES;
    char text[MWA_SENTENCE_BYTES], name[MWA_RUN_NAME_BYTES];
    const unsigned index = cell->index % MWA_DIFFERENCES;
    const char *told = index == MWA_DIFFERENT_RANKS
                           ? mwa_compared_ranks(comparison_of(cell), run, text)
                           : mwa_compared_difference(comparison_of(cell), 0, run, "A",
                                                     mwa_run_name(run, name), index, text);

    return mwa_owned_text(told ? strdup(told) : NULL);
}

static bool is_different(const struct mwa_cell *cell)
{
    struct mwa_value value = difference(cell);

    free(value.owned);
    return value.kind != MWA_NOTHING;
}

static const struct mwa_column sentence_columns[] = { { MWA_BY(MWA_TEXT, sentence) } };
static const struct mwa_column difference_columns[] = { { MWA_BY(MWA_TEXT, difference) } };

const struct mwa_table mwa_compare_sentences = { .shape = MWA_VALUES,
                                                 MWA_COLUMNS(sentence_columns),
                                                 .count = sentence_count,
                                                 .row = in_comparison };
const struct mwa_table mwa_compare_differences = { .shape = MWA_VALUES,
                                                   MWA_COLUMNS(difference_columns),
                                                   .count = difference_count,
                                                   .row = in_comparison,
                                                   .is_shown = is_different };

/* --- which factor falls first --------------------------------------------------------------- */

#define FALLEN(name, type, ...)                                                                    \
    MWA_VALUE(name, type(mwa_comparison_fallen(comparison_of(cell)).__VA_ARGS__))

FALLEN(fallen_factor, mwa_text, factor)
FALLEN(fallen_ranks, mwa_number, ranks)
FALLEN(fallen_value, mwa_real, value)
FALLEN(fallen_share, mwa_real, of_reference)
FALLEN(has_fallen, mwa_flag, has_fallen)
MWA_WHETHER(is_scaling, mwa_comparison_fallen(comparison_of(cell)).factor != NULL)

static const struct mwa_column fallen_columns[] = {
    { "factor", MWA_BY(MWA_TEXT, fallen_factor) },
    { "ranks", MWA_BY(MWA_NUMBER, fallen_ranks) },
    { "value", .unit = MWA_RATIO, MWA_BY(MWA_REAL, fallen_value) },
    { "of_reference", .unit = MWA_SHARE, MWA_BY(MWA_REAL, fallen_share) },
    { "has_fallen", MWA_BY(MWA_FLAG, has_fallen) },
};
static const struct mwa_table fallen = { .shape = MWA_ROW,
                                         MWA_COLUMNS(fallen_columns),
                                         .row = in_comparison,
                                         .is_known = is_scaling,
                                         .unknown = "no run has more ranks than the first, or no "
                                                    "factor is known" };

static const struct mwa_column document[] = {
    { "scaling", MWA_BY(MWA_TEXT, scaling) },
    { "sentences", .table = &mwa_compare_sentences },
    { "differences", .table = &mwa_compare_differences },
    { "falls_first", .table = &fallen },
    { "runs", .table = &mwa_compare_table },
    { "calls", .table = &calls },
    { "lines", .table = &lines },
    { "waits", .table = &waits },
};

const struct mwa_table mwa_compare_document = { .shape = MWA_ROW,
                                                .schema = "mpiwatch-compare/1",
                                                MWA_COLUMNS(document) };

/* --- runs --------------------------------------------------------------------------------- */

struct mwa_compared_time *mwa_compared_time_add(struct mwa_compared_times *times, const char *name,
                                                uint64_t run_count)
{
    struct mwa_compared_time *time;

    if (!mwa_grow(&times->list, &times->capacity, times->count + 1, sizeof *times->list)) {
        return NULL;
    }
    time = &times->list[times->count++];
    *time = (struct mwa_compared_time){ .name = strdup(name), .run_count = run_count };
    time->per_rank_ns = calloc(run_count, sizeof *time->per_rank_ns);
    time->waiting_ns = calloc(run_count, sizeof *time->waiting_ns);
    time->counts = calloc(run_count, sizeof *time->counts);
    time->by_rank_ns = calloc(run_count, sizeof *time->by_rank_ns);
    return time->name && time->per_rank_ns && time->waiting_ns && time->counts && time->by_rank_ns
               ? time
               : NULL;
}

/* The time of that name, added if need be; null: no memory. */
static struct mwa_compared_time *time_named(struct mwa_compared_times *times, const char *name,
                                            uint64_t run_count)
{
    for (uint64_t i = 0; i < times->count; i++) {
        if (strcmp(times->list[i].name, name) == 0) {
            return &times->list[i];
        }
    }
    return mwa_compared_time_add(times, name, run_count);
}

uint64_t mwa_compared_per_rank(uint64_t ns, const struct mwa_results *results)
{
    const double ranks = results->pop.run.ranks;

    return ranks == 0 ? 0 : (uint64_t)floor((double)ns / ranks + 0.5);
}

/* What all ranks wait in a call. */
static uint64_t waiting_in(const struct mwa_region *call, const struct mwa_waits *found)
{
    uint64_t ns = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && found->rows[i].call_ns &&
            call->mpi_index < found->call_count) {
            ns += found->rows[i].call_ns[call->mpi_index];
        }
    }
    return ns;
}

static enum mw_status add_calls(struct mwa_comparison *comparison,
                                const struct mwa_results *results)
{
    const uint64_t run = comparison->added;

    for (uint64_t i = 0; i < results->profile.call_count; i++) {
        const struct mwa_call_row *call = &results->profile.calls[i];
        struct mwa_compared_time *time = time_named(&comparison->calls, call->region->name,
                                                    comparison->run_count);

        if (!time) {
            return MW_ERROR_MEMORY;
        }
        time->is_in_run = call->region->kind == MWA_REGION_MPI;
        time->per_rank_ns[run] += mwa_compared_per_rank(call->time_ns, results);
        time->counts[run] += call->count;
        time->waiting_ns[run] +=
            mwa_compared_per_rank(waiting_in(call->region, &results->waits), results);
    }
    return MW_OK;
}

/* Of calls by rank, and of computing. */
static enum mw_status add_ranks(struct mwa_comparison *comparison,
                                const struct mwa_results *results)
{
    const struct mwa_imbalance *imbalance = &results->imbalance;
    struct mwa_compared_run *run = &comparison->runs[comparison->added];
    const size_t size = results->profile.rank_count * sizeof(uint64_t);

    run->rank_count = results->profile.rank_count;
    run->useful_ns = malloc(size + 1);
    for (uint64_t i = 0; run->useful_ns && i < run->rank_count; i++) {
        run->useful_ns[i] = results->profile.ranks[i].useful_ns;
    }
    for (uint64_t i = 0; i < imbalance->count; i++) {
        const struct mwa_imbalance_row *row = &imbalance->rows[i];
        struct mwa_compared_time *time;

        if (row->kind != MWA_IMBALANCE_MPI) {
            continue;
        }
        time = time_named(&comparison->calls, row->name, comparison->run_count);
        if (!time || time->by_rank_ns[comparison->added]) {
            continue; /* of a name that regions share the first */
        }
        time->by_rank_ns[comparison->added] = malloc(size + 1);
        if (!time->by_rank_ns[comparison->added]) {
            return MW_ERROR_MEMORY;
        }
        memcpy(time->by_rank_ns[comparison->added], row->per_rank_ns, size);
    }
    return run->useful_ns ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status add_waits(struct mwa_comparison *comparison,
                                const struct mwa_results *results)
{
    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        struct mwa_compared_time *time = time_named(&comparison->waits, mwa_wait_name(i),
                                                    comparison->run_count);

        if (!time) {
            return MW_ERROR_MEMORY;
        }
        time->title = mwa_wait_title(i);
        time->per_rank_ns[comparison->added] =
            mwa_compared_per_rank(results->waits.rows[i].total_ns, results);
    }
    return MW_OK;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The hosts of the ranks, each once, with ", " between; null: no memory. */
static char *machines_of(const struct mwa_trace *trace)
{
    const char **hosts = calloc(trace->rank_count + 1, sizeof *hosts);
    char *text = NULL;
    size_t size = 0;
    FILE *out = hosts ? mwa_open_text(&text, &size) : NULL;

    for (uint64_t i = 0; out && i < trace->rank_count; i++) {
        hosts[i] = trace->ranks[i].host;
    }
    if (out && trace->rank_count > 0) {
        qsort(hosts, trace->rank_count, sizeof *hosts, by_name);
    }
    for (uint64_t i = 0; out && i < trace->rank_count; i++) {
        if (i == 0 || strcmp(hosts[i], hosts[i - 1]) != 0) {
            fprintf(out, "%s%s", i ? ", " : "", hosts[i]);
        }
    }
    free(hosts);
    return out && fclose(out) == 0 ? text : NULL;
}

static char *copy_of(const char *text)
{
    return text ? strdup(text) : NULL;
}

enum mw_status mwa_comparison_init(struct mwa_comparison *comparison, uint64_t run_count,
                                   bool is_weak)
{
    *comparison = (struct mwa_comparison){ .is_weak = is_weak, .run_count = run_count };
    comparison->runs = calloc(run_count, sizeof *comparison->runs);
    return comparison->runs ? MW_OK : MW_ERROR_MEMORY;
}

static bool knows_threads(const struct mwa_profile *profile)
{
    bool knows = profile->rank_count > 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        knows &= profile->ranks[i].running.tells_threads;
    }
    return knows;
}

/* How long main threads waited in MPI, on average, as far as is known. */
static double waited_of(const struct mwa_results *results)
{
    const struct mwa_profile *profile = &results->profile;
    double waited = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        waited += (double)(row->mpi_ns - mwa_rank_mpi_beside_waiting_ns(&results->waits, row));
    }
    return profile->rank_count ? waited / (double)profile->rank_count : 0;
}

enum mw_status mwa_comparison_add(struct mwa_comparison *comparison, const char *archive,
                                  const struct mwa_results *results)
{
    const struct mwa_pop_factors *pop = &results->pop.run;
    const struct mwa_pop_factors *first = comparison->added ? &comparison->runs[0].pop : pop;
    const double more_ranks = (double)pop->ranks / (double)first->ranks;
    const double growth = comparison->is_weak ? more_ranks : 1;
    const double scaling = (double)first->useful_total_ns / (double)pop->useful_total_ns * growth;
    const double speedup = (double)first->runtime_ns / (double)pop->runtime_ns * growth;
    const struct mwa_trace *trace = results->trace;
    const char *commit = mwa_circumstance(trace, "git_commit");
    const char *cpu = mwa_circumstance(trace, "cpu_model");
    struct mwa_compared_run *run = &comparison->runs[comparison->added];
    uint64_t lost;
    const bool knows_lost = mwa_lost_for_cores(&results->profile, &results->waits, &lost);
    enum mw_status status;

    *run = (struct mwa_compared_run){
        .archive = archive,
        .program = copy_of(trace->program),
        .machines = machines_of(trace),
        .mpi_library = copy_of(trace->mpi_library),
        .commit = copy_of(commit),
        .cpu = copy_of(cpu),
        .cores = results->cores,
        .is_partial = !mwa_is_complete(results),
        .lost_calls = trace->lost_events,
        .knows_lost = knows_lost,
        .lost_ns = (double)lost / (double)results->profile.rank_count,
        .waited_ns = waited_of(results),
        .knows_threads = knows_threads(&results->profile),
        .threads_ns = mwa_threads_ran_ns(&results->profile),
        .pop = *pop,
        .change = (double)pop->runtime_ns / (double)first->runtime_ns - 1,
        .speedup = speedup,
        .efficiency = speedup / more_ranks,
        .computation_scaling = scaling,
        .global_efficiency = pop->parallel_efficiency * scaling
    };
    run->cores.where = NULL; /* it goes with the trace */
    status = add_calls(comparison, results);
    if (status == MW_OK) {
        status = add_ranks(comparison, results);
    }
    if (status == MW_OK) {
        status = add_waits(comparison, results);
    }
    if (status == MW_OK) {
        status = mwa_compared_lines_add(comparison, results);
    }
    if ((trace->program && !run->program) || !run->machines ||
        (trace->mpi_library && !run->mpi_library) || (commit && !run->commit) ||
        (cpu && !run->cpu)) {
        status = MW_ERROR_MEMORY;
    }
    comparison->added++;
    return status;
}

static int by_change(const void *one, const void *other)
{
    const struct mwa_compared_time *a = one, *b = other;

    return mw_order(b->change_ns, a->change_ns) ?: strcmp(a->name, b->name);
}

static void sort(struct mwa_compared_times *times)
{
    for (uint64_t i = 0; i < times->count; i++) {
        struct mwa_compared_time *time = &times->list[i];

        for (uint64_t k = 1; k < time->run_count; k++) {
            const uint64_t first = time->per_rank_ns[0], each = time->per_rank_ns[k];
            const uint64_t change = each > first ? each - first : first - each;

            time->change_ns = change > time->change_ns ? change : time->change_ns;
        }
    }
    if (times->count > 0) {
        qsort(times->list, times->count, sizeof *times->list, by_change);
    }
}

enum mw_status mwa_comparison_sort(struct mwa_comparison *comparison)
{
    enum mw_status status = mwa_compared_wrappers_join(comparison);

    if (status == MW_OK) {
        status = mwa_compared_lines_name(comparison);
    }
    if (status == MW_OK) {
        sort(&comparison->calls);
        sort(&comparison->lines);
        sort(&comparison->waits);
    }
    return status;
}

void mwa_compared_time_fini(struct mwa_compared_time *time)
{
    for (uint64_t k = 0; time->by_rank_ns && k < time->run_count; k++) {
        free(time->by_rank_ns[k]);
    }
    free(time->name);
    free(time->per_rank_ns);
    free(time->waiting_ns);
    free(time->counts);
    free(time->by_rank_ns);
    free(time->call);
    free(time->file);
    free(time->function);
    free(time->called_from);
    free(time->numbers);
    free(time->wrapper);
    free(time->wrapper_file);
    free(time->wrapper_numbers);
}

static void fini(struct mwa_compared_times *times)
{
    for (uint64_t i = 0; i < times->count; i++) {
        mwa_compared_time_fini(&times->list[i]);
    }
    free(times->list);
}

void mwa_comparison_fini(struct mwa_comparison *comparison)
{
    for (uint64_t i = 0; i < comparison->added; i++) {
        free(comparison->runs[i].program);
        free(comparison->runs[i].machines);
        free(comparison->runs[i].mpi_library);
        free(comparison->runs[i].commit);
        free(comparison->runs[i].cpu);
        free(comparison->runs[i].useful_ns);
    }
    free(comparison->runs);
    fini(&comparison->calls);
    fini(&comparison->lines);
    fini(&comparison->waits);
}
