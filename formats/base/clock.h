#ifndef MW_FORMATS_BASE_CLOCK_H
#define MW_FORMATS_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Times in the archive are nanoseconds: of the process's own clock in its events, of
 * rank 0's clock once they are corrected, as every OTF2 reader does by the clock offsets.
 */

#define MW_NANOSECONDS 1000000000u

/* No clock shows more, 146 years: a time that does is damaged. The same holds for offsets. */
#define MW_TIME_MAX (UINT64_C(1) << 62)

/* At time (own clock), offset has to be added to get rank 0's time; error is its bound. */
struct mw_clock_point {
    uint64_t time;
    int64_t offset;
    uint64_t error;
};

/* Ticks of a clock of resolution ticks per second (0: nanoseconds) as nanoseconds. */
uint64_t mw_clock_nanoseconds(uint64_t ticks, uint64_t resolution);

#define MW_TIME_UNIT_MAX 64u

/* How ticks of a process become times in the archive. */
struct mw_clock_scale {
    uint64_t resolution; /* ticks per second; 0: nanoseconds */
    uint64_t unit; /* ns, a power of two up to MW_TIME_UNIT_MAX; 0: 1 */
};

/*
 * The same as a multiple of the unit, rounded down: what does not come before something else still
 * does not, and a length that fits between two times still fits.
 */
uint64_t mw_clock_told(uint64_t ticks, struct mw_clock_scale scale);

/* The unit in ns that the setting "time-unit" names ("16ns"); 0: it names none. */
uint64_t mw_clock_unit(const char *text);

/* The same for a difference of times. */
int64_t mw_clock_offset(int64_t ticks, uint64_t resolution);

/*
 * time on rank 0's clock: the offset between two points lies on the line through them,
 * before the first and after the last as well. Points rise in time. With two points or more it is
 * what libotf2 makes of them.
 */
uint64_t mw_clock_correct(const struct mw_clock_point *points, size_t count, uint64_t time);

/*
 * Puts point, which is in ticks of a clock of resolution ticks per second, behind *count points
 * (malloc'd, or null). One that is not later than they are, or not sane, is left out.
 *
 * \return false without memory; the points are as before then.
 */
bool mw_clock_add(struct mw_clock_point **points, size_t *count,
                  const struct mw_clock_point *point, uint64_t resolution);

/*
 * Chooses of *count points, as they were measured, those that a line is laid through, and the
 * offsets that it has there. Those in between are left out that are not known better than both ends
 * of a line, if it passes them within what they and its ends may be wrong: clocks would seem to run
 * apart and together by that, and beyond the last point by any amount. At most 8 are kept, those
 * that tell most.
 *
 * Of each point and the one before, the offset that is known worse is moved towards the other, by
 * no more than what the other is known better, and what it is moved adds to its error; that is no
 * more than what a drift of 500 parts in a million since the other leaves open. Between a point
 * that was measured on busy processors (ms) and a good one (us) clocks would seem to run apart,
 * which real ones do by a few us a second.
 */
void mw_clock_choose(struct mw_clock_point *points, size_t *count);

/*
 * By how much times may have been wrong that a line of so many points (0: none) told, at most, as
 * those of count points show that were measured behind its last one. 0: none of them is farther off
 * than it and that last point may be wrong.
 */
uint64_t mw_clock_missed(const struct mw_clock_point *line, size_t line_count,
                         const struct mw_clock_point *points, size_t count);

#endif
