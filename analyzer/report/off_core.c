/*
 * Who has no core, or sleeps, can't be helped by any change of its messages: hence first, and apart
 * from the rules on waiting.
 */
#include "analyzer/report/off_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/units.h"

#define OFF_MATTERS 0.05 /* of a rank's run: on no core outside of MPI */
#define MOST        0.50 /* of that: what it is about */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Who shares what. */
static int say_who(const struct mwa_cores *cores, char *text, size_t room)
{
    char who[64];

    if (cores->ranks == 2) {
        snprintf(who, sizeof who, "ranks %" PRIu32 " and %" PRIu32, cores->first_rank,
                 cores->second_rank);
    } else {
        snprintf(who, sizeof who, "%" PRIu32 " ranks", cores->ranks);
    }
    switch (cores->lack) {
    case MWA_CORES_OF_HOST:
        return snprintf(text, room, "%s share the %g core%s of %.40s", who, cores->cores,
                        cores->cores == 1 ? "" : "s", cores->where);
    case MWA_CORES_OF_BINDING:
        return snprintf(text, room, "%s are bound to core%s %.40s", who,
                        cores->cores == 1 ? "" : "s", cores->where);
    default:
        return snprintf(text, room, "%s are limited to %g core%s (control group %.40s)", who,
                        cores->cores, cores->cores == 1 ? "" : "s", cores->where);
    }
}

int mwa_say_doubt(const struct mwa_results *results, char *text, size_t room)
{
    const struct mwa_cores *cores = &results->cores;
    int length;

    if (!mwa_has(results, MWA_NEED_CORES) || cores->lack == MWA_CORES_ENOUGH) {
        return 0;
    }
    length = say_who(cores, text, room);
    if (cores->is_known) {
        length += snprintf(text + length, room - (size_t)length,
                           " and have none for %.0f%% of their run", 100 * cores->no_core);
    }
    return length + snprintf(text + length, room - (size_t)length, ": all else is doubtful");
}

/* The rank that is off its core longest outside of MPI, if that matters; null: none. */
static const struct mwa_rank_row *longest_off(const struct mwa_profile *profile)
{
    const struct mwa_rank_row *longest = NULL;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        if (row->running.is_known &&
            (!longest || row->running.outside_ns > longest->running.outside_ns)) {
            longest = row;
        }
    }
    return longest && ratio(longest->running.outside_ns, longest->run_ns) >= OFF_MATTERS ? longest
                                                                                          : NULL;
}

/* Whether it could have run most of that time. */
static bool lacks_core(const struct mwa_rank_row *row)
{
    return ratio(row->running.outside_no_core_ns, row->running.outside_ns) >= MOST;
}

int mwa_say_not_running(const struct mwa_results *results, char *text, size_t room)
{
    const struct mwa_rank_row *row = longest_off(&results->profile);
    char off[MWA_UNITS_BYTES];
    char run[MWA_UNITS_BYTES];
    char call[MWA_CALL_AT_BYTES];
    int length;

    if (!row) {
        return 0;
    }
    length = snprintf(text, room, "rank %" PRIu32 " %s for %s of %s", row->rank,
                      lacks_core(row) ? "has no core" : "does not run",
                      mwa_time_text(row->running.outside_ns, off),
                      mwa_time_text(row->run_ns, run));
    if (row->running.before_ns > 0) {
        length += snprintf(text + length, room - (size_t)length, ", mostly before %s",
                           mwa_call_at(results->trace, row->running.before, call));
    }
    return lacks_core(row) ? length
                           : length + snprintf(text + length, room - (size_t)length,
                                               ": it sleeps or waits for a file");
}

bool mwa_has_off_core(const struct mwa_results *results)
{
    return (mwa_has(results, MWA_NEED_CORES) && results->cores.lack != MWA_CORES_ENOUGH) ||
           longest_off(&results->profile);
}

bool mwa_advise_off_core(const struct mwa_results *results, char *text, size_t room)
{
    char said[MWA_UNITS_BYTES * 8];
    char call[MWA_CALL_AT_BYTES];
    const struct mwa_rank_row *row = longest_off(&results->profile);

    if (mwa_say_doubt(results, said, sizeof said) > 0) {
        snprintf(text, room, "give each rank a core of its own (fewer ranks, more hosts, or the "
                             "launcher's binding), and record again. -> ranks");
        return true;
    }
    if (row && !lacks_core(row)) {
        snprintf(text, room, "look at what rank %" PRIu32 " does before %s: sleep, locks, or "
                             "reading and writing files. -> ranks",
                 row->rank, row->running.before_ns > 0
                                ? mwa_call_at(results->trace, row->running.before, call)
                                : "its calls");
        return true;
    }
    if (row) {
        snprintf(text, room, "look at what else runs on the host of rank %" PRIu32 " (%.40s). "
                             "-> ranks",
                 row->rank, results->trace->ranks[row->rank].host);
    }
    return row != NULL;
}
