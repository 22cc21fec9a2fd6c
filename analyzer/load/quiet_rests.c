/* A moment says which places belong together where nothing in the program does; it is what is under
 * way there that decides, and not when it is. */
#include "analyzer/load/quiet_rests.h"

#include <stdlib.h>

#include "formats/table/calls.h"

void mwa_quiet_rests_init(struct mwa_quiet_rests *rests, const struct mwa_trace *trace)
{
    rests->begin = trace->clock_offset;
    rests->step = trace->clock_length / (rests->moments->most + 1);
    rests->next = 1;
}

static bool sends(unsigned call)
{
    const enum mw_call_kind kind = mw_call_kind(call);

    return kind == MW_KIND_SEND || kind == MW_KIND_SENDRECV || kind == MW_KIND_SENDRECV_REPLACE;
}

bool mwa_quiet_rests_enter(struct mwa_quiet_rests *rests, unsigned call,
                           const struct mwa_quiet_try *here, bool may_be, uint64_t open)
{
    const bool has_ended = rests->open > 0 && open == 0;

    if (rests->has_polled && mw_call_polls(call)) {
        return true;
    }
    rests->has_polled = false;
    rests->here = *here;
    rests->here.place.left = rests->left;
    rests->here.comm = MWA_NONE;
    rests->here.met = rests->was_in;
    rests->open = open;
    rests->newly = open > rests->open_still ? open - rests->open_still : 0;
    rests->is_one = may_be && rests->found_count == 0 && !rests->has_more;
    rests->ended_here_count = rests->ended_count = 0;
    rests->ended += has_ended;
    rests->here.number = rests->ended;
    return !has_ended || !rests->is_one || rests->lulls->most == 0 ||
           mwa_quiet_tries_add(rests->lulls, &rests->here);
}

/* The place before the call is one of moments, for the first time: what has ended in it is kept. */
static bool add_moment(struct mwa_quiet_rests *rests)
{
    bool has_room = mwa_quiet_tries_add(rests->moments, &rests->here);
    const uint64_t count = rests->moments->count;

    if (!has_room || count == 0 ||
        rests->moments->list[count - 1].place.events != rests->here.place.events) {
        return has_room; /* it is not kept */
    }
    for (uint64_t i = 0; i < rests->ended_here_count && has_room; i++) {
        has_room = mwa_quiet_tries_carry(rests->moments, &rests->ended_here[i]);
    }
    rests->open_still = rests->open - rests->ended_count;
    rests->ended_here_count = 0;
    return has_room;
}

bool mwa_quiet_rests_leave(struct mwa_quiet_rests *rests, unsigned call, uint64_t time,
                           bool has_got)
{
    const uint64_t most = rests->step > 0 ? rests->moments->most : 0;
    bool has_room = true;

    for (; rests->next <= most && rests->begin + rests->next * rests->step < time && has_room;
         rests->next++) {
        rests->here.number = rests->next;
        rests->here.sends =
            sends(call) && rests->here.place.time <= rests->begin + rests->next * rests->step;
        has_room = !rests->is_one || rests->newly > MWA_QUIET_NEWLY_MOST || add_moment(rests);
    }
    rests->left = mw_call_moves_messages(call) ? time : rests->left;
    rests->was_in = time;
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

bool mwa_quiet_rests_carry(struct mwa_quiet_rests *rests, const struct mwa_carried_request *ended)
{
    const struct mwa_quiet_tries *moments = rests->moments;
    const bool is_kept = moments->count > 0 &&
                         ended->begin < moments->list[moments->count - 1].place.events;

    rests->ended_count += ended->begin < rests->here.place.events;
    rests->open_still -= is_kept && rests->open_still > 0;
    if (!is_kept && ended->begin < rests->here.place.events) {
        if (!mwa_grow(&rests->ended_here, &rests->ended_here_capacity, rests->ended_here_count + 1,
                      sizeof *rests->ended_here)) {
            return false;
        }
        rests->ended_here[rests->ended_here_count++] = *ended;
    }
    return mwa_quiet_tries_carry(rests->moments, ended);
}

void mwa_quiet_rests_take_back(struct mwa_quiet_rests *rests, uint64_t events)
{
    mwa_quiet_tries_take_back(rests->moments, events);
    rests->is_one &= rests->here.place.events <= events;
}

void mwa_quiet_rests_give(struct mwa_quiet_rests *rests, uint64_t enter)
{
    rests->here.gives_at = enter;
    mwa_quiet_tries_give(rests->lulls, enter);
    mwa_quiet_tries_give(rests->moments, enter);
}

void mwa_quiet_rests_begin_run(struct mwa_quiet_rests *rests)
{
    rests->moments->count = 0;
    rests->is_one = false;
}

void mwa_quiet_rests_fini(struct mwa_quiet_rests *rests)
{
    free(rests->ended_here);
}
