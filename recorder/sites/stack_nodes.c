/*
 * What a frame is, the program, MPI or a tool, and how its stack goes on, is found out when it is
 * met for the first time.
 */
#include "recorder/sites/stack_nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/definition.h"
#include "recorder/dispatch/guard.h"
#include "recorder/sites/loaded.h"
#include "recorder/sites/python_line.h"
#include "recorder/sites/python_module.h"
#include "recorder/sites/site_numbers.h"
#include "recorder/sites/stacks.h"
#include "recorder/sites/wrapper_code.h"
#include "recorder/state/thread.h"

#define NODES_MAX (1u << 18)
/* Of libraries' calls, which have their place without: of both there are enough for others. */
#define NODES_OF_LIBRARIES_MAX (1u << 16)
#define STACKS_OF_LIBRARIES_MAX (1u << 14)
/* Stacks that differ far outside share none of the frames within. */
#define FRAMES_OF_LIBRARIES_MAX (1u << 17)
#define TABLE_ENTRIES 1024u
#define FRAMES_SEEN_MAX 256u /* with those that are not told */
/* What no function returns to. */
#define NO_ADDRESS UINTPTR_MAX
#define VALUE_OF(code) ((code) + 1)

struct table {
    uint32_t mask; /* of indices; at most half of the entries are in use */
    struct mwr_stack_node *entries[];
};

/* Written when recording begins, and then under the lock of sites. */
struct mwr_stack_node *mwr_stack_roots;
static struct table *nodes;
static uint32_t node_count;
static uint32_t stack_count; /* nodes where one ends */
static struct mwr_stack_node **below_python; /* where one ends that Python leads to */
static uint32_t below_python_count;
static bool is_full; /* nothing is looked up any more */
static struct mwr_stack_node nowhere = {
    .address = NO_ADDRESS, .way = MWR_STACK_NOT, .value = MWR_STACK_NO_VALUE};

/* --- the table ---------------------------------------------------------------------------- */

static uint32_t slot_of(const struct mwr_stack_node *parent, uintptr_t address)
{
    return (uint32_t)(((uintptr_t)parent ^ address << 16) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

struct mwr_stack_node *mwr_stack_node_look(const struct mwr_stack_node *parent, uintptr_t address)
{
    const struct table *table = __atomic_load_n(&nodes, __ATOMIC_ACQUIRE);

    for (uint32_t slot = slot_of(parent, address);; slot++) {
        struct mwr_stack_node *node =
            __atomic_load_n(&table->entries[slot & table->mask], __ATOMIC_ACQUIRE);

        if (!node || (node->parent == parent &&
                      __atomic_load_n(&node->address, __ATOMIC_ACQUIRE) == address)) {
            return node;
        }
    }
}

/*
 * One whose library had gone and has come again, where it was. A file of the same name may be
 * another one by now, where no build-id tells: its frames are, as far as it matters here.
 */
static struct mwr_stack_node *look_again(const struct mwr_stack_node *made)
{
    for (uint32_t slot = slot_of(made->parent, made->place);; slot++) {
        struct mwr_stack_node *node = nodes->entries[slot & nodes->mask];

        if (!node || (node->parent == made->parent && node->place == made->place &&
                      node->module == made->module &&
                      memcmp(&node->rule, &made->rule, sizeof node->rule) == 0)) {
            return node;
        }
    }
}

static void insert(struct table *table, struct mwr_stack_node *node)
{
    uint32_t slot = slot_of(node->parent, node->place);

    while (table->entries[slot & table->mask]) {
        slot++;
    }
    __atomic_store_n(&table->entries[slot & table->mask], node, __ATOMIC_RELEASE);
}

static struct table *create_table(uint32_t entries)
{
    struct table *table = calloc(1, sizeof *table + entries * sizeof table->entries[0]);

    if (table) {
        table->mask = entries - 1;
    }
    return table;
}

/* The tables before stay, for those who read them: together they are as large as the new one. */
static bool make_room(void)
{
    struct table *grown;

    if (2 * (node_count + 1) <= nodes->mask + 1) {
        return true;
    }
    grown = create_table(2 * (nodes->mask + 1));
    if (!grown) {
        return false;
    }
    for (uint32_t i = 0; i <= nodes->mask; i++) {
        if (nodes->entries[i]) {
            insert(grown, nodes->entries[i]);
        }
    }
    __atomic_store_n(&nodes, grown, __ATOMIC_RELEASE);
    return true;
}

/* --- what is met for the first time --------------------------------------------------------- */

/* Numbers the stack up to this frame, which parent's caller is MW_FRAME_NONE or _CUT. */
static uint32_t number_stack(const struct mwr_stack_node *node, unsigned call, uint32_t frame)
{
    bool is_any = false;

    for (; node->parent; node = node->parent) {
        if (node->is_told) {
            is_any = true;
            frame = mwr_number_frame(frame, node->module, node->own_address);
            if (frame >= MW_FRAMES_MAX) {
                return VALUE_OF(call);
            }
        }
    }
    return VALUE_OF(is_any ? mwr_number_stack(call, frame) : call);
}

/* Whether the frame, whose stack pointer this is, is not the program's. */
static bool is_of_others(const struct mwr_loaded *loaded, uintptr_t stack_pointer)
{
    const struct mwr_mark *mark = mwr_thread.outermost;

    if (mark ? stack_pointer < mark->frame : mwr_loaded_is_own(loaded)) {
        return true; /* the recorder's, or a tool's of its chain */
    }
    return mwr_loaded_is_mpi(loaded) || mwr_loaded_is_c(loaded);
}

/* Whether frames further out are not known. */
static bool is_last(const struct mwr_stack_node *node, bool is_known)
{
    return !is_known || node->rule.base == MWR_FRAME_UNKNOWN || node->told > mwr_stack_frames ||
           node->seen == FRAMES_SEEN_MAX;
}

/*
 * Of what runs Python nothing is told but the line, where there is one: when Python ends there is
 * none any more, and what is around it says more. What is below frames that are not known, as of
 * those by which ctypes calls, is below a line, too, if the thread runs one.
 */
static void describe_python(struct mwr_stack_node *node, bool is_known,
                            const struct mwr_loaded *loaded)
{
    struct mwr_python_spot spot;

    node->is_python_itself = node->is_told && mwr_loaded_is_python(loaded);
    node->is_below_python = (node->is_python_itself || is_last(node, is_known)) &&
                            mwr_python_is_there() && mwr_python_look(&spot);
}

/* What the address says of a node; is_known: loaded is what it lies in. */
static void describe(struct mwr_stack_node *node, bool is_known, const struct mwr_loaded *loaded,
                     uintptr_t stack_pointer)
{
    node->call = node->parent->call;
    node->seen = node->parent->seen + 1;
    node->told = node->parent->told;
    node->first = &nowhere;
    node->module = UINT32_MAX;
    if (is_known) {
        mwr_frame_find(MWR_FRAME_OF_HERE, loaded->frames, loaded->frames_bytes, node->address,
                       &node->rule);
        node->own_address = node->address - loaded->bias;
        node->is_told =
            node->rule.base != MWR_FRAME_OUTERMOST && !is_of_others(loaded, stack_pointer);
        node->told += node->is_told;
        node->is_python = node->is_told && node->told == 1 &&
                          mwr_loaded_is_of_python(loaded, node->address);
        node->is_enough = mwr_stacks_are_of_libraries && node->is_told && loaded->is_program &&
                          !mwr_wrapper_code_is(loaded, node->address, node->call);
    }
    if (mwr_stacks_are_of_libraries) {
        describe_python(node, is_known, loaded);
    }
}

/* Whether the stack ends here, and with what value. */
static uint32_t value_of(const struct mwr_stack_node *node)
{
    if (node->is_python) {
        return VALUE_OF(MWR_STACK_OF_PYTHON);
    }
    if (node->is_below_python) {
        return VALUE_OF(MWR_STACK_BELOW_PYTHON + below_python_count);
    }
    if (node->told > mwr_stack_frames || node->module == UINT32_MAX) {
        return number_stack(node->parent, node->call, MW_FRAME_CUT);
    }
    if (node->rule.base == MWR_FRAME_OUTERMOST) {
        return number_stack(node, node->call, MW_FRAME_NONE);
    }
    return node->is_enough || node->rule.base == MWR_FRAME_UNKNOWN ||
                   node->seen == FRAMES_SEEN_MAX
               ? number_stack(node, node->call, MW_FRAME_CUT)
               : 0;
}

static enum mwr_stack_way way_of(const struct mwr_stack_node *node)
{
    if (node->value) {
        return MWR_STACK_NOT;
    }
    if (node->rule.base != MWR_FRAME_STACK) {
        return MWR_STACK_BY_RULE;
    }
    return node->rule.pointer == MWR_POINTER_SAME       ? MWR_STACK_BY_SIZE
           : node->rule.pointer == MWR_POINTER_AT_FRAME ? MWR_STACK_BY_SIZE_AND_SAVED
                                                        : MWR_STACK_BY_RULE;
}

unsigned mwr_stack_node_number(unsigned call, uint32_t index, uint32_t frame)
{
    const struct mwr_stack_node *node = below_python[index];
    const bool is_left_out = node->told > mwr_stack_frames ||
                             (node->is_python_itself && frame != MW_FRAME_CUT);

    return mwr_number_count_frames() >= FRAMES_OF_LIBRARIES_MAX
               ? call
               : number_stack(is_left_out ? node->parent : node, call, frame) - 1;
}

/* Whether there are as many as are looked up. */
static bool are_enough(void)
{
    return mwr_stacks_are_of_libraries ? node_count == NODES_OF_LIBRARIES_MAX ||
                                             stack_count == STACKS_OF_LIBRARIES_MAX ||
                                             mwr_number_count_frames() >= FRAMES_OF_LIBRARIES_MAX
                                       : node_count == NODES_MAX;
}

/* Whoever has no stack has its place still, where that is of libraries only. */
static void end(void)
{
    if (!mwr_stacks_are_of_libraries) {
        mwr_site_numbers_end();
    }
    __atomic_store_n(&is_full, true, __ATOMIC_RELAXED);
}

static struct mwr_stack_node *add(const struct mwr_stack_node *made)
{
    struct mwr_stack_node *node = look_again(made);

    if (node) {
        __atomic_store_n(&node->address, node->place, __ATOMIC_RELEASE);
        return node;
    }
    if (are_enough()) {
        end();
        return NULL;
    }
    node = make_room() && mw_array_grow((void **)&below_python, below_python_count,
                                        sizeof *below_python)
               ? malloc(sizeof *node)
               : NULL;
    if (!node) {
        return NULL;
    }
    *node = *made;
    node->value = value_of(node);
    node->way = way_of(node);
    below_python[below_python_count] = node;
    below_python_count += node->is_below_python;
    node_count++;
    stack_count += node->value != 0;
    insert(nodes, node);
    if (made->parent->first->address == NO_ADDRESS) {
        __atomic_store_n(&made->parent->first, node, __ATOMIC_RELEASE);
    }
    return node;
}

struct mwr_stack_node *mwr_stack_node_find(struct mwr_stack_node *parent, uintptr_t address,
                                           uintptr_t stack_pointer)
{
    struct mwr_stack_node *node = mwr_stack_node_look(parent, address);
    struct mwr_stack_node made = {.address = address, .place = address, .parent = parent};
    struct mwr_loaded loaded;
    int error = errno;
    bool is_known;

    if (node || __atomic_load_n(&is_full, __ATOMIC_RELAXED)) {
        return node;
    }
    is_known = address != MWR_STACK_CUT && mwr_loaded_find((const void *)address, &loaded);
    describe(&made, is_known, &loaded, stack_pointer);
    (void)mwr_sites_lock();
    if (is_known) {
        made.module = mwr_number_module(&loaded);
    }
    node = mwr_stack_node_look(parent, address);
    node = node ? node : add(&made);
    mwr_sites_unlock();
    errno = error;
    return node;
}

/* --- beginning, and what goes ----------------------------------------------------------- */

bool mwr_stack_nodes_start(void)
{
    mwr_stack_roots = calloc(MW_CALL_COUNT, sizeof *mwr_stack_roots);
    nodes = create_table(TABLE_ENTRIES);
    for (unsigned call = 0; mwr_stack_roots && call < MW_CALL_COUNT; call++) {
        mwr_stack_roots[call].call = call;
        mwr_stack_roots[call].first = &nowhere;
    }
    return mwr_stack_roots && nodes;
}

void mwr_stack_nodes_forget(uintptr_t begin, uintptr_t end)
{
    for (uint32_t i = 0; nodes && i <= nodes->mask; i++) {
        struct mwr_stack_node *node = nodes->entries[i];

        if (node && node->place - begin < end - begin) {
            __atomic_store_n(&node->address, NO_ADDRESS, __ATOMIC_RELEASE);
        }
    }
}
