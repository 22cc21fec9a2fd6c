/*
 * Products of ticks and slopes fit in 64 bits for 2^26 ticks, so that the hot path has one
 * multiplication; what is done every 10 ms takes doubles.
 */
#include "recorder/state/clock_line.h"

#define DRIFT_MAX 50e-6

static void lay(struct mwr_clock_line *line, const struct mwr_clock_point *point, uint64_t time,
                double rate)
{
    line->tick = point->tick;
    line->time = time;
    line->slope = (uint64_t)(rate * MWR_CLOCK_SLOPE);
    line->latest = *point;
    line->points++;
}

void mwr_clock_line_begin(struct mwr_clock_line *line, const struct mwr_clock_point *point,
                          double rate)
{
    line->rate = rate;
    line->ticks = (uint64_t)(MWR_CLOCK_LINE_NS / rate);
    lay(line, point, point->time, rate);
}

uint64_t mwr_clock_line_told(const struct mwr_clock_line *line, uint64_t tick)
{
    uint64_t ticks = tick - line->tick;

    ticks = ticks < line->ticks ? ticks : line->ticks;
    return line->time + (ticks * line->slope >> 32);
}

/* The ratio of the two clocks between two points; 0 where it is none that they can have. */
static double ratio(const struct mwr_clock_line *line, const struct mwr_clock_point *point)
{
    double ticks = (double)(point->tick - line->latest.tick);
    double time = (double)(point->time - line->latest.time);
    double unsure = (double)(point->width + line->latest.width) * line->rate;
    double apart = time - ticks * line->rate;

    if (point->tick <= line->latest.tick || point->time <= line->latest.time ||
        apart > time * DRIFT_MAX + unsure || -apart > time * DRIFT_MAX + unsure) {
        return 0;
    }
    return time / ticks;
}

/*
 * How far the line can have been from the other clock, where it was last to be asked: from what
 * that has shown, and this may be off by half of the time that it took to read.
 */
static uint64_t error_at_end(const struct mwr_clock_line *line, const struct mwr_clock_point *point,
                             double rate)
{
    uint64_t ticks = point->tick - line->tick;
    uint64_t asked = ticks < line->ticks ? ticks : line->ticks;
    uint64_t told = mwr_clock_line_told(line, line->tick + asked);
    uint64_t shown = point->time - (uint64_t)((double)(ticks - asked) * rate);

    return (told > shown ? told - shown : shown - told) +
           (uint64_t)((double)point->width * rate / 2);
}

bool mwr_clock_line_move(struct mwr_clock_line *line, const struct mwr_clock_point *point)
{
    double rate = ratio(line, point);
    uint64_t told = mwr_clock_line_told(line, point->tick);
    uint64_t ahead = told > point->time ? told - point->time : 0;
    uint64_t error;

    if (rate <= 0 || ahead > MWR_CLOCK_LINE_NS / 2) {
        return false;
    }
    error = error_at_end(line, point, rate);
    line->error = error > line->error ? error : line->error;
    /* What is ahead goes slower until the next point, rather than back. */
    rate -= rate * (double)ahead / MWR_CLOCK_LINE_NS;
    lay(line, point, point->time + ahead, rate);
    return true;
}
