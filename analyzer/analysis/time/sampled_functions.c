/*
 * What computes is seen by no call: only samples say which function it is. They are few, so that
 * whoever shows them has to say how good they are.
 */
#include "analyzer/analysis/time/sampled_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

#define NS_PER_SECOND 1000000000u

/* So many samples of a function (its first spot) have something in common, the key. */
struct tally {
    uint32_t function;
    uint32_t key;
    uint64_t count;
};

static int by_function(const void *one, const void *other)
{
    const struct tally *a = one;
    const struct tally *b = other;

    return mw_order(a->function, b->function) ?: mw_order(a->key, b->key);
}

static int by_samples(const void *one, const void *other)
{
    const struct mwa_function_row *a = one;
    const struct mwa_function_row *b = other;

    return mw_order(b->count, a->count) ?: strcmp(a->function, b->function)
               ?: strcmp(a->file ? a->file : "", b->file ? b->file : "");
}

/* --- what samples of a function have in common --------------------------------------------- */

static uint32_t rank_of(const struct mwa_trace *trace, const struct mwa_sampled_row *row)
{
    (void)trace;
    return row->rank;
}

static uint32_t line_of(const struct mwa_trace *trace, const struct mwa_sampled_row *row)
{
    return trace->sampled.spots[row->spot].line;
}

static uint32_t place_of(const struct mwa_trace *trace, const struct mwa_sampled_row *row)
{
    return mwa_trace_place(trace, row->site);
}

static void take_rank(struct mwa_function_row *row, uint32_t key, uint64_t count)
{
    if (count > row->rank_count) {
        row->rank = key;
        row->rank_count = count;
    }
}

static void take_line(struct mwa_function_row *row, uint32_t key, uint64_t count)
{
    if (count > row->line_count) {
        row->line = key;
        row->line_count = count;
    }
}

static void take_place(struct mwa_function_row *row, uint32_t key, uint64_t count)
{
    if (count > row->site_count) {
        row->site = key;
        row->site_count = count;
    }
}

/* What functions are made of. */
struct source {
    const struct mwa_trace *trace;
    const struct mwa_sampled_row *rows;
    uint64_t row_count;
    uint32_t rank; /* MWA_NONE: all */
};

/* Fills tallies, with room for all rows; how many. */
static uint64_t count_by(const struct source *source,
                         uint32_t (*key)(const struct mwa_trace *trace,
                                         const struct mwa_sampled_row *row),
                         struct tally *tallies)
{
    const struct mwa_trace *trace = source->trace;
    uint64_t count = 0;

    for (uint64_t i = 0; i < source->row_count; i++) {
        const struct mwa_sampled_row *row = &source->rows[i];

        if (row->count > 0 && (source->rank == MWA_NONE || row->rank == source->rank)) {
            tallies[count++] = (struct tally){ trace->sampled.spots[row->spot].first,
                                               key(trace, row), row->count };
        }
    }
    if (count > 0) {
        qsort(tallies, count, sizeof *tallies, by_function);
    }
    return count;
}

/* Tells the rows, which are in the order of tallies' functions, what most samples have. */
static void tell_rows(const struct tally *tallies, uint64_t count,
                      void (*take)(struct mwa_function_row *row, uint32_t key, uint64_t count),
                      struct mwa_function_row *row)
{
    for (uint64_t i = 0, end; i < count; i = end) {
        uint64_t samples = 0;

        row += i > 0 && tallies[i].function != tallies[i - 1].function;
        for (end = i; end < count && by_function(&tallies[end], &tallies[i]) == 0; end++) {
            samples += tallies[end].count;
        }
        take(row, tallies[i].key, samples);
    }
}

/* A row for each function that there are tallies of; false without memory. */
static bool make_rows(const struct mwa_trace *trace, const struct tally *tallies, uint64_t count,
                      struct mwa_functions *functions)
{
    functions->rows = calloc(count + 1, sizeof *functions->rows);
    for (uint64_t i = 0; functions->rows && i < count; i++) {
        if (i == 0 || tallies[i].function != tallies[i - 1].function) {
            const struct mwa_sampled_spot *spot = &trace->sampled.spots[tallies[i].function];

            functions->rows[functions->count++] =
                (struct mwa_function_row){ .function = spot->function,
                                           .file = *spot->file ? spot->file : NULL,
                                           .rank = MWA_NONE,
                                           .site = MWA_NONE,
                                           .whole = functions->outside,
                                           .ranks = functions->ranks };
        }
        functions->rows[functions->count - 1].count += tallies[i].count;
    }
    return functions->rows != NULL;
}

static void count_ranks(const struct mwa_trace *trace, uint32_t only,
                        struct mwa_functions *functions)
{
    for (uint32_t i = 0; trace->sampled.ranks && i < trace->rank_count; i++) {
        const struct mwa_sampled_rank *rank = &trace->sampled.ranks[i];

        if (!rank->was_to || (only != MWA_NONE && only != i)) {
            continue;
        }
        if (*rank->refused) {
            functions->refused_first = functions->refused == 0 ? i : functions->refused_first;
            functions->refused++;
        }
        functions->ranks += mwa_was_sampled(&trace->sampled, i);
        functions->outside += rank->outside;
        functions->inside += rank->inside;
        functions->lost += rank->lost;
    }
}

static void count_crews(const struct mwa_trace *trace, uint32_t only,
                        struct mwa_functions *functions)
{
    for (uint32_t i = 0; trace->sampled.crews && i < trace->rank_count; i++) {
        const struct mwa_sampled_crew *crew = &trace->sampled.crews[i];

        if (only == MWA_NONE || only == i) {
            functions->ranks += crew->threads > 0;
            functions->threads += crew->threads;
            functions->refused += crew->refused;
            functions->there_ns += crew->there_ns;
            functions->outside += crew->outside;
            functions->inside += crew->inside;
            functions->lost += crew->lost;
        }
    }
}

static enum mw_status make(const struct source *source, struct mwa_functions *functions)
{
    struct tally *tallies = calloc(source->row_count + 1, sizeof *tallies);
    uint64_t count;
    bool has_memory;

    if (!tallies) {
        return MW_ERROR_MEMORY;
    }
    count = count_by(source, rank_of, tallies);
    has_memory = make_rows(source->trace, tallies, count, functions);
    if (has_memory) {
        tell_rows(tallies, count, take_rank, functions->rows);
        count = count_by(source, line_of, tallies);
        tell_rows(tallies, count, take_line, functions->rows);
        count = count_by(source, place_of, tallies);
        tell_rows(tallies, count, take_place, functions->rows);
    }
    if (functions->count > 0) {
        qsort(functions->rows, functions->count, sizeof *functions->rows, by_samples);
    }
    free(tallies);
    for (uint64_t i = 0; i < source->row_count; i++) {
        const struct mwa_sampled_row *row = &source->rows[i];
        const bool is_meant = source->rank == MWA_NONE || row->rank == source->rank;

        functions->in_openmp +=
            is_meant && mwa_sampled_in_openmp(&source->trace->sampled.spots[row->spot])
                ? row->count
                : 0;
    }
    return has_memory ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_functions_make(const struct mwa_trace *trace, uint32_t rank,
                                  struct mwa_functions *functions)
{
    const struct mwa_sampled *sampled = &trace->sampled;

    *functions = (struct mwa_functions){ .refused_first = MWA_NONE };
    count_ranks(trace, rank, functions);
    return make(&(struct source){ trace, sampled->rows, sampled->row_count, rank }, functions);
}

enum mw_status mwa_functions_make_others(const struct mwa_trace *trace, uint32_t rank,
                                         struct mwa_functions *functions)
{
    const struct mwa_sampled *sampled = &trace->sampled;

    *functions = (struct mwa_functions){ .refused_first = MWA_NONE };
    count_crews(trace, rank, functions);
    return make(&(struct source){ trace, sampled->crew_rows, sampled->crew_row_count, rank },
                functions);
}

void mwa_functions_fini(struct mwa_functions *functions)
{
    free(functions->rows);
    *functions = (struct mwa_functions){ .rows = NULL };
}

/* --- waiting in them ------------------------------------------------------------------------ */

/* Files of runtimes, which name code that has no name, and beginnings of names of their functions,
 * where these are known. */
static const char *const runtimes[] = { "libgomp.so", "libomp.so",     "libiomp5.so",
                                        "libnvomp.so", "libcraymp.so", "libxlsmp.so",
                                        "gomp_",      "GOMP_",         "__kmp" };

bool mwa_sampled_in_openmp(const struct mwa_sampled_spot *spot)
{
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
        if (strncmp(spot->function, runtimes[i], strlen(runtimes[i])) == 0) {
            return true;
        }
    }
    return false;
}

bool mwa_sampled_in_region(const struct mwa_sampled_spot *spot)
{
    return strstr(spot->function, "._omp_fn.") || strstr(spot->function, "omp_outlined");
}

/* --- how good they are --------------------------------------------------------------------- */

double mwa_sampled_error(uint64_t part, uint64_t whole)
{
    const double share = whole > 0 ? (double)part / (double)whole : 0;

    /* That all of a few are of one function does not say that nothing is of others. */
    return whole > 0 ? fmax(sqrt(share * (1 - share) / (double)whole), 1 / ((double)whole + 2))
                     : 0;
}

uint64_t mwa_sampled_ns(const struct mwa_trace *trace, uint64_t samples)
{
    const unsigned __int128 ns = (unsigned __int128)samples * NS_PER_SECOND /
                                 (trace->sampled.rate_hz > 0 ? trace->sampled.rate_hz : 1);

    return ns < INT64_MAX ? (uint64_t)ns : INT64_MAX;
}

double mwa_function_over_average(const struct mwa_function_row *row)
{
    return (double)row->rank_count * (double)row->ranks / (double)row->count;
}
