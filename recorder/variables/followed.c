#include "recorder/variables/followed.h"

#include <string.h>

/* Bits of a mean that are dropped, outwards: digits that say nothing, and take no room as zeros. */
#define DROPPED_BITS 32u

void mwr_followed_change(struct mwr_followed *followed, double value, uint64_t held, uint64_t now)
{
    const double before = followed->value;
    double certain;
    double open;

    /* Among threads who reads later may have left its call earlier. */
    if (now < followed->since) {
        now = followed->since;
    }
    if (held < followed->since) {
        held = followed->since;
    }
    if (held > now) {
        held = now;
    }
    certain = before * (double)(held - followed->since);
    open = (double)(now - held);
    if (followed->changes == 0) {
        followed->held = held;
    }
    followed->changes++;
    followed->lower += certain + (value < before ? value : before) * open;
    followed->upper += certain + (value > before ? value : before) * open;
    followed->low = value < followed->low ? value : followed->low;
    followed->high = value > followed->high ? value : followed->high;
    followed->value = value;
    followed->since = now;
}

void mwr_followed_lose(struct mwr_followed *followed, double value, uint64_t from, uint64_t to)
{
    double certain;

    from = from > followed->since ? from : followed->since;
    to = to > from ? to : from;
    certain = followed->value * (double)(from - followed->since);
    followed->lower += certain;
    followed->upper += certain;
    followed->unseen += to - from;
    followed->since = to;
    followed->changes += value != followed->value;
    followed->low = value < followed->low ? value : followed->low;
    followed->high = value > followed->high ? value : followed->high;
    followed->value = value;
}

/* The bits of a mean, which is moved so that it stays a bound. */
static uint64_t bits_of_mean(double mean, bool is_upper)
{
    const uint64_t mask = (UINT64_C(1) << DROPPED_BITS) - 1;
    uint64_t bits;

    memcpy(&bits, &mean, sizeof bits);
    /* Sign and magnitude: more bits are further from 0. */
    if ((bits & mask) != 0 && (mean > 0) == is_upper) {
        bits += mask + 1;
    }
    return bits & ~mask;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum mwr_telling mwr_followed_tell(const struct mwr_followed *followed, uint64_t now,
                                   uint64_t *held_for, struct mw_partly_member *course)
{
    const double rest = now > followed->since ? (double)(now - followed->since) : 0;
    const uint64_t ticks = now > followed->begin ? now - followed->begin : 0;
    const double seen = ticks > followed->unseen ? (double)(ticks - followed->unseen) : 0;

    if (!followed->is_known || seen <= 0) {
        return MWR_TELL_NOTHING;
    }
    if (followed->unseen == 0 &&
        (followed->changes == 0 || (followed->changes == 1 && rest <= 0))) {
        *held_for = followed->changes == 0 ? 0 : now - followed->held;
        return MWR_TELL_HELD;
    }
    course->seen.mean_lower =
        bits_of_mean((followed->lower + followed->value * rest) / seen, false);
    course->seen.mean_upper = bits_of_mean((followed->upper + followed->value * rest) / seen, true);
    course->seen.low = bits_of(followed->low);
    course->seen.high = bits_of(followed->high);
    course->unseen = followed->unseen;
    return followed->unseen > 0 ? MWR_TELL_PARTLY : MWR_TELL_COURSE;
}
