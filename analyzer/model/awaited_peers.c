/*
 * Whom a member of an operation with a root, of a scan, or between groups waited for is not said
 * by the operation: an MPI may let it go as soon as it has given, or hand on what it gets along a
 * tree. That another rank came just before it went on is what is left to tell it by.
 */
#include "analyzer/model/awaited_peers.h"

#include <stdlib.h>

/* What a member waited for others to come to MPI. */
struct awaited {
    const struct mwa_exchange_call *call; /* that it was left soon behind; null: none */
    uint64_t longest;                     /* ticks that it waited for it */
    uint64_t sum;                         /* … and for all that did while it was in its call */
};

/* member waited since then, if it did, until another one came with other. */
static void await_call(struct awaited *awaited, const struct mwa_exchange_call *call,
                       const struct mwa_exchange_call *other, uint64_t since)
{
    if (mwa_is_left_soon(call, other, since) && other->enter - since > awaited->longest) {
        awaited->call = other;
        awaited->longest = other->enter - since;
    }
}

/* peer, of the same operation, began it with the last call of a row. */
static void await_row(struct awaited *awaited, const struct mwa_exchange_call *call,
                      const struct mwa_member *peer)
{
    const struct mwa_exchange_call *last = peer->begin;
    uint64_t longest = 0;

    for (const struct mwa_exchange_call *other = last;
         other && other->enter > call->enter && other->row == last->row;
         other = other->longer) {
        const uint64_t since = mwa_progress_since(call, other);

        if (!other->is_rooted || other->enter >= call->leave || since >= other->enter) {
            continue;
        }
        longest = other->enter - since > longest ? other->enter - since : longest;
        await_call(awaited, call, other, since);
    }
    awaited->sum += longest;
}

/* peer came with other, for which member may have waited since then. */
static void await_peer(struct awaited *awaited, const struct mwa_exchange_call *call,
                       const struct mwa_exchange_call *other, uint64_t since)
{
    if (other->enter > since && other->enter < call->leave) {
        await_call(awaited, call, other, since);
        awaited->sum += other->enter - since;
    }
}

/* How many times one is in sum, which it is a part of, to the nearest. */
static uint64_t as_many(uint64_t sum, uint64_t one)
{
    return sum / one + (sum % one > one / 2);
}

/* Whether call was left soon behind the one that it waited for, as one of as many. */
static const struct mwa_exchange_call *awaited_call(const struct awaited *awaited,
                                                    const struct mwa_exchange_call *call)
{
    return awaited->call && mwa_is_left_within(call, awaited->call,
                                           awaited->call->enter - awaited->longest,
                                           MWA_SOON * as_many(awaited->sum, awaited->longest))
               ? awaited->call
               : NULL;
}

static bool is_scan(const struct mwa_collective *collective)
{
    return mwa_needs_of(collective) == MWA_NEEDS_LOWER;
}

/* Whether it is one between two groups in which each member needs those of the other one. */
static bool is_between_all(const struct mwa_collective *collective)
{
    return mwa_may_await_own_group(collective) && !mwa_needs_root(collective);
}

/* Whether member is the root, and needs all others. */
static bool needs_all(const struct mwa_member *member)
{
    const struct mwa_collective *collective = member->collective;

    return mwa_needs_of(collective) == MWA_NEEDS_ALL_AT_ROOT &&
           member == &collective->members[collective->root];
}

/* Members of an operation: from … to, exclusive. */
struct peers {
    uint32_t from;
    uint32_t to;
};

/* Those of one of the groups of an intercommunicator: member's own, or the other one. */
static struct peers group_of(const struct mwa_member *member, bool is_own)
{
    const struct mwa_collective *collective = member->collective;
    const bool is_first = member < collective->members + collective->first_count;

    return is_first == is_own
               ? (struct peers){ 0, collective->first_count }
               : (struct peers){ collective->first_count, collective->count };
}

/* Whether member gets what the root of its operation gives, is in a scan, or gets of another
 * group. */
static bool does_get(const struct mwa_member *member)
{
    const struct mwa_collective *collective = member->collective;

    return is_scan(collective) || is_between_all(collective) ||
           (mwa_needs_of(collective) == MWA_NEEDS_ROOT &&
            member != &collective->members[collective->root]);
}

/* Whether it takes part in what its operation moves. */
static bool has_part(const struct mwa_member *member)
{
    return member->bytes_sent > 0 || member->bytes_received > 0 ||
           mwa_needs_of(member->collective) == MWA_NEEDS_ALL;
}

/* Of whom member gets, or, as the root of a reduction, needs something. */
static struct peers givers_of(const struct mwa_member *member)
{
    const struct mwa_collective *collective = member->collective;

    if (needs_all(member)) {
        return (struct peers){ 0, collective->count };
    }
    if (is_scan(collective)) {
        return (struct peers){ 0, (uint32_t)(member - collective->members) };
    }
    return is_between_all(collective)
               ? group_of(member, false)
               : (struct peers){ collective->root, collective->root + 1 };
}

/* When those had come of whom member gets, and itself: before, it waited for that. */
static uint64_t givers_came(const struct mwa_member *member)
{
    const struct peers givers = givers_of(member);
    uint64_t came = member->end->enter;

    for (uint32_t i = givers.from; i < givers.to; i++) {
        const struct mwa_member *giver = &member->collective->members[i];

        if (has_part(giver) && giver->begin->enter > came) {
            came = giver->begin->enter;
        }
    }
    return came;
}

/* Whether it is only by their coming to the operation itself that others let member go on. */
static bool awaits_parts(const struct mwa_collective *collective)
{
    return collective->nonblocking || collective->inter;
}

/* From when on member may have waited for others to come to its operation. */
static uint64_t may_wait_since(const struct mwa_member *member)
{
    return does_get(member) || needs_all(member) ? givers_came(member) : member->end->enter;
}

/* Since when peer had begun its part, and was outside, while member, which may have waited for
 * others since then, was in the call that completes its own. */
static uint64_t gone_since(const struct mwa_member *member, const struct mwa_member *peer,
                           uint64_t since)
{
    const uint64_t outside = mwa_progress_since(member->end, peer->end);
    const uint64_t gone = peer->begin->enter > outside ? peer->begin->enter : outside;

    return since > gone ? since : gone;
}

uint64_t mwa_awaited_return_since(const struct mwa_member *member,
                                  const struct mwa_exchange_call *other)
{
    return does_get(member) || awaits_parts(member->collective)
               ? may_wait_since(member)
               : mwa_progress_since(member->end, other);
}

/* Which members one may have waited for. */
static struct peers peers_of(const struct mwa_member *member)
{
    const struct mwa_collective *collective = member->collective;

    if (is_scan(collective)) {
        const uint32_t behind = (uint32_t)(member - collective->members) + 1;

        return (struct peers){ collective->nonblocking ? 0 : behind, collective->count };
    }
    if (is_between_all(collective)) {
        return collective->nonblocking ? (struct peers){ 0, collective->count }
                                       : group_of(member, true);
    }
    return collective->count <= MWA_PEERS || member == &collective->members[collective->root]
               ? (struct peers){ 0, collective->count }
               : (struct peers){ collective->root, collective->root + 1 };
}

static int by_time(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one;
    const uint64_t b = *(const uint64_t *)other;

    return (a > b) - (a < b);
}

static bool take_enter(struct mwa_comers *comers, const struct mwa_exchange_call *call)
{
    if (comers->count == MWA_COMERS) {
        return false;
    }
    comers->enters[comers->count++] = call->enter;
    return true;
}

/* Whether all of it is there that tells whom members may have waited for. Who says MPI_PROC_NULL
 * between two groups does not know the root. */
static bool is_known(const struct mwa_collective *collective)
{
    return mwa_may_hold_some(collective) && collective->complete &&
           (collective->root != MWA_NONE || !mwa_needs_root(collective));
}

/* Takes when peer came; false: there is no room for it. */
static bool take_comer(struct mwa_comers *comers, const struct mwa_member *peer)
{
    const struct mwa_collective *collective = peer->collective;
    const bool by_rows = !awaits_parts(collective) &&
                         mwa_needs_of(collective) == MWA_NEEDS_ALL_AT_ROOT;
    const struct mwa_exchange_call *call = peer->begin;
    bool has_room = !collective->nonblocking || take_enter(comers, peer->end);

    for (uint64_t row = call->row; has_room && call && call->row == row;
         call = by_rows ? call->longer : NULL) {
        has_room = take_enter(comers, call);
    }
    return has_room;
}

/* Takes how long a member took since it had come and who gives to it, if it gets. */
static void take_quickest(struct mwa_comers *comers, const struct mwa_member *member)
{
    const uint64_t came = does_get(member) ? givers_came(member) : UINT64_MAX;

    if (member->end->leave > came && member->end->leave - came < comers->quickest) {
        comers->quickest = member->end->leave - came;
    }
}

void mwa_comers_find(struct mwa_comers *comers, const struct mwa_collective *collective)
{
    comers->count = 0;
    comers->quickest = UINT64_MAX;
    comers->are_known = is_known(collective) && collective->count <= MWA_PEERS;
    for (uint32_t i = 0; comers->are_known && i < collective->count; i++) {
        if (has_part(&collective->members[i])) {
            comers->are_known = take_comer(comers, &collective->members[i]);
            take_quickest(comers, &collective->members[i]);
        }
    }
    if (comers->are_known) {
        qsort(comers->enters, comers->count, sizeof *comers->enters, by_time);
    }
}

/* The first of those that came at time, or later. */
static uint32_t first_from(const struct mwa_comers *comers, uint64_t time)
{
    uint32_t from = 0, to = comers->count;

    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;

        if (comers->enters[middle] < time) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Whether call, which may have waited since then, was left soon behind anybody's coming: it was
 * behind the last one's before, if any. If all is waited for since then, as one of those. */
static bool may_be_left_soon(const struct mwa_comers *comers, const struct mwa_exchange_call *call,
                             uint64_t since, bool is_since_for_all)
{
    const uint32_t end = comers->are_known ? first_from(comers, call->leave) : 0;
    const uint64_t last = end > 0 ? comers->enters[end - 1] : 0;
    uint64_t sum = 0;

    if (!comers->are_known || last <= since) {
        return !comers->are_known;
    }
    for (uint32_t i = end; is_since_for_all && i > 0 && comers->enters[i - 1] > since; i--) {
        sum += comers->enters[i - 1] - since;
    }
    return call->leave - last <=
           (last - since) / (MWA_SOON * (is_since_for_all ? as_many(sum, last - since) : 1));
}

/* Whether nobody can tell whom member of a blocking operation waited for, or all know it. */
static bool is_told_otherwise(const struct mwa_member *member)
{
    const struct mwa_collective *collective = member->collective;

    if (!is_known(collective) || collective->nonblocking || !has_part(member)) {
        return true;
    }
    if (is_scan(collective) || collective->inter) {
        return collective->count > MWA_PEERS || (!is_scan(collective) && needs_all(member));
    }
    return !member->end->is_rooted || needs_all(member);
}

const struct mwa_exchange_call *mwa_awaited_return(const struct mwa_member *member,
                                                   const struct mwa_comers *comers)
{
    const struct mwa_collective *collective = member->collective;
    struct awaited awaited = { .call = NULL };
    struct peers peers;
    uint64_t came;
    bool takes;

    if (is_told_otherwise(member)) {
        return NULL;
    }
    peers = peers_of(member);
    takes = does_get(member);
    came = takes ? givers_came(member) : member->end->enter;
    if ((takes || mwa_needs_of(collective) == MWA_NEEDS_ALL_AT_ROOT) &&
        !may_be_left_soon(comers, member->end, came, takes)) {
        return NULL;
    }
    for (uint32_t i = peers.from; i < peers.to; i++) {
        const struct mwa_member *peer = &collective->members[i];

        if (peer == member || !has_part(peer)) {
            continue;
        }
        if (takes || collective->inter) {
            await_peer(&awaited, member->end, peer->begin, came);
        } else {
            await_row(&awaited, member->end, peer);
        }
    }
    return takes && awaited.longest <= comers->quickest ? NULL
                                                         : awaited_call(&awaited, member->end);
}

/* member may have waited for another one, peer, to begin its part of an operation that does not
 * block, since then and for longer than least; or to come to the call that completes it. */
static void await_part(struct awaited *awaited, const struct mwa_member *member,
                       const struct mwa_member *peer, uint64_t since, uint64_t least)
{
    const struct mwa_exchange_call *call = member->end;
    const uint64_t gone = gone_since(member, peer, since);
    uint64_t longest = 0;

    if (peer->begin->enter > since && peer->begin->enter < call->leave &&
        peer->begin->enter - since > least) {
        longest = peer->begin->enter - since;
        await_call(awaited, call, peer->begin, since);
    }
    if (peer->end->enter > gone && peer->end->enter < call->leave) {
        longest = peer->end->enter - gone > longest ? peer->end->enter - gone : longest;
        await_call(awaited, call, peer->end, gone);
    }
    awaited->sum += longest;
}

const struct mwa_exchange_call *mwa_awaited_completion(const struct mwa_member *member,
                                                       const struct mwa_comers *comers)
{
    const struct mwa_collective *collective = member->collective;
    const struct mwa_exchange_call *call = member->end;
    struct awaited awaited = { .call = NULL };
    struct peers peers;
    uint64_t since, least;

    if (!is_known(collective) || !collective->nonblocking ||
        (collective->root == MWA_NONE && collective->count > MWA_PEERS) || mwa_never_waits(call) ||
        !has_part(member) || !may_be_left_soon(comers, call, call->enter, false)) {
        return NULL;
    }
    since = may_wait_since(member);
    least = does_get(member) ? comers->quickest : 0;
    peers = peers_of(member);
    for (uint32_t i = peers.from; i < peers.to; i++) {
        const struct mwa_member *peer = &collective->members[i];

        if (peer != member && has_part(peer)) {
            await_part(&awaited, member, peer, since, least);
        }
    }
    return awaited_call(&awaited, call);
}

struct mwa_awaited_part mwa_awaited_part_of(const struct mwa_member *member,
                                            const struct mwa_exchange_call *awaited)
{
    const struct mwa_collective *collective = member->collective;
    const struct peers peers = mwa_may_hold_some(collective) ? peers_of(member)
                                                             : (struct peers){ 0, 0 };
    const uint64_t since = peers.to > 0 ? may_wait_since(member) : 0;

    for (uint32_t i = peers.from; i < peers.to; i++) {
        const struct mwa_member *peer = &collective->members[i];

        if (peer->begin == awaited) {
            return (struct mwa_awaited_part){ true, since };
        }
        if (peer->end == awaited) {
            return (struct mwa_awaited_part){ false, gone_since(member, peer, since) };
        }
    }
    return (struct mwa_awaited_part){ false, mwa_progress_since(member->end, awaited) };
}
