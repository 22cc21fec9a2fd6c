#ifndef MWR_SITES_STACK_NODES_H
#define MWR_SITES_STACK_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/sites/frame.h"
#include "recorder/sites/known_stacks.h"

/*
 * The frames that stacks consist of: a tree for each function of MPI, by the addresses that
 * functions return to, from the recorder's own outwards. Only ever added to; read without a lock.
 */

/* Where no address is: the stack ends before the next frame. */
#define MWR_STACK_CUT ((uintptr_t)1)
#define MWR_STACK_NO_VALUE UINT32_MAX

/* How it goes on from a frame. */
enum mwr_stack_way {
    /* The caller's begins so far above, and its base pointer is the same … */
    MWR_STACK_BY_SIZE,
    MWR_STACK_BY_SIZE_AND_SAVED, /* … or was saved in it */
    MWR_STACK_BY_RULE,           /* any other way that there is a rule for */
    MWR_STACK_NOT                /* this is the end */
};

/* A frame, behind those that lie inside of it, of the calls of one function of MPI. */
struct mwr_stack_node {
    uintptr_t address; /* that it returns to; UINTPTR_MAX, as no function does: the library has
                          gone */
    enum mwr_stack_way way;
    uint32_t value;    /* where the stack ends, of what a record has … */
    struct mwr_frame_rule rule;
    struct mwr_stack_node *first; /* … where it goes on, to this one, or to another one … */
    /* The lock's from here on, but for parent. */
    struct mwr_stack_node *parent;
    uintptr_t place;   /* address, even when the library has gone */
    struct mwr_known_stack *known; /* those that end here; read without the lock */
    uint32_t module;   /* index */
    uint64_t own_address; /* as the module's file counts */
    unsigned call;
    unsigned seen; /* frames up to here … */
    unsigned told; /* … of the program, this one among them … */
    bool is_told;  /* … if it is one */
    bool is_python; /* it is the first of the program, and told by lines of Python */
    bool is_enough; /* it is one of the program's own file, and further ones are not told */
    bool is_below_python; /* further ones are not told or known, but a line of Python … */
    bool is_python_itself; /* … which is told in the place of this one, if so */
};

/* The recorder's own frame, by call. Written when recording begins. */
extern struct mwr_stack_node *mwr_stack_roots __attribute__((visibility("hidden")));

/* Before all others. False without memory. */
bool mwr_stack_nodes_start(void);

/* The node of a frame around parent's, which returns to address; null: it was not met. */
struct mwr_stack_node *mwr_stack_node_look(const struct mwr_stack_node *parent, uintptr_t address);

/*
 * The same of a frame with this stack pointer: it is added if it was not met. Null: there is no
 * memory, or there are enough. Takes the lock of sites, and keeps errno.
 */
struct mwr_stack_node *mwr_stack_node_find(struct mwr_stack_node *parent, uintptr_t address,
                                           uintptr_t stack_pointer);

/* Of the node that mwr_stack_find has told as this one below Python: see mwr_stack_number. */
unsigned mwr_stack_node_number(unsigned call, uint32_t index, uint32_t frame);

/* What lay in this memory is not there any more. Under the lock of sites. */
void mwr_stack_nodes_forget(uintptr_t begin, uintptr_t end);

#endif
