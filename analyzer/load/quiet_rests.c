/* A moment says which places belong together where nothing in the program does; it is what is under
 * way there that decides, and not when it is. */
#include "analyzer/load/quiet_rests.h"

#include "formats/table/calls.h"

void mwa_quiet_rests_init(struct mwa_quiet_rests *rests, const struct mwa_trace *trace)
{
    rests->begin = trace->clock_offset;
    rests->step = trace->clock_length / (rests->moments->most + 1);
    rests->next = 1;
}

bool mwa_quiet_rests_enter(struct mwa_quiet_rests *rests, unsigned call,
                           const struct mwa_quiet_try *here, bool may_be, bool is_open)
{
    const bool has_ended = rests->was_open && !is_open;

    if (rests->has_polled && mw_call_polls(call)) {
        return true;
    }
    rests->has_polled = false;
    rests->here = *here;
    rests->here.place.left = rests->left;
    rests->here.comm = MWA_NONE;
    rests->was_open = is_open;
    rests->is_one = may_be && !is_open && rests->found_count == 0 && !rests->has_more;
    rests->ended += has_ended;
    rests->here.number = rests->ended;
    return !has_ended || !rests->is_one || rests->lulls->most == 0 ||
           mwa_quiet_tries_add(rests->lulls, &rests->here);
}

bool mwa_quiet_rests_leave(struct mwa_quiet_rests *rests, unsigned call, uint64_t time,
                           bool has_got)
{
    const uint64_t most = rests->step > 0 ? rests->moments->most : 0;
    bool has_room = true;

    for (; rests->next <= most && rests->begin + rests->next * rests->step < time && has_room;
         rests->next++) {
        rests->here.number = rests->next;
        has_room = !rests->is_one || mwa_quiet_tries_add(rests->moments, &rests->here);
    }
    rests->left = mw_call_moves_messages(call) ? time : rests->left;
    rests->has_polled = mw_call_polls(call) && !has_got;
    return has_room;
}

/* What was found on channel; null: nothing. */
static struct mwa_quiet_found *found_on(struct mwa_quiet_rests *rests, uint64_t channel)
{
    for (uint32_t i = 0; i < rests->found_count; i++) {
        if (rests->found[i].channel == channel) {
            return &rests->found[i];
        }
    }
    return NULL;
}

void mwa_quiet_rests_find(struct mwa_quiet_rests *rests, uint64_t channel, uint64_t events)
{
    struct mwa_quiet_found *found = found_on(rests, channel);

    if (!found && rests->found_count == MWA_QUIET_FOUND_MOST) {
        rests->has_more = true;
        return;
    }
    if (!found) {
        found = &rests->found[rests->found_count++];
    }
    *found = (struct mwa_quiet_found){ channel, events };
}

void mwa_quiet_rests_receive(struct mwa_quiet_rests *rests, uint64_t channel, uint64_t events)
{
    struct mwa_quiet_found *found = found_on(rests, channel);

    if (found && found->events < events) {
        *found = rests->found[--rests->found_count];
    }
}

void mwa_quiet_rests_begin_run(struct mwa_quiet_rests *rests)
{
    rests->moments->count = 0;
    rests->is_one = false;
}

void mwa_quiet_rests_give_up(struct mwa_quiet_rests *rests)
{
    rests->lulls->most = 0;
    rests->moments->most = 0;
}
