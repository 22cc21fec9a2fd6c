#ifndef MWA_LOAD_REFERENCES_H
#define MWA_LOAD_REFERENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/load/event_record.h"
#include "analyzer/model/event.h"
#include "analyzer/model/trace.h"

/* What events may refer to; communicators by index. For the reader of events and for validate. */

/* As below, of a communicator that is known, for who is not in its group. */
bool mwa_may_be_other(const struct mwa_trace *trace, uint32_t index, uint32_t peer);

/*
 * Whether communicator index, MWA_NONE for one that is not known, can have a rank peer. Of
 * groups that are not known in full, as in archives that are incomplete or of several jobs,
 * anything can be, and of inter-communicators, whose remote group depends on who asks.
 */
static inline bool mwa_may_be_member(const struct mwa_trace *trace, uint32_t index, uint32_t peer)
{
    const uint32_t group = index == MWA_NONE ? MWA_NONE : trace->comms[index].group;
    const bool is_in_it = group != MWA_NONE && !trace->groups[group].self &&
                          peer < trace->groups[group].count;

    return is_in_it || index == MWA_NONE || mwa_may_be_other(trace, index, peer);
}

/* The same for the root of a collective: the highest three mean none, this rank, this group. */
bool mwa_may_be_root(const struct mwa_trace *trace, uint32_t index, uint32_t root);

/* Sets data's communicator and object: what a variable is bound to, by its event's attributes. */
void mwa_take_bound(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                    struct mwa_metric_data *data);

#endif
