/*
 * The cache is the user's: what is small, or asked for at the beginning of the run, leaves nothing
 * there.
 */
#include "analyzer/cli/kept_states.h"

#include "analyzer/analysis/collect.h"
#include "analyzer/analysis/exchanges_in_chapters.h"
#include "analyzer/load/archive_key.h"
#include "analyzer/load/block_pass.h"

#define SHARE_BEFORE 4u /* a pass is worth it for what comes behind the fourth part of the run */

/* The events that would be read otherwise, as far as the archive says how many there are. */
static uint64_t events_of(const struct mwa_trace *trace, uint32_t rank)
{
    uint64_t events = 0;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        if (rank == MWA_NONE || trace->locations[i].rank == rank) {
            events += trace->locations[i].events;
        }
    }
    return events;
}

static bool is_worth_a_pass(const struct mwa_trace *trace, const struct mwa_options *options,
                            uint64_t from)
{
    return events_of(trace, options->rank) >= MWA_BLOCK_PASS_EVENTS &&
           from > trace->clock_offset &&
           from - trace->clock_offset > trace->clock_length / SHARE_BEFORE;
}

/* Times that --clc moved are those of this reading only; of a ring is told what begins elsewhere
 * than its archive does. */
static bool may_be_kept(struct mwa_input *input, const struct mwa_options *options, uint64_t from)
{
    return from > 0 && mwa_input_trace(input)->begun == 0 && !options->clc && !options->forget &&
           !options->no_cache && mwa_input_files(input);
}

void mwa_forget_kept(struct mwa_input *input, const struct mwa_options *options)
{
    struct mwa_archive_key key;

    if (options->forget && mwa_input_files(input) &&
        mwa_archive_key(mwa_input_files(input), &key)) {
        (void)mwa_sidecar_forget(&key);
    }
}

struct mwa_block_states *mwa_found_states(struct mwa_input *input,
                                          const struct mwa_options *options, uint64_t from)
{
    return may_be_kept(input, options, from) ? mwa_block_states_open(input) : NULL;
}

/* Whether a pass is to be made for *states, which are what is there already. */
static bool look_first(struct mwa_input *input, const struct mwa_options *options, uint64_t from,
                       struct mwa_block_states **states)
{
    mwa_forget_kept(input, options);
    *states = mwa_found_states(input, options, from);
    return !*states && may_be_kept(input, options, from) &&
           is_worth_a_pass(mwa_input_trace(input), options, from);
}

enum mw_status mwa_kept_states(struct mwa_input *input, const struct mwa_options *options,
                               const struct mwa_team *team, uint64_t from,
                               struct mwa_block_states **states,
                               struct mw_diagnostic *diagnostic)
{
    const bool is_first = !team || mwa_team_is_first(team);
    struct mw_diagnostic unsaid = { 0 }; /* what fails is said by who reads next */
    bool makes = false;
    enum mw_status status = MW_OK;

    *states = NULL;
    if (is_first) {
        makes = look_first(input, options, from, states);
    }
    if (team) {
        status = mwa_team_any(team, makes, &makes, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    if (makes && mwa_block_pass(input, team, &unsaid) == MW_ERROR_MPI) {
        *diagnostic = unsaid;
        return MW_ERROR_MPI;
    }
    if (!is_first || makes) {
        *states = mwa_found_states(input, options, from);
    }
    return MW_OK;
}

enum mw_status mwa_kept_chapters(struct mwa_input *input, const struct mwa_options *options,
                                 const struct mwa_team *team, uint64_t needs,
                                 struct mwa_block_states **states,
                                 struct mw_diagnostic *diagnostic)
{
    const uint32_t processes = team ? team->transport.size : 1;
    const bool may_be_cut =
        mwa_may_be_in_chapters(needs) && mwa_chapters_wanted(input, processes) > 1 &&
        mwa_input_can_begin_late(input);

    return mwa_kept_states(input, options, team, may_be_cut ? UINT64_MAX : 0, states, diagnostic);
}

/* Whether the run has places where all meet or rest, be they where it would be cut or not. */
static bool has_places(const struct mwa_block_states *states)
{
    return mwa_block_states_lulls(states) > 0 ||
           mwa_block_states_quiet_before(states, UINT64_MAX) > 0;
}

const char *mwa_why_whole(const struct mwa_input *input, const struct mwa_options *options,
                          uint32_t processes, const struct mwa_block_states *states,
                          const struct mwa_results *results)
{
    if (results->chapters != 1 || mwa_chapters_wanted(input, processes) < 2) {
        return NULL;
    }
    return options->no_cache || options->forget
               ? "nobody looks where it can be cut without the cache"
           : !mwa_input_can_begin_late(input)
               ? "a ZIP file without mpiwatch.idx is read from its beginning"
           : !states && !is_worth_a_pass(mwa_input_trace(input), options, UINT64_MAX)
               ? "nobody looks where it can be cut, of so few events"
           : !states ? "where it can be cut could not be kept in the cache"
           : results->chapters_differ
               ? "what its parts have can't be put together"
           : has_places(states)
               ? "where all ranks meet, or rest, while nothing is under way is too early in the "
                 "run, or by their clocks some leave before others come"
               : "there is no place where all ranks meet, or rest, while nothing is under way";
}
