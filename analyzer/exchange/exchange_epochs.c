#include "analyzer/exchange/exchange_engine.h"

/*
 * Epochs that were unlocked, by when that was: a search tree (AVL) of those on one target of a
 * window, and another of all on the window, for those who lock all. In each shared and exclusive
 * ones are apart. A node also knows when the first unlock at or below it was entered, so that
 * those that had begun by some time are found without looking at all others.
 *
 * Old ones are forgotten from the first on, in both trees alike: an epoch that is the first of
 * its window is so on its target.
 */

/* So many are kept of a window without looking for old ones. */
#define EPOCHS_KEPT 64u

/* Which of its trees a node's links belong to. */
enum { OF_TARGET, OF_WINDOW };

/* Whether one is left before other; of those left at once the lower rank's counts as later. */
static bool is_before(const struct mwa_lock_epoch *one, const struct mwa_lock_epoch *other)
{
    if (one->unlock->leave != other->unlock->leave) {
        return one->unlock->leave < other->unlock->leave;
    }
    return one->rank != other->rank ? one->rank > other->rank : one->number > other->number;
}

/* --- a tree -------------------------------------------------------------------------------- */

static int height_of(const struct mwa_lock_epoch *node, unsigned of)
{
    return node ? node->links[of].height : 0;
}

/* Sets what a node knows of those below it. */
static void sum_up(struct mwa_lock_epoch *node, unsigned of)
{
    struct mwa_epoch_links *links = &node->links[of];
    const struct mwa_lock_epoch *const below[] = { links->before, links->behind };

    links->height = 1;
    links->first_enter = node->unlock->enter;
    for (unsigned i = 0; i < 2; i++) {
        if (height_of(below[i], of) >= links->height) {
            links->height = height_of(below[i], of) + 1;
        }
        if (below[i] && below[i]->links[of].first_enter < links->first_enter) {
            links->first_enter = below[i]->links[of].first_enter;
        }
    }
}

/* The one before node takes its place, or the one behind it. */
static struct mwa_lock_epoch *lift_before(struct mwa_lock_epoch *node, unsigned of)
{
    struct mwa_lock_epoch *lifted = node->links[of].before;

    node->links[of].before = lifted->links[of].behind;
    lifted->links[of].behind = node;
    sum_up(node, of);
    sum_up(lifted, of);
    return lifted;
}

static struct mwa_lock_epoch *lift_behind(struct mwa_lock_epoch *node, unsigned of)
{
    struct mwa_lock_epoch *lifted = node->links[of].behind;

    node->links[of].behind = lifted->links[of].before;
    lifted->links[of].before = node;
    sum_up(node, of);
    sum_up(lifted, of);
    return lifted;
}

/* How much higher the tree behind node is than that before it. */
static int lean_of(const struct mwa_lock_epoch *node, unsigned of)
{
    return height_of(node->links[of].behind, of) - height_of(node->links[of].before, of);
}

/* The root of node's tree, one of whose sides has changed by one node. */
static struct mwa_lock_epoch *balanced(struct mwa_lock_epoch *node, unsigned of)
{
    struct mwa_epoch_links *links = &node->links[of];

    sum_up(node, of);
    if (lean_of(node, of) > 1) {
        if (lean_of(links->behind, of) < 0) {
            links->behind = lift_before(links->behind, of);
        }
        return lift_behind(node, of);
    }
    if (lean_of(node, of) < -1) {
        if (lean_of(links->before, of) > 0) {
            links->before = lift_behind(links->before, of);
        }
        return lift_before(node, of);
    }
    return node;
}

/* The root of the tree with node in it. */
static struct mwa_lock_epoch *with(struct mwa_lock_epoch *root, struct mwa_lock_epoch *node,
                                   unsigned of)
{
    if (!root) {
        node->links[of] = (struct mwa_epoch_links){ .before = NULL };
        sum_up(node, of);
        return node;
    }
    if (is_before(node, root)) {
        root->links[of].before = with(root->links[of].before, node, of);
    } else {
        root->links[of].behind = with(root->links[of].behind, node, of);
    }
    return balanced(root, of);
}

/* The root of the tree without its first node. */
static struct mwa_lock_epoch *without_first(struct mwa_lock_epoch *root, unsigned of)
{
    if (!root->links[of].before) {
        return root->links[of].behind;
    }
    root->links[of].before = without_first(root->links[of].before, of);
    return balanced(root, of);
}

/* --- the epochs of a window ------------------------------------------------------------------ */

static struct mwa_key target_key(uint32_t window, bool exclusive, uint32_t target)
{
    return (struct mwa_key){ (uint64_t)window << 1 | exclusive, target };
}

/* The tree of the epochs on target, which MWA_NONE is, too. */
static struct mwa_lock_epoch *tree_on(const struct mwa_exchange *exchange, uint32_t window,
                                      bool exclusive, uint32_t target)
{
    uint64_t known = mwa_map_get(&exchange->onesided.closed,
                                 target_key(window, exclusive, target));

    return known == MWA_MAP_ABSENT ? NULL : (struct mwa_lock_epoch *)(uintptr_t)known;
}

/* Takes the first of the window's shared or exclusive ones out of its trees. */
static void forget_first(struct mwa_exchange *exchange, struct mwa_lock_window *window,
                         struct mwa_lock_epoch *first)
{
    const struct mwa_key key = target_key(first->window, first->exclusive, first->target);
    struct mwa_lock_epoch **all = &window->closed[first->exclusive];
    struct mwa_lock_epoch *rest =
        without_first(tree_on(exchange, first->window, first->exclusive, first->target),
                      OF_TARGET);

    (void)mwa_map_remove(&exchange->onesided.closed, key);
    if (rest) { /* there is room for what was there before */
        *mwa_map_put(&exchange->onesided.closed, key, 0) = (uintptr_t)rest;
    }
    *all = without_first(*all, OF_WINDOW);
    window->count--;
    mwa_exchange_locks_release(exchange, first);
}

/* Nothing before this time can turn out to have been a wait for a lock any more. */
static uint64_t settled_before(const struct mwa_exchange *exchange)
{
    const struct mwa_exchange_onesided *onesided = &exchange->onesided;
    uint64_t time = mwa_exchange_known_to_all(exchange);

    for (uint64_t i = 0; i < onesided->for_all.count; i++) {
        uint64_t enter = onesided->for_all.items[i]->call->enter;

        time = enter < time ? enter : time;
    }
    return time;
}

/* Forgets epochs that nobody can have waited for but who is looked at already. */
static void forget_old(struct mwa_exchange *exchange, struct mwa_lock_window *window)
{
    uint64_t settled;

    if (window->count < window->enough || window->count < EPOCHS_KEPT) {
        return;
    }
    settled = settled_before(exchange);
    for (unsigned exclusive = 0; exclusive < 2; exclusive++) {
        for (;;) {
            struct mwa_lock_epoch *first = window->closed[exclusive];

            while (first && first->links[OF_WINDOW].before) {
                first = first->links[OF_WINDOW].before;
            }
            if (!first || first->unlock->leave > settled) {
                break;
            }
            forget_first(exchange, window, first);
        }
    }
    window->enough = 2 * window->count + exchange->onesided.for_all.count;
}

enum mw_status mwa_exchange_epochs_add(struct mwa_exchange *exchange,
                                       struct mwa_lock_epoch *epoch)
{
    struct mwa_lock_window *window = &exchange->onesided.windows[epoch->window];
    uint64_t *place;

    forget_old(exchange, window);
    place = mwa_map_put(&exchange->onesided.closed,
                        target_key(epoch->window, epoch->exclusive, epoch->target), 0);
    if (!place) {
        return mwa_exchange_no_memory(exchange);
    }
    *place = (uintptr_t)with((struct mwa_lock_epoch *)(uintptr_t)*place, epoch, OF_TARGET);
    window->closed[epoch->exclusive] = with(window->closed[epoch->exclusive], epoch, OF_WINDOW);
    window->count++;
    return MW_OK;
}

/* --- who waited for whom --------------------------------------------------------------------- */

/* The epochs that a call waited for, the one that was left last first. */
struct search {
    const struct mwa_held *held;
    const struct mwa_lock_epoch **found;
    uint32_t count;
    uint32_t most;
};

/*
 * Whether the call, which has unlocked its epoch, may have kept rival waiting in its own unlock,
 * which was left later: then rival can't have had the lock before.
 */
static bool is_behind(const struct mwa_held *held, const struct mwa_lock_epoch *rival)
{
    return held->call == held->epoch->unlock &&
           !(rival->is_sure && rival->sure_since < rival->unlock->enter);
}

/* Whether the search's call waited for a rival, whose target is the same. */
static bool waited_for(const struct mwa_held *held, const struct mwa_lock_epoch *rival)
{
    const struct mwa_exchange_call *call = held->call;
    const struct mwa_exchange_call *unlock = rival->unlock;

    if (rival->rank == held->epoch->rank || unlock->leave <= call->enter ||
        unlock->enter >= call->leave || rival->lock->enter >= call->leave) {
        return false;
    }
    return unlock->leave <= call->leave ||
           (unlock->enter >= call->enter && !is_behind(held, rival) &&
            unlock->leave - call->leave <= call->leave - call->enter);
}

/* Looks through the tree of root from its end, where there can be any. */
static void look_through(struct search *search, const struct mwa_lock_epoch *root, unsigned of)
{
    const struct mwa_exchange_call *call = search->held->call;

    if (!root || root->links[of].first_enter >= call->leave) {
        return;
    }
    if (root->unlock->leave <= call->leave ||
        root->unlock->leave - call->leave <= call->leave - call->enter) {
        look_through(search, root->links[of].behind, of);
    }
    if (search->count < search->most && waited_for(search->held, root)) {
        search->found[search->count++] = root;
    }
    if (search->count < search->most && root->unlock->leave > call->enter) {
        look_through(search, root->links[of].before, of);
    }
}

/* Those of a tree come behind those there are. */
static void look_in(struct search *search, const struct mwa_lock_epoch *root, unsigned of)
{
    search->most = search->count + MWA_RIVALS_TOLD;
    look_through(search, root, of);
}

uint32_t mwa_exchange_epochs_find(const struct mwa_exchange *exchange,
                                  const struct mwa_held *held,
                                  const struct mwa_lock_epoch *found[MWA_RIVALS_FOUND])
{
    uint32_t window = held->epoch->window;
    struct search search = { .held = held, .found = found };

    for (unsigned exclusive = !held->epoch->exclusive; exclusive < 2; exclusive++) {
        if (held->target == MWA_NONE) {
            look_in(&search, exchange->onesided.windows[window].closed[exclusive], OF_WINDOW);
        } else {
            look_in(&search, tree_on(exchange, window, exclusive, held->target), OF_TARGET);
            look_in(&search, tree_on(exchange, window, exclusive, MWA_NONE), OF_TARGET);
        }
    }
    return search.count;
}

bool mwa_exchange_epochs_is_later(const struct mwa_lock_epoch *one,
                                  const struct mwa_lock_epoch *other)
{
    return is_before(other, one);
}
