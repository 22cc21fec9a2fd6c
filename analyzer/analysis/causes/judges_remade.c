/*
 * Windows, communicators and open files that are made in a loop, where one would do. Their calls
 * need not be made at all, so that what ranks lack of cores in them would be saved, too: on a host
 * where each step that ranks take together waits for a core, it is nearly all of it.
 */
#include "analyzer/analysis/causes/cause_judges.h"
#include "analyzer/analysis/time/tally.h"

#define AGAIN 10u /* of those that there are at once: so many are made one after the other */

/* Whether they follow one another: what lives to the end of the run was needed. */
static bool follow_one_another(const struct mwa_remade_row *row)
{
    return row->freed != MWA_NONE && row->made_most >= AGAIN && row->made >= AGAIN * row->at_once;
}

/* Adds the times of calls by their places; what most time goes into is what the cause names. */
static bool tally_places(const struct mwa_remade *remade, enum mwa_remade_kind kind,
                         struct mwa_tally *places, struct mwa_cause *cause)
{
    uint64_t most = 0;
    bool is_done = true;

    for (uint64_t i = 0; i < remade->count && is_done; i++) {
        const struct mwa_remade_row *row = &remade->rows[i];

        if (row->kind != kind || !follow_one_another(row)) {
            continue;
        }
        is_done = mwa_tally_add(places, row->place, row->make_ns) &&
                  mwa_tally_add(places, row->freed, row->free_ns);
        cause->count += row->made_most;
        if (row->make_ns + row->free_ns >= most) {
            most = row->make_ns + row->free_ns;
            cause->site = row->place;
            cause->behind = row->freed;
        }
    }
    return is_done && cause->site != MWA_NONE;
}

static bool are_remade(const struct mwa_judging *judging, enum mwa_remade_kind kind,
                       struct mwa_cause *cause)
{
    struct mwa_tally places = { 0 };
    struct mwa_spent spent = { .ns = 0 };
    const bool are = tally_places(&judging->results->remade, kind, &places, cause);

    for (uint32_t i = 0; are && i < judging->results->trace->site_count; i++) {
        const uint64_t time = mwa_tally_get(&places, i);

        if (time > 0) {
            mwa_spend_at(judging, i, time, &spent);
        }
    }
    mwa_tally_fini(&places);
    spent.ns += spent.lack_ns;
    mwa_take_spent(judging, &spent, cause);
    return are;
}

bool mwa_judge_windows_remade(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return are_remade(judging, MWA_REMADE_WINDOWS, cause);
}

bool mwa_judge_comms_remade(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return are_remade(judging, MWA_REMADE_COMMS, cause);
}

bool mwa_judge_files_remade(const struct mwa_judging *judging, struct mwa_cause *cause)
{
    return are_remade(judging, MWA_REMADE_FILES, cause);
}
