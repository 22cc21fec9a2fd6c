#include "analyzer/analysis/comms/comm_tree.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/order.h"

/* A communicator, sorted so that those of one parent and call are together. */
struct child {
    const struct mwa_comm_row *row;
    const char *call; /* "": not known */
    uint32_t parent;
    uint64_t group_time; /* of all with its parent and call */
    uint64_t siblings;
    uint64_t place;
};

/* Where a parent's children begin and end. */
struct span {
    uint64_t first;
    uint64_t end;
};

static int by_group(const void *one, const void *other)
{
    const struct child *a = one;
    const struct child *b = other;

    return mw_order(a->parent, b->parent) ?: strcmp(a->call, b->call);
}

/* group_time is known: the final order. */
static int by_time(const void *one, const void *other)
{
    const struct child *a = one;
    const struct child *b = other;
    int calls = strcmp(a->call, b->call);

    return mw_order(a->parent, b->parent) ?:
           (calls != 0 ? mw_order(b->group_time, a->group_time) : 0) ?: calls ?:
           mw_order(b->row->time_ns, a->row->time_ns) ?: mw_order(a->row->comm, b->row->comm);
}

/* The end of the group that begins at first. */
static uint64_t group_end(const struct child *children, uint64_t count, uint64_t first)
{
    uint64_t end = first + 1;

    while (end < count && by_group(&children[first], &children[end]) == 0) {
        end++;
    }
    return end;
}

static void sort_children(struct child *children, uint64_t count)
{
    uint64_t end;

    qsort(children, count, sizeof *children, by_group);
    for (uint64_t first = 0; first < count; first = end) {
        uint64_t time = 0;

        end = group_end(children, count, first);
        for (uint64_t i = first; i < end; i++) {
            time += children[i].row->time_ns;
        }
        for (uint64_t i = first; i < end; i++) {
            children[i].group_time = time;
            children[i].siblings = end - first;
        }
    }
    qsort(children, count, sizeof *children, by_time);
    for (uint64_t first = 0; first < count; first = end) {
        end = group_end(children, count, first);
        for (uint64_t i = first; i < end; i++) {
            children[i].place = i - first;
        }
    }
}

/* Depth first; stack holds the next child of each parent that is open. */
static void walk(const struct child *children, const struct span *spans, struct span *stack,
                 struct mwa_comm_tree *tree, struct span roots)
{
    uint64_t depth = 0;

    stack[0] = roots;
    for (;;) {
        const struct child *child;

        if (stack[depth].first == stack[depth].end) {
            if (depth == 0) {
                return;
            }
            depth--;
            continue;
        }
        child = &children[stack[depth].first++];
        tree->nodes[tree->count++] = (struct mwa_comm_node){ .row = child->row,
                                                             .depth = (uint32_t)depth,
                                                             .siblings = child->siblings,
                                                             .place = child->place };
        if (spans[child->row->comm].end > spans[child->row->comm].first) {
            stack[++depth] = spans[child->row->comm];
        }
    }
}

/* Finds where each parent's children are; the roots' (parent MWA_NONE) come last. */
static struct span find_spans(const struct child *children, uint64_t count, struct span *spans)
{
    struct span roots = { 0 };
    uint64_t end;

    for (uint64_t first = 0; first < count; first = end) {
        struct span *span = children[first].parent < count ? &spans[children[first].parent]
                                                            : &roots;

        end = first;
        while (end < count && children[end].parent == children[first].parent) {
            end++;
        }
        *span = (struct span){ first, end };
    }
    return roots;
}

enum mw_status mwa_comm_tree_make(const struct mwa_trace *trace, const struct mwa_comms *comms,
                                  struct mwa_comm_tree *tree)
{
    struct child *children = calloc(comms->count + 1, sizeof *children);
    struct span *spans = calloc(comms->count + 1, sizeof *spans);
    struct span *stack = calloc(comms->count + 1, sizeof *stack);
    enum mw_status status = MW_ERROR_MEMORY;

    *tree = (struct mwa_comm_tree){ .nodes = calloc(comms->count + 1, sizeof *tree->nodes) };
    if (children && spans && stack && tree->nodes) {
        for (uint32_t i = 0; i < comms->count; i++) {
            const struct mwa_comm *comm = &trace->comms[i];

            children[i] = (struct child){ .row = &comms->rows[i],
                                          .call = comm->created_by ? comm->created_by : "",
                                          .parent = comm->parent };
        }
        sort_children(children, comms->count);
        walk(children, spans, stack, tree, find_spans(children, comms->count, spans));
        status = MW_OK;
    }
    free(children);
    free(spans);
    free(stack);
    return status;
}

void mwa_comm_tree_fini(struct mwa_comm_tree *tree)
{
    free(tree->nodes);
    *tree = (struct mwa_comm_tree){ 0 };
}
