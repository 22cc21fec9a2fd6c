/*
 * Names become numbers at first use (words.h), so that a record is a head and a
 * number. The thread's open regions are kept also while nothing is recorded: an
 * end has to find its beginning after a resume, and one that has none is counted
 * as misuse.
 */
#include "recorder/api/user.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "recorder/api/saying.h"
#include "recorder/api/words.h"
#include "recorder/include/mpiwatch.h"
#include "recorder/recorder.h"
#include "recorder/variables/pvars.h"

#define COUNTERS_MAX 10000u

/* Begins to say something of text. MPIWATCH_OK; or what is wrong, and there is nothing to end. */
static int begin_saying(struct mwr_saying *saying, const char *text)
{
    if (!text || strnlen(text, MWR_WORD_BYTES_MAX + 1) > MWR_WORD_BYTES_MAX) {
        return MPIWATCH_ERROR_ARGUMENT;
    }
    return mwr_saying_begin(saying) ? MPIWATCH_OK : MPIWATCH_IDLE;
}

static int not_recorded(const struct mwr_saying *saying)
{
    mwr_saying_lost();
    return saying->is_inside ? MPIWATCH_ERROR_INSIDE : MPIWATCH_ERROR_LIMIT;
}

/* Says what needs no more than a head. */
static int say(struct mwr_saying *saying, enum mw_record_type type, uint32_t number)
{
    struct mw_member *member =
        mwr_saying_open(saying, MW_RECORD_USER, type, sizeof *member, number);

    if (!member) {
        return not_recorded(saying);
    }
    mwr_saying_close(saying, member);
    return MPIWATCH_OK;
}

/* --- regions -------------------------------------------------------------------- */

static void define_region(struct mwr_word *word)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_REGION,
        .of.region = {.region = word->number, .name = word->text},
    });
}

/* Added to by any thread: words.c has the lock. */
static struct mwr_words regions = {.define = define_region, .limit = MW_USER_NUMBER_MAX};

/* Begins a region in the thread's list; false without memory. */
static bool push(struct mwr_thread *thread, uint32_t number, bool is_recorded)
{
    if (!mw_array_grow((void **)&thread->regions, thread->region_count,
                       sizeof *thread->regions)) {
        return false;
    }
    thread->regions[thread->region_count++] =
        (struct mwr_open_region){.number = number, .is_recorded = is_recorded};
    return true;
}

static int begin(struct mwr_saying *saying, const char *name)
{
    struct mwr_thread *thread = &mwr_thread;
    struct mwr_word *word = saying->stream ? mwr_words_add(&regions, name, 0) : NULL;
    int result = MPIWATCH_IDLE;

    if (saying->is_inside || !word) {
        return not_recorded(saying);
    }
    if (saying->is_recording) {
        result = say(saying, MW_MEMBER_REGION_BEGIN, word->number);
    }
    if (!push(thread, word->number, result == MPIWATCH_OK) && result == MPIWATCH_OK) {
        (void)say(saying, MW_MEMBER_REGION_END, word->number);
        result = not_recorded(saying);
    }
    return result;
}

int mwr_region_begin(const char *name)
{
    struct mwr_saying saying;
    int result = begin_saying(&saying, name);

    if (result == MPIWATCH_OK) {
        result = begin(&saying, name);
        mwr_saying_end(&saying);
    }
    return result;
}

/* How many of the thread's regions are open up to the innermost called number, 0: none is. */
static uint32_t depth_of(const struct mwr_thread *thread, uint32_t number)
{
    uint32_t depth = thread->region_count;

    while (depth > 0 && thread->regions[depth - 1].number != number) {
        depth--;
    }
    return depth;
}

static int end(struct mwr_saying *saying, const char *name)
{
    struct mwr_thread *thread = &mwr_thread;
    const struct mwr_word *word = mwr_words_find(&regions, name);
    uint32_t depth = word ? depth_of(thread, word->number) : 0;
    uint32_t inside;
    int result = MPIWATCH_IDLE;

    if (saying->is_inside) {
        return not_recorded(saying);
    }
    if (depth == 0) {
        mwr_saying_unbalanced(1);
        return MPIWATCH_ERROR_UNBALANCED;
    }
    inside = thread->region_count - depth;
    while (thread->region_count >= depth) {
        const struct mwr_open_region *open = &thread->regions[--thread->region_count];

        if (open->is_recorded) {
            result = say(saying, MW_MEMBER_REGION_END, open->number);
        }
    }
    mwr_saying_unbalanced(inside);
    return inside > 0 ? MPIWATCH_ERROR_UNBALANCED : result;
}

int mwr_region_end(const char *name)
{
    struct mwr_saying saying;
    int result = begin_saying(&saying, name);

    if (result == MPIWATCH_OK) {
        result = end(&saying, name);
        mwr_saying_end(&saying);
    }
    return result;
}

void mwr_regions_leave(void)
{
    struct mwr_thread *thread = &mwr_thread;

    mwr_saying_unbalanced(thread->region_count);
    free(thread->regions);
    thread->regions = NULL;
    thread->region_count = 0;
}

/* --- texts ------------------------------------------------------------------------ */

static void define_text(struct mwr_word *word)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_TEXT,
        .of.text = {.text = word->number, .value = word->text},
    });
}

/* As regions. */
static struct mwr_words texts = {.define = define_text, .limit = MW_USER_NUMBER_MAX};

uint32_t mwr_text_number(const char *text)
{
    const struct mwr_word *word = mwr_words_add(&texts, text, 0);

    return word ? word->number : MWR_WORD_NONE;
}

static int mark(struct mwr_saying *saying, const char *text)
{
    uint32_t number;

    if (!saying->is_recording) {
        return MPIWATCH_IDLE;
    }
    number = mwr_text_number(text);
    return number == MWR_WORD_NONE ? not_recorded(saying)
                                   : say(saying, MW_MEMBER_MARKER, number);
}

int mwr_marker(const char *text)
{
    struct mwr_saying saying;
    int result = begin_saying(&saying, text);

    if (result == MPIWATCH_OK) {
        result = mark(&saying, text);
        mwr_saying_end(&saying);
    }
    return result;
}

/* --- counters --------------------------------------------------------------------- */

enum counter_kind { COUNTER_SET, COUNTER_SET_DOUBLE, COUNTER_ADD };

/* Counters are metrics, whose numbers they share with the MPI's variables. */
static void define_counter(struct mwr_word *word)
{
    bool is_sum = word->kind == COUNTER_ADD;
    struct mw_define_metric metric = {
        .name = word->text,
        .declared = is_sum ? MW_CLASS_COUNTER : MW_CLASS_GENERIC,
        .effective = is_sum ? MW_CLASS_COUNTER : MW_CLASS_GENERIC,
        .type = word->kind == COUNTER_SET_DOUBLE ? MW_METRIC_DOUBLE : MW_METRIC_INT64,
        .bits = 64,
        .bind = "PROGRAM",
        .verbosity = 1,
        .form = MW_METRIC_LIST,
        .count = 1,
        .elements = 1,
        .unit = "#",
        .description = "counter of the program",
        .items = "",
    };

    word->number = mwr_metric_define_own(&metric);
}

/* As regions; values with atomics. */
static struct mwr_words counters = {.define = define_counter, .limit = COUNTERS_MAX};

static int write_counter(struct mwr_saying *saying, const struct mwr_word *word, uint64_t bits)
{
    struct mw_metric_member *member =
        word->number == UINT32_MAX
            ? NULL
            : mwr_saying_open(saying, MW_RECORD_SAMPLE, MW_MEMBER_METRIC,
                              sizeof *member + sizeof member->values[0], MW_COMM_NONE);

    if (!member) {
        return not_recorded(saying);
    }
    member->metric = word->number;
    member->flags = 0;
    member->type = word->kind == COUNTER_SET_DOUBLE ? MW_METRIC_DOUBLE : MW_METRIC_INT64;
    member->form = MW_METRIC_LIST;
    member->count = 1;
    member->values[0] = bits;
    mwr_saying_close(saying, member);
    return MPIWATCH_OK;
}

/* The new sum. (GCC 12.2 makes twice the old one of __atomic_add_fetch with a variable here.) */
static uint64_t add_to(struct mwr_word *word, uint64_t more)
{
    uint64_t sum = __atomic_load_n(&word->value, __ATOMIC_RELAXED);

    while (!__atomic_compare_exchange_n(&word->value, &sum, sum + more, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
        continue;
    }
    return sum + more;
}

/* A sum goes on while recording is paused: the next value told is right. */
static int count(struct mwr_saying *saying, const char *name, enum counter_kind kind,
                 uint64_t bits)
{
    struct mwr_word *word = mwr_words_add(&counters, name, kind);

    if (!word) {
        return not_recorded(saying);
    }
    if (word->kind != kind) {
        return MPIWATCH_ERROR_ARGUMENT;
    }
    if (kind == COUNTER_ADD) {
        bits = add_to(word, bits);
    }
    return saying->is_recording ? write_counter(saying, word, bits) : MPIWATCH_IDLE;
}

static int count_named(const char *name, enum counter_kind kind, uint64_t bits)
{
    struct mwr_saying saying;
    int result = begin_saying(&saying, name);

    if (result == MPIWATCH_OK) {
        result = count(&saying, name, kind, bits);
        mwr_saying_end(&saying);
    }
    return result;
}

int mwr_counter_set(const char *name, long long value)
{
    return count_named(name, COUNTER_SET, (uint64_t)value);
}

int mwr_counter_set_double(const char *name, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return count_named(name, COUNTER_SET_DOUBLE, bits);
}

int mwr_counter_add(const char *name, long long value)
{
    return count_named(name, COUNTER_ADD, (uint64_t)value);
}
