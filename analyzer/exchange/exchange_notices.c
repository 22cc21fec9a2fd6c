#include "analyzer/exchange/exchange_engine.h"

#include <string.h>

/* Post, start, complete and wait: see analyzer/exchange/exchange_onesided.h. */

static enum mw_call_kind kind_of(const struct mwa_exchange_call *call)
{
    return mw_call_kind(call->region->call);
}

/* The world rank of target in window; MWA_NONE: none, or not known. */
static uint32_t world_rank(const struct mwa_exchange *exchange, uint32_t window, uint32_t rank,
                           uint32_t target)
{
    uint32_t comm = exchange->trace->metrics.objects[window].comm;
    uint32_t found = mwa_trace_peer(exchange->trace, comm, rank, target);

    return found < exchange->trace->rank_count ? found : MWA_NONE;
}

void mwa_exchange_notices_release(struct mwa_exchange *exchange, struct mwa_notice *notice)
{
    if (--notice->references == 0) {
        mwa_exchange_release_call(exchange, notice->out);
        mwa_exchange_release_call(exchange, notice->start);
        mwa_exchange_release_call(exchange, notice->last);
        mwa_pool_give(&exchange->onesided.notices, notice);
    }
}

static struct mwa_exchange_call *keep(struct mwa_exchange_call *call)
{
    call->references++;
    return call;
}

static struct mwa_notice_channel *channel_of(struct mwa_exchange *exchange, struct mwa_key key)
{
    struct mwa_exchange_onesided *onesided = &exchange->onesided;
    uint64_t known = mwa_map_get(&onesided->by_channel, key);
    struct mwa_notice_channel *channel;

    if (known != MWA_MAP_ABSENT) {
        return (struct mwa_notice_channel *)(uintptr_t)known;
    }
    channel = mwa_pool_take(&onesided->channels);
    return channel && mwa_map_put(&onesided->by_channel, key, (uintptr_t)channel) ? channel
                                                                                    : NULL;
}

/*
 * The next notice on window from one world rank to another of which this side (given, or
 * awaited) was not read so far, to be released; null: no memory.
 */
static struct mwa_notice *next_notice(struct mwa_exchange *exchange, uint32_t window,
                                      uint32_t from, uint32_t to, bool is_post, bool is_given)
{
    struct mwa_notice_channel *channel =
        channel_of(exchange, (struct mwa_key){ (uint64_t)window << 1 | is_post,
                                               (uint64_t)from << 32 | to });
    struct mwa_notice *notice = channel ? channel->first : NULL;

    if (notice && (is_given ? notice->is_awaited : notice->out != NULL)) {
        channel->first = notice->next;
        return notice; /* the channel's reference is the caller's now */
    }
    notice = channel ? mwa_pool_take(&exchange->onesided.notices) : NULL;
    if (notice) {
        *notice = (struct mwa_notice){
            .window = window, .from = from, .references = 2, .is_post = is_post
        };
        *(channel->first ? &channel->last->next : &channel->first) = notice;
        channel->last = notice;
    }
    return notice;
}

/* Origin completes its access to target: its post can't come later. When its last operation
 * on it was left, or the start. */
static enum mw_status end_access(struct mwa_exchange *exchange, uint32_t origin,
                                 const struct mwa_onesided_data *data,
                                 struct mwa_exchange_call *call, uint64_t *since)
{
    uint64_t known = mwa_map_remove(&exchange->onesided.accesses,
                                    mwa_onesided_key(data->window, origin, data->target));
    const struct mwa_exchange_call *last;
    struct mwa_notice *post;
    enum mw_status status = MW_OK;

    if (known == MWA_MAP_ABSENT) {
        return MW_OK;
    }
    post = (struct mwa_notice *)(uintptr_t)known;
    last = post->last ? post->last : post->start;
    *since = last->is_left ? last->leave : last->enter;
    if (!post->is_joined) {
        status = mwa_exchange_hold(exchange, call, &(struct mwa_held){ .notice = post });
    }
    mwa_exchange_notices_release(exchange, post);
    return status;
}

enum mw_status mwa_exchange_notices_give(struct mwa_exchange *exchange, uint32_t rank,
                                         const struct mwa_onesided_data *data,
                                         struct mwa_exchange_call *call)
{
    uint32_t to = world_rank(exchange, data->window, rank, data->target);
    bool is_post = kind_of(call) == MW_KIND_WIN_POST;
    struct mwa_notice *notice;
    enum mw_status status = MW_OK;
    uint64_t since = 0;

    if (to == MWA_NONE || (!is_post && kind_of(call) != MW_KIND_WIN_COMPLETE)) {
        return MW_OK;
    }
    if (!is_post) {
        status = end_access(exchange, rank, data, call, &since);
    }
    notice = next_notice(exchange, data->window, rank, to, is_post, true);
    if (!notice) {
        return mwa_exchange_no_memory(exchange);
    }
    notice->out = keep(call);
    notice->since = since;
    if (status == MW_OK && notice->is_awaited && is_post) {
        status = mwa_exchange_settle_notice(exchange, notice);
    }
    if (notice->is_awaited) {
        mwa_exchange_notices_release(exchange, notice);
    } else {
        notice->references--; /* the channel keeps it */
    }
    return status;
}

/* Rank starts to access target: what it does there until it completes belongs to the post. */
static enum mw_status begin_access(struct mwa_exchange *exchange, uint32_t rank,
                                   const struct mwa_onesided_data *data,
                                   struct mwa_exchange_call *call, struct mwa_notice *post)
{
    uint64_t *place = mwa_map_put(&exchange->onesided.accesses,
                                  mwa_onesided_key(data->window, rank, data->target), 0);

    if (!place) {
        return mwa_exchange_no_memory(exchange);
    }
    if (*place != 0) { /* its complete is not in the archive */
        mwa_exchange_notices_release(exchange, (struct mwa_notice *)(uintptr_t)*place);
    }
    *place = (uintptr_t)post;
    post->references++;
    post->start = keep(call);
    return MW_OK;
}

enum mw_status mwa_exchange_notices_await(struct mwa_exchange *exchange, uint32_t rank,
                                          const struct mwa_onesided_data *data,
                                          struct mwa_exchange_call *call)
{
    uint32_t from = world_rank(exchange, data->window, rank, data->target);
    bool is_start = kind_of(call) == MW_KIND_WIN_START;
    struct mwa_notice *notice;
    bool was_given;
    enum mw_status status;

    if (from == MWA_NONE ||
        (!is_start && kind_of(call) != MW_KIND_WIN_WAIT && kind_of(call) != MW_KIND_WIN_TEST)) {
        return MW_OK;
    }
    notice = next_notice(exchange, data->window, from, rank, is_start, false);
    if (!notice) {
        return mwa_exchange_no_memory(exchange);
    }
    was_given = notice->out != NULL;
    notice->is_awaited = true;
    status = mwa_exchange_hold(exchange, call, &(struct mwa_held){ .notice = notice });
    if (status == MW_OK && is_start) {
        status = begin_access(exchange, rank, data, call, notice);
    }
    if (was_given) {
        mwa_exchange_notices_release(exchange, notice);
    } else {
        notice->references--;
    }
    return status;
}

enum mw_status mwa_exchange_notices_group(struct mwa_exchange *exchange, uint32_t rank,
                                          const struct mwa_onesided_data *data,
                                          struct mwa_exchange_call *call)
{
    bool gives = kind_of(call) == MW_KIND_WIN_POST || kind_of(call) == MW_KIND_WIN_COMPLETE;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < data->group->count && status == MW_OK; i++) {
        struct mwa_onesided_data each = *data;

        each.target = mwa_positions_find(&exchange->groups.positions, data->comm,
                                         data->group->ranks[i]);
        if (each.target != MWA_NONE) {
            status = gives ? mwa_exchange_notices_give(exchange, rank, &each, call)
                           : mwa_exchange_notices_await(exchange, rank, &each, call);
        }
    }
    return status;
}

enum mw_status mwa_exchange_notices_access(struct mwa_exchange *exchange, uint32_t rank,
                                           const struct mwa_onesided_data *data,
                                           struct mwa_exchange_call *call, bool *is_mine)
{
    uint64_t known = mwa_map_get(&exchange->onesided.accesses,
                                 mwa_onesided_key(data->window, rank, data->target));
    struct mwa_notice *post;

    *is_mine = known != MWA_MAP_ABSENT;
    if (!*is_mine) {
        return MW_OK;
    }
    post = (struct mwa_notice *)(uintptr_t)known;
    mwa_exchange_release_call(exchange, post->last);
    post->last = keep(call);
    return post->is_joined
               ? MW_OK
               : mwa_exchange_hold(exchange, call, &(struct mwa_held){ .notice = post });
}

bool mwa_exchange_notices_is_clear(const struct mwa_exchange *exchange,
                                   const struct mwa_held *held)
{
    const struct mwa_notice *notice = held->notice;

    return notice->is_post
               ? notice->is_joined || notice->out ||
                     mwa_exchange_known_of(exchange, notice->from) > held->call->leave
               : mwa_exchange_known_to_all(exchange) > held->call->leave;
}

/* Complete has waited for post. */
static void note_post(struct mwa_exchange *exchange, struct mwa_exchange_call *complete,
                      struct mwa_exchange_call *post)
{
    if (post->enter > complete->enter &&
        (!complete->post || post->enter > complete->post->enter ||
         (post->enter == complete->post->enter && post->rank < complete->post->rank))) {
        mwa_exchange_release_call(exchange, complete->post);
        complete->post = keep(post);
    }
}

/* The call of held, which waits for a complete, has waited for the post that this waited for, if it
 * was left behind that. */
static enum mw_status pair_with_post(struct mwa_exchange *exchange, const struct mwa_held *held)
{
    const struct mwa_notice *notice = held->notice;
    const struct mwa_collective like = { .kind = MWA_GROUP_COMPLETE, .since = UINT64_MAX };
    struct mwa_exchange_call *post = notice->out->post;

    return post && post->enter < held->call->leave && post->location != held->call->location
               ? mwa_exchange_pair(exchange, &like, notice->window, post, held->call)
               : MW_OK;
}

enum mw_status mwa_exchange_notices_settle(struct mwa_exchange *exchange,
                                           const struct mwa_held *held)
{
    struct mwa_notice *notice = held->notice;
    const struct mwa_collective like = { .kind = notice->is_post ? MWA_GROUP_POST
                                                                 : MWA_GROUP_COMPLETE,
                                         .since = notice->since };
    enum mw_status status;

    if (notice->is_joined || !notice->out || notice->out->enter >= held->call->leave) {
        return MW_OK;
    }
    notice->is_joined = true;
    if (notice->is_post && kind_of(held->call) == MW_KIND_WIN_COMPLETE) {
        note_post(exchange, held->call, notice->out);
    }
    status = mwa_exchange_pair(exchange, &like, notice->window, notice->out, held->call);
    return status == MW_OK && !notice->is_post ? pair_with_post(exchange, held) : status;
}

void mwa_exchange_notices_finish(struct mwa_exchange *exchange)
{
    struct mwa_notice *notice;

    for (uint64_t at = 0;
         (notice = mwa_pool_next(&exchange->onesided.notices, &at)) != NULL;) {
        if (notice->references > 0) {
            notice->references = 1;
            mwa_exchange_notices_release(exchange, notice);
        }
    }
}
