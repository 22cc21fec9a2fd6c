/*
 * Times of two runs tell of the program only as far as nothing else is different: each sentence is
 * of one thing that is, or that makes times doubtful by itself.
 */
#include "analyzer/report/compare_differences.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/compare_words.h"
#include "analyzer/report/lack_text.h"
#include "analyzer/table/line.h"
#include "analyzer/table/units.h"

bool mwa_compared_lacks_cores(const struct mwa_compared_run *run)
{
    return run->cores.lack != MWA_CORES_ENOUGH ||
           (run->cores.all_known && run->cores.all_lost >= MWA_CORES_DOUBTFUL);
}

/* The name of the program without its directory, and what follows it. */
static const char *program_of(const struct mwa_compared_run *run, size_t *length)
{
    const char *program = run->program;
    const char *slash;

    *length = program ? strcspn(program, " ") : 0;
    slash = program ? memrchr(program, '/', *length) : NULL;
    if (slash) {
        *length -= (size_t)(slash + 1 - program);
        program = slash + 1;
    }
    return program;
}

static const char *told(const char *what, const char *from_name, const char *from,
                        const char *to_name, const char *to, char *text)
{
    struct mwa_line line = { .length = 0 };

    mwa_line_add(&line, "the %s differ: %s \"", what, from_name);
    mwa_line_add_name(&line, from, 60);
    mwa_line_add(&line, "\", %s \"", to_name);
    mwa_line_add_name(&line, to, 60);
    mwa_line_add(&line, "\"");
    snprintf(text, MWA_SENTENCE_BYTES, "%.*s", MWA_SENTENCE_BYTES - 1, line.text);
    return text;
}

static bool differ(const char *one, const char *other)
{
    return one && other && one[0] && other[0] && strcmp(one, other) != 0;
}

/* Programs by name, then what comes behind it. */
static const char *program_difference(const struct mwa_compared_run *a,
                                      const struct mwa_compared_run *b, bool of_arguments,
                                      const char *const *names, char *text)
{
    size_t lengths[2];
    const char *one = program_of(a, &lengths[0]), *other = program_of(b, &lengths[1]);
    char programs[2][128];

    if (lengths[0] == 0 || lengths[1] == 0) {
        return NULL;
    }
    if (of_arguments) {
        return strcmp(one + lengths[0], other + lengths[1]) != 0
                   ? told("arguments", names[0], one, names[1], other, text)
                   : NULL;
    }
    snprintf(programs[0], sizeof programs[0], "%.*s", (int)lengths[0], one);
    snprintf(programs[1], sizeof programs[1], "%.*s", (int)lengths[1], other);
    return strcmp(programs[0], programs[1]) != 0
               ? told("programs", names[0], programs[0], names[1], programs[1], text)
               : NULL;
}

/* "the ranks of B share cores and have none for 85% of their run: …"; null: none do. */
static const char *told_cores(const struct mwa_compared_run *const *runs, const char *const *names,
                              char *text)
{
    struct mwa_line line = { .length = 0 };
    char lack[MWA_LACK_BYTES];

    for (unsigned i = 0; i < 2; i++) {
        const struct mwa_cores *cores = &runs[i]->cores;

        if (cores->lack != MWA_CORES_ENOUGH) {
            mwa_line_add(&line, "%sthe ranks of %s share cores", line.length > 0 ? ", " : "",
                         names[i]);
            if (cores->is_known) {
                mwa_line_add(&line, " and %s", mwa_lack_text(cores, lack));
            }
        } else if (mwa_compared_lacks_cores(runs[i])) {
            mwa_line_add(&line, "%sthe ranks of %s lose %.0f%% of their run for lack of cores",
                         line.length > 0 ? ", " : "", names[i], 100 * cores->all_lost);
        }
    }
    if (line.length == 0) {
        return NULL;
    }
    snprintf(text, MWA_SENTENCE_BYTES, "%.*s: all times are doubtful", MWA_SENTENCE_BYTES - 32,
             line.text);
    return text;
}

/* Of a hybrid program with more threads, what main threads compute less is no work less. */
static const char *told_threads(const struct mwa_compared_run *a, const struct mwa_compared_run *b,
                                const char *const *names, char *text)
{
    const struct mwa_compared_run *most = a->threads_ns > b->threads_ns ? a : b;
    const uint64_t more = most->threads_ns - (most == a ? b : a)->threads_ns;
    const double run = (double)most->pop.ranks * (double)most->pop.runtime_ns;
    char time[2][MWA_UNITS_BYTES];

    if (!a->knows_threads || !b->knows_threads || (double)more < MWA_THREADS_MATTER * run) {
        return NULL;
    }
    snprintf(text, MWA_SENTENCE_BYTES,
             "other threads than the main ones ran for %s in %s, for %s in %s: useful time and "
             "computation scaling are without them",
             mwa_time_text(a->threads_ns, time[0]), names[0],
             mwa_time_text(b->threads_ns, time[1]), names[1]);
    return text;
}

/* What was lost, or came after the record's end, would look like work that was saved. */
static const char *told_partial(const struct mwa_compared_run *const *runs,
                                const char *const *names, char *text)
{
    struct mwa_line line = { .length = 0 };

    for (unsigned i = 0; i < 2; i++) {
        if (!runs[i]->is_partial) {
            continue;
        }
        mwa_line_add(&line, "%sthe record of %s is incomplete", line.length > 0 ? ", " : "",
                     names[i]);
        if (runs[i]->lost_calls > 0) {
            mwa_line_add(&line, " (%" PRIu64 " calls lost)", runs[i]->lost_calls);
        }
    }
    if (line.length == 0) {
        return NULL;
    }
    snprintf(text, MWA_SENTENCE_BYTES, "%.*s: times are of what was kept",
             MWA_SENTENCE_BYTES - 64, line.text);
    return text;
}

static const char *taken(const struct mwa_comparison *comparison)
{
    return comparison->is_weak ? "the work is taken to grow with them"
                               : "the work is taken to be the same (--weak: to grow)";
}

const char *mwa_compared_difference(const struct mwa_comparison *comparison, uint64_t from,
                                    uint64_t to, const char *from_name, const char *to_name,
                                    unsigned index, char *text)
{
    const struct mwa_compared_run *a = &comparison->runs[from], *b = &comparison->runs[to];
    const struct mwa_compared_run *const both[] = { a, b };
    const char *const names[] = { from_name, to_name };

    switch (index) {
    case 0:
    case 1:
        return program_difference(a, b, index == 1, names, text);
    case 2:
        if (a->pop.ranks == b->pop.ranks) {
            return NULL;
        }
        snprintf(text, MWA_SENTENCE_BYTES,
                 "the ranks differ: %s has %" PRIu32 ", %s has %" PRIu32 "; %s", from_name,
                 a->pop.ranks, to_name, b->pop.ranks, taken(comparison));
        return text;
    case 3:
        return differ(a->commit, b->commit)
                   ? told("commits of the program", from_name, a->commit, to_name, b->commit, text)
                   : NULL;
    case 4:
        return differ(a->cpu, b->cpu)
                   ? told("CPUs", from_name, a->cpu, to_name, b->cpu, text)
                   : NULL;
    case 5:
        return differ(a->machines, b->machines)
                   ? told("machines", from_name, a->machines, to_name, b->machines, text)
                   : NULL;
    case 6:
        return differ(a->mpi_library, b->mpi_library)
                   ? told("MPI libraries", from_name, a->mpi_library, to_name, b->mpi_library,
                          text)
                   : NULL;
    case 7:
        return told_threads(a, b, names, text);
    case 8:
        return told_partial(both, names, text);
    default:
        return told_cores(both, names, text);
    }
}

const char *mwa_compared_ranks(const struct mwa_comparison *comparison, uint64_t run, char *text)
{
    const struct mwa_compared_run *runs = comparison->runs;
    struct mwa_line line = { .length = 0 };
    char name[MWA_RUN_NAME_BYTES];

    for (uint64_t i = 1; i < run; i++) {
        if (runs[i].pop.ranks != runs[0].pop.ranks) {
            return NULL;
        }
    }
    if (runs[run].pop.ranks == runs[0].pop.ranks) {
        return NULL;
    }
    mwa_line_add(&line, "the ranks differ: A has %" PRIu32, runs[0].pop.ranks);
    for (uint64_t i = run; i < comparison->added; i++) {
        if (runs[i].pop.ranks != runs[0].pop.ranks) {
            mwa_line_add(&line, ", %s%s %" PRIu32, mwa_run_name(i, name), i == run ? " has" : "",
                         runs[i].pop.ranks);
        }
    }
    mwa_line_add(&line, "; %s", taken(comparison));
    snprintf(text, MWA_SENTENCE_BYTES, "%.*s", MWA_SENTENCE_BYTES - 1, line.text);
    return text;
}
