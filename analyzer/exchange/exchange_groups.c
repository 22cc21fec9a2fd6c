#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/needs.h"
#include "formats/base/order.h"

#define AHEAD 4u /* members whose calls are fetched from memory while others are looked at */

/* Instances may take so much memory at the end of a round before the oldest are given up. */
#define BYTES_PER_LOCATION (100u << 10)
#define BYTES_ALWAYS       (UINT64_C(16) << 20)

enum mw_status mwa_exchange_no_memory(struct mwa_exchange *exchange)
{
    return mw_no_memory(&exchange->diagnostic, NULL, "to follow collective operations");
}

/* Whether member is of an intercommunicator's group A. */
static bool is_of_first(const struct mwa_collective *collective, const struct mwa_member *member)
{
    return member - collective->members < collective->first_count;
}

/* Whether all of member's group on an intercommunicator have begun. */
static bool is_last_of_group(const struct mwa_collective *collective,
                             const struct mwa_member *member)
{
    return is_of_first(collective, member)
               ? collective->first_begun == collective->first_count
               : collective->begun - collective->first_begun ==
                     collective->count - collective->first_count;
}

/* Whether all have begun that member may need, on an intercommunicator those of the other group. */
static bool have_all_begun(const struct mwa_collective *collective,
                           const struct mwa_member *member)
{
    if (!collective->inter) {
        return collective->begun == collective->count;
    }
    return is_of_first(collective, member)
               ? collective->begun - collective->first_begun ==
                     collective->count - collective->first_count
               : collective->first_begun == collective->first_count;
}

/* Whether what member needs has begun. */
static bool is_served(const struct mwa_collective *collective, struct mwa_member *member)
{
    const struct mwa_member *root =
        collective->root == MWA_NONE ? NULL : &collective->members[collective->root];

    if (member->sources) {
        return mwa_exchange_sources_are_served(member);
    }
    switch (mwa_needs_of(collective)) {
    case MWA_NEEDS_NOBODY:
        return true;
    case MWA_NEEDS_FIRST:
    case MWA_NEEDS_ROOT:
        return !root || member == root || (root->begin && root->begin->has_begun) ||
               (collective->inter &&
                is_of_first(collective, member) == is_of_first(collective, root));
    case MWA_NEEDS_ALL_AT_ROOT:
        return member != root || have_all_begun(collective, member);
    case MWA_NEEDS_ALL:
    case MWA_NEEDS_DATA:
    case MWA_NEEDS_LOWER: /* of whom the last is as good as all */
        break;
    }
    return have_all_begun(collective, member);
}

static void stop_waiting(struct mwa_exchange *exchange, struct mwa_collective *collective,
                         bool all)
{
    for (uint32_t i = 0; i < collective->count; i++) {
        struct mwa_member *member = &collective->members[i];

        if (i + AHEAD < collective->count) {
            mwa_pool_fetch(collective->members[i + AHEAD].end, exchange->calls.size);
        }
        if (member->waits && (all || is_served(collective, member))) {
            member->waits = false;
            if (!member->end->has_ended) {
                mwa_exchange_decide(exchange, member->end);
            }
        }
    }
}

void mwa_exchange_groups_became_local(struct mwa_exchange *exchange,
                                      struct mwa_collective *collective)
{
    stop_waiting(exchange, collective, false);
}

void mwa_exchange_groups_begun(struct mwa_exchange *exchange, struct mwa_member *member)
{
    struct mwa_collective *collective = member->collective;
    bool is_root = collective->root != MWA_NONE &&
                   member == &collective->members[collective->root];
    bool is_last;

    collective->begun++;
    collective->first_begun += is_of_first(collective, member);
    mwa_exchange_sources_begun(exchange, member);
    is_last = collective->begun == collective->count ||
              (collective->inter && is_last_of_group(collective, member));
    if (is_last || is_root) {
        stop_waiting(exchange, collective, false);
    }
}

/* --- instances -------------------------------------------------------------------------- */

/* Without the listeners' notes, so that what is given up does not depend on how many there are. */
static uint64_t bytes_of(const struct mwa_collective *collective)
{
    return sizeof *collective + (uint64_t)collective->count * sizeof *collective->members;
}

static void unlink_instance(struct mwa_exchange_groups *groups, struct mwa_collective *collective)
{
    mwa_map_remove(&groups->instances, collective->key);
    *(collective->previous ? &collective->previous->next : &groups->oldest) = collective->next;
    *(collective->next ? &collective->next->previous : &groups->youngest) = collective->previous;
    collective->next = collective->previous = NULL;
    groups->bytes -= bytes_of(collective);
}

/* Tells an instance that all present members have ended, and frees it. */
static enum mw_status tell(struct mwa_exchange *exchange, struct mwa_collective *collective)
{
    enum mw_status status;

    collective->complete = collective->present == collective->count;
    exchange->result.collectives++;
    exchange->result.collectives_incomplete += !collective->complete;
    status = mwa_audience_collective(&exchange->near, collective);
    if (exchange->relay) {
        mwa_relay_tell(exchange->relay, MWA_RELAYED_COLLECTIVE, collective);
    }
    for (uint32_t i = 0; i < collective->count; i++) {
        if (i + AHEAD < collective->count) {
            mwa_pool_fetch(collective->members[i + AHEAD].end, exchange->calls.size);
        }
        mwa_exchange_release_call(exchange, collective->members[i].begin);
        mwa_exchange_release_call(exchange, collective->members[i].end);
    }
    if (exchange->relay) {
        mwa_relay_release(exchange->relay, MWA_RELAYED_COLLECTIVE, collective);
    } else {
        free(collective);
    }
    return status;
}

enum mw_status mwa_exchange_groups_ended(struct mwa_exchange *exchange, struct mwa_member *member)
{
    struct mwa_collective *collective = member->collective;

    collective->ended++;
    if (collective->ended < collective->present ||
        (collective->present < collective->count && !collective->is_given_up)) {
        return MW_OK;
    }
    if (!collective->is_given_up) {
        unlink_instance(&exchange->groups, collective);
    }
    return tell(exchange, collective);
}

/* Nobody else is waited for; members that come yet start an instance of their own. */
static enum mw_status give_up(struct mwa_exchange *exchange, struct mwa_collective *collective)
{
    unlink_instance(&exchange->groups, collective);
    collective->is_given_up = true;
    for (uint32_t i = 0; i < collective->count; i++) {
        if (collective->members[i].waits) {
            collective->members[i].end->unresolved = true;
        }
    }
    stop_waiting(exchange, collective, true);
    return collective->ended == collective->present ? tell(exchange, collective) : MW_OK;
}

/* When the first of its members that are there began. */
static uint64_t begin_of(const struct mwa_collective *collective)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_exchange_call *begin = collective->members[i].begin;

        first = begin && begin->enter < first ? begin->enter : first;
    }
    return first;
}

struct aged {
    struct mwa_collective *collective;
    uint64_t begin;
};

/* By what is in the archive: when they began, and what they are. */
static int by_age(const void *one, const void *other)
{
    const struct aged *a = one, *b = other;

    return mw_order(a->begin, b->begin)
               ?: mw_order(a->collective->key.high, b->collective->key.high)
               ?: mw_order(a->collective->key.low, b->collective->key.low);
}

/* Gives up the oldest of all instances until there are no more bytes than limit. */
static enum mw_status give_up_oldest(struct mwa_exchange *exchange, uint64_t limit)
{
    struct mwa_exchange_groups *groups = &exchange->groups;
    enum mw_status status = mwa_exchange_end_relay(exchange);
    struct aged *aged;
    uint64_t count = 0;

    for (struct mwa_collective *at = groups->oldest; at; at = at->next) {
        count++;
    }
    aged = calloc(count + 1, sizeof *aged);
    if (!aged) {
        return mwa_exchange_no_memory(exchange);
    }
    count = 0;
    for (struct mwa_collective *at = groups->oldest; at; at = at->next) {
        aged[count++] = (struct aged){ at, begin_of(at) };
    }
    qsort(aged, count, sizeof *aged, by_age);
    for (uint64_t i = 0; i < count && groups->bytes > limit && status == MW_OK; i++) {
        status = give_up(exchange, aged[i].collective);
    }
    free(aged);
    return status;
}

enum mw_status mwa_exchange_groups_round(struct mwa_exchange *exchange)
{
    const uint64_t limit = BYTES_ALWAYS + BYTES_PER_LOCATION * exchange->trace->location_count;

    /* More than has to: it is not to be looked for in each round. */
    if (exchange->groups.bytes <= limit) {
        return MW_OK;
    }
    exchange->has_given_up = true;
    return give_up_oldest(exchange, limit - limit / 8);
}

struct mwa_collective *mwa_exchange_instance(struct mwa_exchange *exchange,
                                             const struct mwa_collective *like)
{
    struct mwa_exchange_groups *groups = &exchange->groups;
    uint64_t known = mwa_map_get(&groups->instances, like->key);
    struct mwa_collective *made;
    uint64_t *notes;

    if (known != MWA_MAP_ABSENT) {
        return (struct mwa_collective *)(uintptr_t)known;
    }
    made = calloc(1, bytes_of(like) + like->count * exchange->listener_count * sizeof *notes);
    if (!made || !mwa_map_put(&groups->instances, like->key, (uintptr_t)made)) {
        free(made);
        return NULL;
    }
    *made = *like;
    made->members = (struct mwa_member *)(made + 1);
    notes = (uint64_t *)(made->members + made->count);
    for (uint32_t i = 0; i < made->count; i++) {
        made->members[i].collective = made;
        made->members[i].rank = MWA_NONE;
        made->members[i].note = notes + (size_t)i * exchange->listener_count;
    }
    made->previous = groups->youngest;
    *(groups->youngest ? &groups->youngest->next : &groups->oldest) = made;
    groups->youngest = made;
    groups->bytes += bytes_of(made);
    return made;
}

static void add_member(struct mwa_exchange *exchange, struct mwa_collective *collective,
                       uint32_t position, const struct mwa_exchange_post *part,
                       const struct mwa_sources *sources)
{
    struct mwa_member *member = &collective->members[position];

    if (member->begin) {
        return; /* a rank twice in one place: an archive that contradicts itself */
    }
    member->rank = part->begin->rank;
    member->begin = part->begin;
    member->end = part->end;
    member->bytes_sent = part->data.bytes_sent;
    member->bytes_received = part->data.bytes_received;
    member->sources = sources;
    member->begin->references++;
    member->end->references++;
    collective->present++;
    member->next_finished = member->end->finished;
    member->end->finished = member;
    member->waits = true;
    member->end->undecided++;
    if (member->begin->has_begun) {
        mwa_exchange_groups_begun(exchange, member);
    } else {
        member->next_joined = member->begin->joined;
        member->begin->joined = member;
    }
    if (member->waits && is_served(collective, member)) {
        member->waits = false;
        mwa_exchange_decide(exchange, member->end);
    } else if (member->waits && sources) {
        mwa_exchange_sources_watch(member);
    }
}

enum mw_status mwa_exchange_join(struct mwa_exchange *exchange,
                                 const struct mwa_collective *like, uint32_t position,
                                 const struct mwa_exchange_post *part)
{
    struct mwa_collective *collective = mwa_exchange_instance(exchange, like);
    const struct mwa_sources *sources;

    if (!collective || mwa_exchange_sources_find(exchange, like->comm, part->data.sources,
                                                 &sources) != MW_OK) {
        return mwa_exchange_no_memory(exchange);
    }
    if (collective->root == MWA_NONE && like->root != MWA_NONE) {
        collective->root = like->root; /* MPI_PROC_NULL does not say which one it is */
    }
    if (position < collective->count) {
        add_member(exchange, collective, position, part, sources);
    }
    return MW_OK;
}

/* --- the module ------------------------------------------------------------------------- */

bool mwa_exchange_groups_init(struct mwa_exchange *exchange)
{
    struct mwa_exchange_groups *groups = &exchange->groups;

    groups->posts = calloc(exchange->trace->rank_count + 1, sizeof *groups->posts);
    return mwa_positions_init(&groups->positions, exchange->trace) && groups->posts &&
           mwa_exchange_count_creations(exchange);
}

void mwa_exchange_groups_fini(struct mwa_exchange *exchange)
{
    struct mwa_exchange_groups *groups = &exchange->groups;
    struct mwa_collective *next;

    for (struct mwa_collective *collective = groups->oldest; collective; collective = next) {
        next = collective->next;
        free(collective);
    }
    mwa_exchange_posts_fini(exchange);
    mwa_positions_fini(&groups->positions);
    mwa_map_fini(&groups->instances);
    mwa_map_fini(&groups->sequences);
    mwa_map_fini(&groups->creations);
    mwa_exchange_sources_fini(exchange);
}

enum mw_status mwa_exchange_groups_finish(struct mwa_exchange *exchange)
{
    return give_up_oldest(exchange, 0);
}
