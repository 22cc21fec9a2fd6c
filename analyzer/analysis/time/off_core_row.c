/*
 * What samples tell of a rank. How long writing takes they do not: that is told of how much was
 * written, and by which calls.
 */
#include "analyzer/analysis/time/off_core.h"

#define PIECE_BYTES 32768u /* of one write, on average: those of stdio are 4 KiB, of others 8 */

static uint64_t smaller(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/*
 * What is handed to write(2) in small pieces is what stdio and its like have made text of; large
 * ones may be copied as they are. Where most of what was written is not to files (messages by
 * sockets are not), it is not known of these how large they were.
 */
static bool is_text(const uint64_t *values)
{
    const uint64_t calls = values[MW_RUNNING_WRITES];

    return calls > 0 && values[MW_RUNNING_CHARS] / calls <= PIECE_BYTES &&
           values[MW_RUNNING_CHARS] / 2 <= values[MW_RUNNING_WRITTEN];
}

/* Of what was written, what nobody handed to write(2): pages that were mapped, or of which only a
 * part was written. */
static uint64_t not_handed_over(const uint64_t *values)
{
    const uint64_t written = values[MW_RUNNING_WRITTEN];
    const uint64_t chars = values[MW_RUNNING_CHARS];

    return written > chars ? written - chars : 0;
}

/* How long it took if what was handed over was made text of, and the rest copied: 1 ns a byte. */
static uint64_t made_text_ns(const uint64_t *values, uint64_t text_ns)
{
    const uint64_t written = values[MW_RUNNING_WRITTEN];
    const uint64_t rest = not_handed_over(values);
    const double part = written > 0 ? (double)rest / (double)written : 0;
    const uint64_t rest_ns = (uint64_t)((double)text_ns * part);

    return text_ns - rest_ns + smaller(rest, rest_ns);
}

/* How long that took, about, if it was made text of before each write; else at least, at 1 ns a
 * byte, … */
static uint64_t writing_ns(const uint64_t *values)
{
    return is_text(values) ? made_text_ns(values, values[MW_RUNNING_WRITING])
                           : smaller(values[MW_RUNNING_WRITTEN], values[MW_RUNNING_WRITING]);
}

/* … and at most, if it was made text of anywhere before. */
static uint64_t writing_most_ns(const uint64_t *values)
{
    return made_text_ns(values, is_text(values) ? values[MW_RUNNING_WRITING]
                                                : MW_WRITING_NS * values[MW_RUNNING_WRITTEN]);
}

void mwa_off_core_tell(const struct mwa_off_core_sums *sums, struct mwa_rank_row *row)
{
    const uint64_t *values = sums->values;
    struct mwa_rank_running *running = &row->running;

    *running = (struct mwa_rank_running){
        .is_known = true,
        .outside_ns = smaller(values[MW_RUNNING_OUTSIDE], row->outside_ns),
        .inside_ns = smaller(values[MW_RUNNING_INSIDE], row->run_ns - row->outside_ns),
        .voluntary = values[MW_RUNNING_VOLUNTARY],
        .involuntary = values[MW_RUNNING_INVOLUNTARY],
        .minor_faults = values[MW_RUNNING_MINOR_FAULTS],
        .major_faults = values[MW_RUNNING_MAJOR_FAULTS],
        .resident = values[MW_RUNNING_RESIDENT],
        .tells_threads = sums->tells_threads,
        .threads_ns = values[MW_RUNNING_THREADS],
        .tells_written = sums->tells_written,
        .written = values[MW_RUNNING_WRITTEN],
        .is_text = is_text(values),
        .writing_before = sums->writing_before,
        .written_before = sums->written_before,
        .write_bytes = values[MW_RUNNING_CHARS],
        .write_calls = values[MW_RUNNING_WRITES],
        .tells_system = sums->tells_system,
        .system_ns = smaller(values[MW_RUNNING_SYSTEM],
                             row->outside_ns - smaller(values[MW_RUNNING_OUTSIDE],
                                                       row->outside_ns)),
        .system_before = sums->system_before,
        .system_before_ns = sums->system_before_ns,
        .faulting_ns = sums->faulting_ns,
        .tells_read = sums->tells_read,
        .read = values[MW_RUNNING_READ],
        .reading_before = sums->reading_before,
        .read_before = sums->read_before,
        .before = sums->before,
        .before_ns = sums->before_ns,
        .asleep_before = sums->asleep_before,
        .asleep_before_ns = sums->asleep_before_ns,
        .polled_before = sums->polled_before,
        .asleep_polling_ns = sums->asleep_polling_ns
    };
    running->outside_no_core_ns = smaller(values[MW_RUNNING_OUTSIDE_NO_CORE],
                                          running->outside_ns);
    running->inside_no_core_ns = smaller(values[MW_RUNNING_INSIDE_NO_CORE], running->inside_ns);
    row->useful_ns = row->outside_ns - running->outside_ns;
    running->writing_ns = smaller(writing_ns(values), row->useful_ns); /* it takes a core */
    running->writing_most_ns = smaller(writing_most_ns(values), row->useful_ns);
    running->reading_ns = smaller(values[MW_RUNNING_READING], row->useful_ns);
}
