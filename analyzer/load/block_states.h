#ifndef MWA_LOAD_BLOCK_STATES_H
#define MWA_LOAD_BLOCK_STATES_H

#include "analyzer/load/input.h"
#include "analyzer/load/open_calls.h"
#include "analyzer/load/quiet_places.h"
#include "analyzer/load/record_reader.h"

/*
 * Where the events of each location can be read from, besides the beginning: at the blocks of its
 * file (OTF2's chunks), with the calls that are open there; and at places that are quiet in all
 * locations together (quiet_places.h). One pass over all events finds it out and keeps it in a
 * sidecar ("blocks").
 */

struct mwa_block_states;

/*
 * Opens what the sidecar of input has, of one archive. Nothing of it can lead out of the archive,
 * whoever wrote it.
 *
 * \return states, to be freed with mwa_block_states_close before input; null: there are none.
 */
struct mwa_block_states *mwa_block_states_open(struct mwa_input *input);
void mwa_block_states_close(struct mwa_block_states *states); /* null is fine */

/* How many blocks of the location (an index of the trace) are known, the first one not counted. */
uint64_t mwa_block_states_count(const struct mwa_block_states *states, uint32_t location);

/*
 * The last block of location before which there are only events before time; *calls: those that are
 * open there, the outermost first, entry->calls of them. Both live as long as states.
 *
 * \return null: the location is to be read from the beginning. states may be null.
 */
const struct mwa_block_entry *mwa_block_states_before(const struct mwa_block_states *states,
                                                      uint32_t location, uint64_t time,
                                                      const struct mwa_open_call **calls);

/* The last block that has no more than so many events of OTF2 before it; as above. */
const struct mwa_block_entry *mwa_block_states_at(const struct mwa_block_states *states,
                                                  uint32_t location, uint64_t events,
                                                  const struct mwa_open_call **calls);

/* How many places that are quiet, or lulls, are before time in all locations: the first ones. */
uint64_t mwa_block_states_quiet_before(const struct mwa_block_states *states, uint64_t time);

/* How many lulls there are (quiet_places.h): 0 where there are other places that are quiet. */
uint64_t mwa_block_states_lulls(const struct mwa_block_states *states);

/* A place of location, or a lull, by its number from 0 on; null: the location has no calls of
 * MPI. */
const struct mwa_quiet_place *mwa_block_states_quiet(const struct mwa_block_states *states,
                                                     uint32_t location, uint64_t number);

/* Requests of location that are open at some of its places, by what begins them. */
const struct mwa_carried_request *mwa_block_states_carried(const struct mwa_block_states *states,
                                                           uint32_t location, uint64_t *count);

/*
 * Opens a reader of location that has all events from time on to read, and as few of those before
 * it as may be; states may be null. *entry: where it begins; null: at the beginning. Its
 * calls are *calls. Returns as mwa_event_reader_open.
 */
enum mw_status mwa_event_reader_open_at(struct mwa_input *input,
                                        const struct mwa_block_states *states, uint32_t location,
                                        uint64_t time, struct mwa_event_reader **reader,
                                        const struct mwa_block_entry **entry,
                                        const struct mwa_open_call **calls,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
