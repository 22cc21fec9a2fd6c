#ifndef MWA_CLI_KEPT_STATES_H
#define MWA_CLI_KEPT_STATES_H

#include "analyzer/cli/command.h"
#include "analyzer/load/block_states.h"

/*
 * Where a command may begin to read that wants events from the time from on only (ticks): what the
 * cache has, or what one pass over all events finds out and keeps there, if that takes less than to
 * read what comes before from, this time or the next. As the options say, --forget included.
 *
 * \return states, to be freed with mwa_block_states_close before input; null: read all.
 */
struct mwa_block_states *mwa_kept_states(struct mwa_input *input,
                                         const struct mwa_options *options, uint64_t from);

/* The same of what is there already: nothing is made for it, or removed. */
struct mwa_block_states *mwa_found_states(struct mwa_input *input,
                                          const struct mwa_options *options, uint64_t from);

#endif
