#include "analyzer/exchange/tails.h"

#include <stdlib.h>

#include "analyzer/exchange/channels.h"
#include "analyzer/exchange/courses.h"

#define SHIFT_MOST (MWA_TAIL_KEPT / 2)

/* --- what there was --------------------------------------------------------------------------- */

static struct mwa_tail *tail_of(struct mwa_index *index, struct mwa_tail **list,
                                struct mwa_key key)
{
    const uint64_t at = mwa_index_of(index, key, list, sizeof **list);

    return at == MWA_MAP_ABSENT ? NULL : &(*list)[at];
}

static bool add(struct mwa_tail *tail, uint64_t time)
{
    if (tail) {
        tail->times[tail->count++ % MWA_TAIL_KEPT] = time;
    }
    return tail != NULL;
}

bool mwa_tails_add_send(struct mwa_tails *tails, struct mwa_key channel, uint64_t begin)
{
    return add(tail_of(&tails->send_index, &tails->sends, channel), begin);
}

bool mwa_tails_add_receive(struct mwa_tails *tails, struct mwa_key channel, uint64_t end)
{
    return add(tail_of(&tails->receive_index, &tails->receives, channel), end);
}

void mwa_tails_fini(struct mwa_tails *tails)
{
    for (uint64_t i = 0; i < tails->course_index.count; i++) {
        free(tails->courses[i].last);
    }
    mwa_index_fini(&tails->send_index);
    mwa_index_fini(&tails->receive_index);
    mwa_index_fini(&tails->number_index);
    mwa_index_fini(&tails->course_index);
    free(tails->sends);
    free(tails->receives);
    free(tails->numbers);
    free(tails->courses);
    *tails = (struct mwa_tails){ .sends = NULL };
}

/* --- which of the last ones belong together --------------------------------------------------- */

/* The one that so many come behind. */
static uint64_t at(const struct mwa_tail *tail, uint64_t behind)
{
    return tail->times[(tail->count - 1 - behind) % MWA_TAIL_KEPT];
}

/* Whether all that is kept can belong together where the last so many sends have no receive. */
static bool can_be(const struct mwa_clocks *clocks, const struct mwa_tail *send, uint64_t left,
                   const struct mwa_tail *receive)
{
    uint64_t i;

    for (i = 0; i + left < MWA_TAIL_KEPT && i + left < send->count && i < receive->count; i++) {
        if (!mwa_clocks_allow(clocks, at(send, i + left), at(receive, i))) {
            return false;
        }
    }
    return i > 0 || left == send->count;
}

/* How many of the last sends of a channel were not received any more. */
static uint64_t left_sends(const struct mwa_trace *trace, struct mwa_key channel,
                           const struct mwa_tail *send, const struct mwa_tail *receive)
{
    const struct mwa_clocks clocks =
        mwa_clocks_of(trace, mwa_channel_source(channel), mwa_channel_destination(channel));
    uint64_t left = 0;

    while (receive->count > 0 && left < SHIFT_MOST && !can_be(&clocks, send, left, receive)) {
        left++;
    }
    return left < SHIFT_MOST ? left : 0;
}

static bool note(struct mwa_map *of, struct mwa_key key, uint64_t count)
{
    return count == 0 || mwa_map_put(of, key, count) != NULL;
}

static bool compare_channel(const struct mwa_tails *tails, const struct mwa_trace *trace,
                            struct mwa_key channel, struct mwa_beginnings *beginnings)
{
    static const struct mwa_tail none;
    const uint64_t sends = mwa_map_get(&tails->send_index.positions, channel);
    const uint64_t receives = mwa_map_get(&tails->receive_index.positions, channel);
    const struct mwa_tail *send = sends == MWA_MAP_ABSENT ? &none : &tails->sends[sends];
    const struct mwa_tail *receive =
        receives == MWA_MAP_ABSENT ? &none : &tails->receives[receives];
    const uint64_t left = left_sends(trace, channel, send, receive);
    const uint64_t sent = send->count - left;

    if (!mwa_trace_is_of_ring(trace, mwa_channel_source(channel)) &&
        !mwa_trace_is_of_ring(trace, mwa_channel_destination(channel))) {
        return true;
    }
    if (sent > receive->count) {
        return !mwa_trace_begins_late(trace, mwa_channel_destination(channel)) ||
               note(&beginnings->sends, channel, sent - receive->count);
    }
    return !mwa_trace_begins_late(trace, mwa_channel_source(channel)) ||
           note(&beginnings->receives, channel, receive->count - sent);
}

static bool compare_channels(const struct mwa_tails *tails, const struct mwa_index *index,
                             const struct mwa_trace *trace, struct mwa_beginnings *beginnings)
{
    for (uint64_t i = 0; i < index->positions.capacity; i++) {
        const struct mwa_map_slot *slot = &index->positions.slots[i];

        if (slot->value != MWA_MAP_ABSENT &&
            !compare_channel(tails, trace, slot->key, beginnings)) {
            return false;
        }
    }
    return true;
}

enum mw_status mwa_tails_compare(struct mwa_tails *tails, const struct mwa_trace *trace,
                                 struct mwa_beginnings *beginnings)
{
    return compare_channels(tails, &tails->send_index, trace, beginnings) &&
                   compare_channels(tails, &tails->receive_index, trace, beginnings) &&
                   mwa_courses_compare(tails, trace, beginnings)
               ? MW_OK
               : MW_ERROR_MEMORY;
}
