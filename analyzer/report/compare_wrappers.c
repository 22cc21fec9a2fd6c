/*
 * A baseline is often older than the run, or was recorded otherwise: without this each line that
 * calls a wrapper would be new, and the wrapper's own gone, whatever either run did.
 */
#include "analyzer/report/compare_wrappers.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/* Whose own line may be compared: what makes the call, or the wrapper that does for a line. */
static const char *own_file(const struct mwa_compared_time *line)
{
    return line->wrapper ? line->wrapper_file : line->file;
}

static const char *own_function(const struct mwa_compared_time *line)
{
    return line->wrapper ? line->wrapper : line->function;
}

static int by_own(const void *one, const void *other)
{
    const struct mwa_compared_time *a = *(struct mwa_compared_time *const *)one;
    const struct mwa_compared_time *b = *(struct mwa_compared_time *const *)other;

    return strcmp(a->call, b->call) ?: strcmp(own_file(a), own_file(b))
               ?: strcmp(own_function(a), own_function(b))
               ?: mw_order(a->wrapper != NULL, b->wrapper != NULL)
               ?: mw_order((uintptr_t)a, (uintptr_t)b);
}

static bool are_of_one(const struct mwa_compared_time *a, const struct mwa_compared_time *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(own_file(a), own_file(b)) == 0 &&
           strcmp(own_function(a), own_function(b)) == 0;
}

/* Whether one of the lines calls a wrapper in the run (or, not is_wrapped, calls MPI). */
static bool is_in_run(struct mwa_compared_time *const *lines, uint64_t count, uint64_t run,
                      bool is_wrapped)
{
    for (uint64_t i = 0; i < count; i++) {
        if ((lines[i]->wrapper != NULL) == is_wrapped && lines[i]->counts[run] > 0) {
            return true;
        }
    }
    return false;
}

/* Whether a run has the wrapper's own lines alone, and another one those that call it. */
static bool differ(struct mwa_compared_time *const *lines, uint64_t count)
{
    bool has_own = false, has_callers = false;

    for (uint64_t run = 0; run < lines[0]->run_count; run++) {
        const bool is_called = is_in_run(lines, count, run, true);

        has_callers |= is_called;
        has_own |= !is_called && is_in_run(lines, count, run, false);
    }
    return has_own && has_callers;
}

/* Whether the wrapper makes the call in all runs that have the line. */
static bool is_by_wrapper(const struct mwa_compared_time *line)
{
    for (uint64_t run = 0; run < line->run_count; run++) {
        if (line->counts[run] > 0 && line->numbers[run] != MWA_NONE &&
            line->wrapper_numbers[run] == MWA_NONE) {
            return false;
        }
    }
    return true;
}

/* Makes the line that of its wrapper. */
static void leave_caller(struct mwa_compared_time *line)
{
    free(line->file);
    free(line->function);
    free(line->numbers);
    free(line->called_from);
    line->file = line->wrapper_file;
    line->function = line->wrapper;
    line->numbers = line->wrapper_numbers;
    line->called_from = line->wrapper = line->wrapper_file = NULL;
    line->wrapper_numbers = NULL;
}

static uint32_t number_of(const struct mwa_compared_time *line)
{
    for (uint64_t run = 0; run < line->run_count; run++) {
        if (line->numbers[run] != MWA_NONE) {
            return line->numbers[run];
        }
    }
    return MWA_NONE;
}

/* Of one function, whether they have the same number; where it has one call no number is asked. */
static bool are_one_line(const struct mwa_compared_time *a, const struct mwa_compared_time *b,
                         bool has_one)
{
    return has_one || number_of(a) == number_of(b);
}

/* Whether the function makes the call in one line, in each run. */
static bool has_one_line(struct mwa_compared_time *const *lines, uint64_t count)
{
    for (uint64_t run = 0; run < lines[0]->run_count; run++) {
        uint32_t number = MWA_NONE;

        for (uint64_t i = 0; i < count; i++) {
            const uint32_t *numbers = lines[i]->wrapper ? lines[i]->wrapper_numbers
                                                        : lines[i]->numbers;

            if (numbers[run] != MWA_NONE && number != MWA_NONE && numbers[run] != number) {
                return false;
            }
            number = numbers[run] != MWA_NONE ? numbers[run] : number;
        }
    }
    return true;
}

/* Adds a line to another one, and leaves no call of it. */
static void add_to(struct mwa_compared_time *to, struct mwa_compared_time *line)
{
    for (uint64_t run = 0; run < line->run_count; run++) {
        to->per_rank_ns[run] += line->per_rank_ns[run];
        to->waiting_ns[run] += line->waiting_ns[run];
        to->counts[run] += line->counts[run];
        to->numbers[run] = to->numbers[run] != MWA_NONE ? to->numbers[run] : line->numbers[run];
        line->per_rank_ns[run] = line->waiting_ns[run] = line->counts[run] = 0;
    }
    to->is_in_run |= line->is_in_run;
}

static bool is_empty(const struct mwa_compared_time *line)
{
    uint64_t calls = 0;

    for (uint64_t run = 0; run < line->run_count; run++) {
        calls += line->counts[run];
    }
    return calls == 0;
}

/* Of one function; the first ones call MPI themselves. */
static void join(struct mwa_compared_time *const *lines, uint64_t count)
{
    const bool has_one = has_one_line(lines, count);

    for (uint64_t i = 0; i < count; i++) {
        if (!lines[i]->wrapper || !is_by_wrapper(lines[i])) {
            continue;
        }
        leave_caller(lines[i]);
        for (uint64_t k = 0; k < i; k++) {
            if (!lines[k]->wrapper && !is_empty(lines[k]) &&
                are_one_line(lines[k], lines[i], has_one)) {
                add_to(lines[k], lines[i]);
                break;
            }
        }
    }
}

static void remove_empty(struct mwa_compared_times *lines)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < lines->count; i++) {
        if (is_empty(&lines->list[i])) {
            mwa_compared_time_fini(&lines->list[i]);
        } else {
            lines->list[kept++] = lines->list[i];
        }
    }
    lines->count = kept;
}

enum mw_status mwa_compared_wrappers_join(struct mwa_comparison *comparison)
{
    struct mwa_compared_times *lines = &comparison->lines;
    struct mwa_compared_time **sorted = malloc((lines->count + 1) * sizeof *sorted);

    if (!sorted) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < lines->count; i++) {
        sorted[i] = &lines->list[i];
    }
    qsort(sorted, lines->count, sizeof *sorted, by_own);
    for (uint64_t i = 0, end; i < lines->count; i = end) {
        for (end = i + 1; end < lines->count && are_of_one(sorted[i], sorted[end]);) {
            end++;
        }
        if (differ(&sorted[i], end - i)) {
            join(&sorted[i], end - i);
        }
    }
    free(sorted);
    remove_empty(lines);
    return MW_OK;
}
