#ifndef MWA_CLI_KEPT_STATES_H
#define MWA_CLI_KEPT_STATES_H

#include "analyzer/cli/command.h"
#include "analyzer/load/block_states.h"
#include "analyzer/team/team.h"

/*
 * Where a command may begin to read that wants events from the time from on only (ticks): what the
 * cache has, or what one pass over all events finds out and keeps there, if that takes less than to
 * read what comes before from, this time or the next. As the options say, --forget included. With
 * a team (null: alone) all its processes call this, and the first one's cache and from count; each
 * has what it finds in its own.
 *
 * \return MW_OK, and *states is to be freed with mwa_block_states_close before input; null: read
 * all. MW_ERROR_MPI: the team can't speak any more.
 */
enum mw_status mwa_kept_states(struct mwa_input *input, const struct mwa_options *options,
                               const struct mwa_team *team, uint64_t from,
                               struct mwa_block_states **states,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same for following what needs (enum mwa_need) wants of the whole run in chapters; null: there
 * are to be none. */
enum mw_status mwa_kept_chapters(struct mwa_input *input, const struct mwa_options *options,
                                 const struct mwa_team *team, uint64_t needs,
                                 struct mwa_block_states **states,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same of what is there already: nothing is made for it, or removed. */
struct mwa_block_states *mwa_found_states(struct mwa_input *input,
                                          const struct mwa_options *options, uint64_t from);

/*
 * Why several processes have not followed a part of the run each, whose analyses came to results by
 * what mwa_kept_chapters found: a reason to be read behind a colon; null: they have, or there is
 * nothing to be followed, or so little that it is not worth it.
 */
const char *mwa_why_whole(const struct mwa_input *input, const struct mwa_options *options,
                          uint32_t processes, const struct mwa_block_states *states,
                          const struct mwa_results *results);

/* Removes what the cache has of input's archive, if the options say so: of each of several before
 * they are joined, as what they are joined to has none. */
void mwa_forget_kept(struct mwa_input *input, const struct mwa_options *options);

#endif
