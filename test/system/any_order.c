/*
 * mpiwatch-analyze that reads the locations of an archive in any order, and tells of their calls
 * in any that causality allows: at random, from MPIWATCH_SCHEDULE=SEED, 1 to 100,000 events at a
 * time. With an even seed there is one round only, so that a location may be read to its end
 * before another one begins, and nothing is forgotten at the end of rounds: where a wait is told
 * long after it was (make_irregular tree hole) more delays are explained then. With an odd one
 * rounds are those of mpiwatch-analyze, within which the order is random. MPIWATCH_CHAPTERS=N asks
 * for N chapters of a run, however short it is and whatever there is of memory; without it, and
 * with -j 2, every third seed has analyses told by a thread of their own, of a few things at a
 * time. MPIWATCH_PATIENCE=SECONDS: of a process that does nothing for so long it is said, and after
 * twice as long it is given up.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/analysis/exchanges_in_chapters.h"
#include "analyzer/analysis/reading_order.h"
#include "analyzer/exchange/relay_room.h"
#include "analyzer/exchange/telling_order.h"
#include "analyzer/team/team_watch.h"

#define MOST_EVENTS 100000u

/* xorshift64* (Vigna). Of each thread: one reads, or one of each chapter. */
static uint64_t next_random(void)
{
    static _Thread_local uint64_t state;

    if (state == 0) {
        const char *seed = getenv("MPIWATCH_SCHEDULE");

        state = (seed ? strtoull(seed, NULL, 10) : 0) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static bool has_rounds(void)
{
    const char *seed = getenv("MPIWATCH_SCHEDULE");

    return seed && strtoull(seed, NULL, 10) % 2 == 1;
}

/* As likely short as long: between 1 and MOST_EVENTS. */
static uint64_t random_length(void)
{
    uint64_t most = UINT64_C(1) << next_random() % 18;
    uint64_t length = 1 + next_random() % most;

    return length < MOST_EVENTS ? length : MOST_EVENTS;
}

uint32_t mwa_relay_room(const struct mwa_input *input)
{
    const char *seed = getenv("MPIWATCH_SCHEDULE");
    const uint64_t number = seed ? strtoull(seed, NULL, 10) : 0;

    return number % 3 == 0 && mwa_input_threads(input) > 1 ? (uint32_t)(1 + number % 61) : 0;
}

struct mwa_turn mwa_reading_turn(uint64_t count, uint64_t (*rest)(const void *user, uint64_t at),
                                 const void *user)
{
    struct mwa_turn turn = { .at = next_random() % count, .events = random_length() };

    if (has_rounds() && turn.events > rest(user, turn.at)) {
        turn.events = rest(user, turn.at);
    }
    return turn;
}

uint64_t mwa_reading_round(uint64_t until)
{
    return has_rounds() ? until : UINT64_MAX;
}

uint32_t mwa_chapters_wanted(const struct mwa_input *input, uint32_t processes)
{
    const char *wanted = getenv("MPIWATCH_CHAPTERS");

    return wanted && mwa_input_threads(input) * processes > 1
               ? (uint32_t)strtoul(wanted, NULL, 10)
               : 1;
}

struct mwa_patience mwa_team_patience(void)
{
    const char *seconds = getenv("MPIWATCH_PATIENCE");
    const uint32_t first = seconds ? (uint32_t)strtoul(seconds, NULL, 10) : 60;

    return (struct mwa_patience){ .first = first, .last = 2 * first };
}

/* Any of those that may go on; mostly all of them wait for more to be read, so that there are. */
struct mwa_telling_turn mwa_telling_next(bool all)
{
    struct mwa_telling_turn turn = { .skipped = 0, .steps = 0 };

    if (all || next_random() % 64 == 0) {
        turn.skipped = next_random() % 64;
        turn.steps = 1 + next_random() % (UINT64_C(1) << next_random() % 8);
    }
    return turn;
}
