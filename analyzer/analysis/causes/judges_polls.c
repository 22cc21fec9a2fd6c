/*
 * A rank that polls between pieces of its work pays for that; one that does nothing else waits, and
 * neither polls nor what recording them takes cost it anything.
 */
#include <math.h>

#include "analyzer/analysis/causes/calls_spent.h"
#include "analyzer/analysis/causes/cause_judges.h"

#define POLLS    1000u
#define POLL_NS  5000u /* at most, of one that finds nothing; a longer one may move a message */
#define MATTERS  0.1   /* of the time of polls */
#define CALL_NS  100   /* that recording a call takes, as in test/bench/MEASURED.md */
#define TOO_MUCH 0.2   /* of the run, */
#define CALLS    1000u /* and so many calls */

/*
 * Which part of what polls take, beside what is known to be waited for in them, is of rows of them:
 * whoever asks all the time, and does nothing else, waits as long in a call that blocks. 0: less
 * than is worth a word.
 */
static double part_in_rows(const struct mwa_judging *judging, const struct mwa_calls *polls)
{
    const double rows = (double)mwa_polling_of_all(&judging->results->replay.ideal).inside;
    const double beside = polls->spent.ns + polls->spent.lack_ns;
    const double waited = (double)polls->time_ns - beside;
    const double part = mwa_ratio(rows - waited, beside);

    return part < MATTERS ? 0 : part < 1 ? part : 1;
}

/* Who computes and polls meanwhile lets the MPI move long messages there: that has to be done. */
bool mwa_judge_polling(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    struct mwa_calls polls = mwa_sum_calls(judging, mw_call_polls, MWA_BESIDE_WAITS);
    const double in_vain = mwa_ratio((double)polls.count * POLL_NS, (double)judging->run.ranks);
    bool matters;

    if (polls.count < POLLS || !polls.most) {
        return false;
    }
    polls.spent.ns -= (double)polls.beyond_ns < polls.spent.ns ? (double)polls.beyond_ns
                                                               : polls.spent.ns;
    cause->count = polls.count;
    cause->in_rows = part_in_rows(judging, &polls);
    mwa_take_calls(judging, &polls, &polls.spent, cause);
    if (mwa_bytes_of(&judging->results->traffic) > MWA_LONG_BYTES &&
        (double)cause->up_to_ns > in_vain) {
        cause->up_to_ns = (uint64_t)in_vain;
    }
    matters = mwa_matters(judging, (double)cause->up_to_ns);
    cause->up_to_ns = (uint64_t)((1 - cause->in_rows) * (double)cause->up_to_ns);
    cause->gain_ns = cause->up_to_ns;
    cause->is_little = matters && !mwa_matters(judging, (double)cause->up_to_ns);
    return true;
}

/* Polls in a row wait, whatever each takes. */
bool mwa_judge_recorder(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    const struct mwa_calls polls = mwa_sum_calls(judging, mw_call_polls, MWA_WHOLE);
    const double rows = (double)mwa_polling_of_all(&judging->results->replay.ideal).inside;
    const double waiting = (double)polls.count * fmin(mwa_ratio(rows, (double)polls.time_ns), 1);

    cause->count = judging->results->profile.mpi_calls - (uint64_t)waiting;
    cause->share = mwa_ratio((double)CALL_NS * (double)cause->count, (double)judging->run.run_ns);
    cause->share = cause->share > 1 ? 1 : cause->share;
    return cause->count >= CALLS && cause->share >= TOO_MUCH;
}
