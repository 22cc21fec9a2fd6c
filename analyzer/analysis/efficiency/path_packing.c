/*
 * Nodes travel in an order in which each comes behind the one that it continues, so that bytes
 * can't make a path go round in circles. Who holds a node follows from the rest.
 */
#include "analyzer/analysis/efficiency/path_packing.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

/* A node as it travels, but for its sums. */
struct head {
    uint64_t before; /* number of the node that it continues; NOBODY: none */
    uint64_t hops;
};

#define NOBODY MWA_MAP_ABSENT /* as a node that has no number, or is null */

/* --- out -------------------------------------------------------------------------------------- */

struct numbering {
    struct mwa_map numbers;      /* by node */
    struct mwa_path_node **list; /* by number */
    uint64_t count, capacity;
};

static struct mwa_key key_of(const struct mwa_path_node *node)
{
    return (struct mwa_key){ 0, (uintptr_t)node };
}

static uint64_t number_of(const struct numbering *numbering, const struct mwa_path_node *node)
{
    return mwa_map_get(&numbering->numbers, key_of(node));
}

/* Turns the nodes from first on round. */
static void turn_round(struct numbering *numbering, uint64_t first)
{
    for (uint64_t last = numbering->count; first + 1 < last; first++) {
        struct mwa_path_node *node = numbering->list[first];

        numbering->list[first] = numbering->list[--last];
        numbering->list[last] = node;
    }
}

/* Gives the nodes of the path to end numbers that have none yet; false without memory. */
static bool number(struct numbering *numbering, struct mwa_path_node *end)
{
    const uint64_t first = numbering->count;

    for (; end && number_of(numbering, end) == NOBODY; end = end->before) {
        if (!mwa_grow(&numbering->list, &numbering->capacity, numbering->count + 1,
                      sizeof *numbering->list)) {
            return false;
        }
        numbering->list[numbering->count++] = end;
    }
    turn_round(numbering, first);
    for (uint64_t i = first; i < numbering->count; i++) {
        if (!mwa_map_put(&numbering->numbers, key_of(numbering->list[i]), i)) {
            return false;
        }
    }
    return true;
}

void mwa_path_pack(struct mwa_path_node *const *ends, uint64_t count, struct mw_buffer *to)
{
    struct numbering numbering = { .count = 0 };

    for (uint64_t i = 0; i < count && !to->failed; i++) {
        to->failed = !number(&numbering, ends[i]);
    }
    mw_buffer_append(to, &numbering.count, sizeof numbering.count);
    for (uint64_t i = 0; i < numbering.count && !to->failed; i++) {
        struct mwa_path_node *node = numbering.list[i];
        const struct head head = { number_of(&numbering, node->before), node->hops };
        const struct mwa_tally *sums = mwa_path_sums(node);

        mw_buffer_append(to, &head, sizeof head);
        if (sums) {
            mwa_tally_pack(sums, to);
        }
        to->failed |= !sums;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t which = number_of(&numbering, ends[i]);

        mw_buffer_append(to, &which, sizeof which);
    }
    mwa_map_fini(&numbering.numbers);
    free(numbering.list);
}

/* --- in --------------------------------------------------------------------------------------- */

/* One of the first count nodes by its number, held once more; null for nobody. */
static enum mw_status hold(struct mwa_path_node *const *all, uint64_t count, uint64_t which,
                           struct mwa_path_node **node)
{
    if (which != NOBODY && which >= count) {
        return MW_ERROR_FORMAT;
    }
    *node = which != NOBODY ? mwa_path_hold(all[which]) : NULL;
    return MW_OK;
}

/* The node behind the first count ones. */
static enum mw_status unpack_node(struct mwa_path_tree *tree, struct mwa_path_node **all,
                                  uint64_t count, struct mw_cursor *from)
{
    struct mwa_path_node *node;
    struct head head;
    struct mwa_tally *sums;
    enum mw_status status;

    if (!mw_cursor_take(from, &head, sizeof head)) {
        return MW_ERROR_FORMAT;
    }
    node = all[count] = mwa_path_begin(tree);
    sums = node ? mwa_path_sums(node) : NULL;
    if (!sums) {
        return MW_ERROR_MEMORY;
    }
    node->holders = 0;
    node->hops = head.hops;
    status = hold(all, count, head.before, &node->before);
    return status == MW_OK ? mwa_tally_unpack(sums, from) : status;
}

enum mw_status mwa_path_unpack(struct mwa_path_tree *tree, struct mwa_path_node **ends,
                               uint64_t count, struct mw_cursor *from)
{
    struct mwa_path_node **all;
    uint64_t nodes, which;
    enum mw_status status = MW_OK;

    if (!mw_cursor_take(from, &nodes, sizeof nodes) || nodes > from->left / sizeof(struct head)) {
        return MW_ERROR_FORMAT;
    }
    all = calloc(nodes + 1, sizeof(void *));
    if (!all) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < nodes && status == MW_OK; i++) {
        status = unpack_node(tree, all, i, from);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = mw_cursor_take(from, &which, sizeof which) ? hold(all, nodes, which, &ends[i])
                                                            : MW_ERROR_FORMAT;
    }
    free(all);
    return status;
}
