/*
 * Two runs that are worth comparing are often of two versions of a program, in which lines have
 * other numbers: what is compared are the calls of a function, one after the other.
 */
#include "analyzer/report/compare_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/places.h"
#include "analyzer/report/compare_words.h"
#include "formats/base/order.h"

#define NAME_BYTES (MWA_CALL_AT_BYTES + MWA_RUN_NAME_BYTES + 32)

/* A line of the run being added, or of those before it. */
struct known {
    const char *call;
    const char *file;     /* without its directory */
    const char *function; /* without a number: all that is known of the place */
    uint32_t line;        /* the latest that is known; 0: none */
    const char *wrapper;      /* which the line calls, and which calls MPI; "": it does itself … */
    const char *wrapper_file; /* … */
    uint32_t wrapper_line;    /* … and likewise */
    uint64_t index;       /* in comparison->lines, or among the run's places */
};

/* What tells lines apart but for their numbers. */
static int by_function(const struct known *a, const struct known *b)
{
    return strcmp(a->call, b->call) ?: strcmp(a->file, b->file) ?:
           strcmp(a->function, b->function);
}

static int by_line(const void *left, const void *right)
{
    const struct known *a = left, *b = right;

    return by_function(a, b) ?: mw_order(a->line, b->line) ?: strcmp(a->wrapper, b->wrapper)
               ?: strcmp(a->wrapper_file, b->wrapper_file)
               ?: mw_order(a->wrapper_line, b->wrapper_line)
               ?: mw_order(a->index, b->index);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void sort(struct known *list, uint64_t count)
{
    if (count > 0) {
        qsort(list, count, sizeof *list, by_line);
    }
}

/* The lines of the runs before, sorted; null: no memory. */
static struct known *old_lines(const struct mwa_comparison *comparison)
{
    const uint64_t count = comparison->lines.count;
    struct known *list = malloc((count + 1) * sizeof *list);

    for (uint64_t i = 0; list && i < count; i++) {
        const struct mwa_compared_time *time = &comparison->lines.list[i];

        list[i] = (struct known){ .call = time->call,
                                  .file = time->file,
                                  .function = time->function,
                                  .wrapper = time->wrapper ? time->wrapper : "",
                                  .wrapper_file = time->wrapper ? time->wrapper_file : "",
                                  .index = i };
        for (uint64_t run = 0; run < comparison->added; run++) {
            if (time->numbers[run] != MWA_NONE) {
                list[i].line = time->numbers[run];
            }
            if (time->wrapper && time->wrapper_numbers[run] != MWA_NONE) {
                list[i].wrapper_line = time->wrapper_numbers[run];
            }
        }
    }
    if (list) {
        sort(list, count);
    }
    return list;
}

/* Whether a wrapper makes the call, and it is told who calls that. */
static bool is_by_wrapper(const struct mwa_site *site)
{
    return !mwa_site_is_by_library(site) && site->led_by;
}

/* What is compared: a library's own place, and of a wrapper the caller's; the function is not told
 * where its text says as much. */
static struct mwa_spot own_spot(const struct mwa_site *site)
{
    if (is_by_wrapper(site)) {
        return mwa_site_spot(site);
    }
    return (struct mwa_spot){ site->file, site->line > 0 ? site->function : "", site->line };
}

/* The places of a run, sorted, *count of them; texts has room for each. Null: no memory. */
static struct known *new_lines(const struct mwa_results *results, char (*texts)[MWA_PLACE_BYTES],
                               uint64_t *count)
{
    const struct mwa_site_profile *profile = &results->sites;
    const struct mwa_trace *trace = results->trace;
    struct known *list = malloc((profile->place_count + 1) * sizeof *list);

    *count = 0;
    for (uint64_t i = 0; list && i < profile->place_count; i++) {
        const uint32_t index = profile->places[i].sum.site;
        const struct mwa_site *site = &trace->sites[index];
        const struct mwa_region *call = &trace->regions[site->region];
        const struct mwa_spot spot = own_spot(site);
        const char *place = mwa_source_place(trace, index, texts[i]);

        if (call->kind == MWA_REGION_MPI && place) {
            list[(*count)++] = (struct known){
                .call = call->name,
                .file = spot.line ? base_name(spot.file) : "",
                .function = *spot.function ? spot.function : place,
                .line = spot.line,
                .wrapper = is_by_wrapper(site) ? site->function : "",
                .wrapper_file = is_by_wrapper(site) ? base_name(site->file) : "",
                .wrapper_line = is_by_wrapper(site) ? site->line : 0,
                .index = i
            };
        }
    }
    if (list) {
        sort(list, *count);
    }
    return list;
}

/* By run; null: no memory. */
static uint32_t *no_numbers(const struct mwa_comparison *comparison)
{
    uint32_t *numbers = malloc((comparison->run_count + 1) * sizeof *numbers);

    for (uint64_t run = 0; numbers && run < comparison->run_count; run++) {
        numbers[run] = MWA_NONE;
    }
    return numbers;
}

static struct mwa_compared_time *add_line(struct mwa_comparison *comparison,
                                          const struct known *known)
{
    struct mwa_compared_time *time = mwa_compared_time_add(&comparison->lines, "",
                                                           comparison->run_count);

    if (!time) {
        return NULL;
    }
    time->call = strdup(known->call);
    time->file = strdup(known->file);
    time->function = strdup(known->function);
    time->numbers = no_numbers(comparison);
    if (!time->call || !time->file || !time->function || !time->numbers) {
        return NULL;
    }
    if (*known->wrapper) {
        time->wrapper = strdup(known->wrapper);
        time->wrapper_file = strdup(known->wrapper_file);
        time->wrapper_numbers = no_numbers(comparison);
        return time->wrapper && time->wrapper_file && time->wrapper_numbers ? time : NULL;
    }
    return time;
}

static uint64_t waiting_at(const struct mwa_waits *waits, uint32_t place)
{
    uint64_t ns = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && waits->rows[i].place_ns) {
            ns += waits->rows[i].place_ns[place];
        }
    }
    return ns;
}

/* Whose code leads to a place in a library, if the run tells. False without memory. */
static bool take_caller(struct mwa_compared_time *time, const struct mwa_results *results,
                        uint32_t place)
{
    char text[MWA_PLACE_BYTES];

    if (mwa_led_by(results->trace, &results->sites, place).frame) {
        free(time->called_from);
        time->called_from = strdup(mwa_distinct_place(results, place, text));
        return time->called_from != NULL;
    }
    return true;
}

/* Takes a line of the run in, as the one at index; MWA_MAP_ABSENT: none had it before. */
static enum mw_status take(struct mwa_comparison *comparison, const struct mwa_results *results,
                           const struct known *known, uint64_t index)
{
    const struct mwa_site_row *row = &results->sites.places[known->index].sum;
    const uint64_t run = comparison->added;
    struct mwa_compared_time *time = index == MWA_MAP_ABSENT ? add_line(comparison, known)
                                                             : &comparison->lines.list[index];

    if (!time || !take_caller(time, results, row->site)) {
        return MW_ERROR_MEMORY;
    }
    time->is_in_run = true;
    time->numbers[run] = known->line ? known->line : MWA_NONE;
    if (time->wrapper && *known->wrapper) {
        time->wrapper_numbers[run] = known->wrapper_line ? known->wrapper_line : MWA_NONE;
    }
    time->per_rank_ns[run] = mwa_compared_per_rank(row->time_ns, results);
    time->waiting_ns[run] = mwa_compared_per_rank(waiting_at(&results->waits, row->site), results);
    time->counts[run] = row->count;
    return MW_OK;
}

static uint64_t same_function(const struct known *list, uint64_t count)
{
    uint64_t same = 0;

    while (same < count && by_function(list, list + same) == 0) {
        same++;
    }
    return same;
}

/* Lines of one function: one by one if they are as many, else by number. */
static enum mw_status take_function(struct mwa_comparison *comparison,
                                    const struct mwa_results *results, const struct known *old,
                                    uint64_t old_count, const struct known *new,
                                    uint64_t new_count)
{
    enum mw_status status = MW_OK;
    uint64_t k = 0;

    for (uint64_t i = 0; i < new_count && status == MW_OK; i++) {
        uint64_t index = MWA_MAP_ABSENT;

        while (old_count != new_count && k < old_count && old[k].line < new[i].line) {
            k++;
        }
        if (k < old_count && (old_count == new_count || old[k].line == new[i].line)) {
            index = old[k++].index;
        }
        status = take(comparison, results, &new[i], index);
    }
    return status;
}

enum mw_status mwa_compared_lines_add(struct mwa_comparison *comparison,
                                      const struct mwa_results *results)
{
    char (*texts)[MWA_PLACE_BYTES] = calloc(results->sites.place_count + 1, sizeof *texts);
    struct known *old = old_lines(comparison);
    uint64_t count = 0, at = 0, old_count = comparison->lines.count;
    struct known *new = texts ? new_lines(results, texts, &count) : NULL;
    enum mw_status status = old && new ? MW_OK : MW_ERROR_MEMORY;

    comparison->knows_lines = results->trace->has_sites &&
                              (comparison->added == 0 || comparison->knows_lines);
    for (uint64_t i = 0; i < count && status == MW_OK;) {
        const uint64_t same = same_function(&new[i], count - i);
        uint64_t olds;

        while (at < old_count && by_function(&old[at], &new[i]) < 0) {
            at++;
        }
        olds = at < old_count && by_function(&old[at], &new[i]) == 0
                   ? same_function(&old[at], old_count - at)
                   : 0;
        status = take_function(comparison, results, &old[at], olds, &new[i], same);
        at += olds;
        i += same;
    }
    free(old);
    free(new);
    free(texts);
    return status;
}

const char *mwa_compared_line(const struct mwa_compared_time *line, uint64_t run, char *text)
{
    uint32_t number = line->numbers[run];

    for (uint64_t i = 0; i < line->run_count && number == MWA_NONE; i++) {
        number = line->numbers[i];
    }
    if (number == MWA_NONE) {
        snprintf(text, MWA_PLACE_BYTES, "%s",
                 line->called_from ? line->called_from : line->function);
    } else {
        snprintf(text, MWA_PLACE_BYTES, "%.*s:%" PRIu32, MWA_PLACE_BYTES - 12, line->file, number);
    }
    return text;
}

static int by_name(const void *one, const void *other)
{
    const struct mwa_compared_time *a = *(struct mwa_compared_time *const *)one;
    const struct mwa_compared_time *b = *(struct mwa_compared_time *const *)other;

    return strcmp(a->name, b->name);
}

/* "MPI_Send, solve.c:31 via wrap.c:20" of a line whose name another one has, too. */
static enum mw_status tell_wrapper(struct mwa_compared_time *line)
{
    char *name = NULL;
    uint32_t number = MWA_NONE;

    for (uint64_t run = 0; run < line->run_count && number == MWA_NONE; run++) {
        number = line->wrapper_numbers[run];
    }
    if ((number != MWA_NONE
             ? asprintf(&name, "%s" MWA_VIA "%.60s:%" PRIu32, line->name, line->wrapper_file,
                        number)
             : asprintf(&name, "%s" MWA_VIA "%.60s", line->name, line->wrapper)) < 0) {
        return MW_ERROR_MEMORY;
    }
    free(line->name);
    line->name = name;
    return MW_OK;
}

/* Tells lines apart that call two wrappers, or one that makes the call twice. */
static enum mw_status tell_apart(struct mwa_compared_times *lines)
{
    struct mwa_compared_time **sorted = malloc((lines->count + 1) * sizeof *sorted);
    enum mw_status status = sorted ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; sorted && i < lines->count; i++) {
        sorted[i] = &lines->list[i];
    }
    if (sorted) {
        qsort(sorted, lines->count, sizeof *sorted, by_name);
    }
    for (uint64_t i = 0, end; status == MW_OK && i < lines->count; i = end) {
        for (end = i + 1; end < lines->count && by_name(&sorted[i], &sorted[end]) == 0;) {
            end++;
        }
        for (uint64_t k = i; k < end && end - i > 1 && status == MW_OK; k++) {
            status = sorted[k]->wrapper ? tell_wrapper(sorted[k]) : MW_OK;
        }
    }
    free(sorted);
    return status;
}

enum mw_status mwa_compared_lines_name(struct mwa_comparison *comparison)
{
    for (uint64_t i = 0; i < comparison->lines.count; i++) {
        struct mwa_compared_time *line = &comparison->lines.list[i];
        char place[MWA_PLACE_BYTES], run_name[MWA_RUN_NAME_BYTES], name[NAME_BYTES];
        uint32_t first = MWA_NONE;
        int length = snprintf(name, sizeof name, "%.40s, %s", line->call,
                              mwa_compared_line(line, 0, place));

        for (uint64_t run = 0; run < line->run_count; run++) {
            first = first == MWA_NONE ? line->numbers[run] : first;
            if (line->numbers[run] != MWA_NONE && line->numbers[run] != first) {
                snprintf(name + length, sizeof name - (size_t)length, " (%" PRIu32 " in %s)",
                         line->numbers[run], mwa_run_name(run, run_name));
                break;
            }
        }
        free(line->name);
        line->name = strdup(name);
        if (!line->name) {
            return MW_ERROR_MEMORY;
        }
    }
    return tell_apart(&comparison->lines);
}
