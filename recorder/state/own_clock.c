#include "recorder/state/own_clock.h"

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "formats/spool/spool_writer.h"
#include "recorder/state/thread.h"

#ifdef MWR_HAS_TICKS
#include <cpuid.h>
#endif

/* The thread's alone, as mwr_thread is. */
__thread struct mwr_clock_line mwr_clock_line;

static uint64_t monotonic(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#ifdef MWR_HAS_TICKS

/* So long the process reads CLOCK_MONOTONIC, to find the counter's rate to 2 in a million. */
#define LEARNING_NS 20000000u
#define TRIES 5
#define REFUSALS_MAX 100u

/* The thread's alone, too. */
static __thread uint64_t floor_time; /* nothing before it: it has been told */
static __thread uint32_t refusals;   /* points in a row that took too long */

/* Written by mwr_clock_start, before there are other threads. */
static struct mwr_clock_point origin;

/* ns a tick times MWR_CLOCK_SLOPE; 0: not known. Set once, by the thread that is first to know. */
static uint64_t process_slope;
/* Whether the counter may be used; cleared by a thread that finds that it may not. */
static bool is_trusted;

/* Whether the kernel's own time comes from the counter. */
static bool is_kernels_clock(void)
{
    char name[16] = "";
    int descriptor = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);

    if (descriptor < 0) {
        return false;
    }
    if (read(descriptor, name, sizeof name - 1) < 0) {
        name[0] = '\0';
    }
    close(descriptor);
    return strcmp(name, "tsc\n") == 0;
}

/* Whether it runs at one rate whatever the processor does (AMD64 manual 3, CPUID 8000_0007h). */
static bool is_invariant(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d >> 8 & 1);
}

static bool may_be_read(void)
{
    int mode = 0;

    return prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_ENABLE;
}

/* Both clocks, read at once: the first reading of at most width ticks, or the best of some. */
static struct mwr_clock_point read_both(uint64_t width_enough)
{
    struct mwr_clock_point best = {.width = UINT64_MAX};

    for (int i = 0; i < TRIES && best.width > width_enough; i++) {
        uint64_t before = mwr_ticks();
        uint64_t time = monotonic();
        uint64_t width = mwr_ticks() - before;

        if (width < best.width) {
            best = (struct mwr_clock_point){before + width / 2, time, width};
        }
    }
    return best;
}

void mwr_clock_start(bool may_count)
{
    if (may_count && is_kernels_clock() && is_invariant() && may_be_read()) {
        origin = read_both(0);
        __atomic_store_n(&is_trusted, true, __ATOMIC_RELEASE);
    }
}

/* Tells the thread's stream how its times were found. */
static void tell(const struct mwr_clock_line *line, bool is_given_up)
{
    struct mwr_stream *stream = mwr_thread.stream;

    if (stream && !stream->closed && !mwr_thread.is_gone) {
        mw_spool_tell_clock(&stream->spool, line->points, line->error, is_given_up);
    }
}

/* The process's rate, once two points far enough apart tell it; 0: too early. */
static uint64_t slope_by(const struct mwr_clock_point *point)
{
    uint64_t slope = __atomic_load_n(&process_slope, __ATOMIC_ACQUIRE);
    uint64_t found;

    if (slope > 0 || point->tick <= origin.tick || point->time < origin.time + LEARNING_NS) {
        return slope;
    }
    found = (uint64_t)((double)(point->time - origin.time) /
                       (double)(point->tick - origin.tick) * MWR_CLOCK_SLOPE);
    return __atomic_compare_exchange_n(&process_slope, &slope, found, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE)
               ? found
               : slope;
}

/* CLOCK_MONOTONIC from here on. */
static void give_up(struct mwr_clock_line *line)
{
    __atomic_store_n(&is_trusted, false, __ATOMIC_RELEASE);
    line->ticks = 0;
    tell(line, true);
}

/*
 * Both clocks; false: something was in between each time. A processor that runs at half of its
 * rate takes twice as many ticks.
 */
static bool find_point(struct mwr_clock_point *point)
{
    *point = read_both(origin.width + origin.width / 2);
    if (point->width <= 4 * origin.width) {
        refusals = 0;
        return true;
    }
    refusals++;
    return false;
}

/* Begins the thread's line, or lays it anew: true if it tells the time. */
static bool follow(struct mwr_clock_line *line)
{
    struct mwr_clock_point point;
    uint64_t slope;
    bool goes_together = true;

    if (!find_point(&point)) {
        goes_together = refusals < REFUSALS_MAX;
        goto out;
    }
    slope = slope_by(&point);
    if (line->ticks > 0) {
        goes_together = mwr_clock_line_move(line, &point);
    } else if (slope > 0) {
        mwr_clock_line_begin(line, &point, (double)slope / MWR_CLOCK_SLOPE);
    }
out:
    if (!goes_together) {
        give_up(line);
    } else if (line->ticks > 0) {
        tell(line, false);
    }
    return line->ticks > 0 && refusals == 0;
}

/* Whether it is time to look whether the counter's rate is known. */
static bool is_time_to_learn(uint64_t now)
{
    return __atomic_load_n(&process_slope, __ATOMIC_RELAXED) > 0 ||
           now >= origin.time + LEARNING_NS;
}

/* time, or the latest that the thread has told. */
static uint64_t not_before_last(uint64_t time)
{
    floor_time = time > floor_time ? time : floor_time;
    return floor_time;
}

uint64_t mwr_clock_slowly(void)
{
    struct mwr_clock_line *line = &mwr_clock_line;
    bool may_count = __atomic_load_n(&is_trusted, __ATOMIC_ACQUIRE);
    uint64_t now;

    if (line->ticks > 0) {
        (void)not_before_last(mwr_clock_line_told(line, mwr_ticks()));
        if (!may_count) {
            give_up(line);
        }
    }
    now = monotonic();
    if (!may_count || !is_time_to_learn(now)) {
        return not_before_last(now);
    }
    return not_before_last(follow(line) ? mwr_clock_line_told(line, mwr_ticks()) : monotonic());
}

#else

void mwr_clock_start(bool may_count)
{
    (void)may_count;
}

uint64_t mwr_clock_slowly(void)
{
    return monotonic();
}

#endif
