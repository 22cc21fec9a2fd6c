/*
 * A stack that is known is compared as it is (known_stacks.h); others are gone through.
 *
 * A step outwards is a load of the address that the frame returns to, a comparison with the one
 * that was met there first, and the sum of what its function's rule says; only where several
 * functions call the same one a table is asked. The way from the inside needs no registers but
 * those that are at hand here: the recorder's own frames have rules like all others.
 */
#include "recorder/sites/stacks.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/spool/definition.h"
#include "recorder/dispatch/guard.h"
#include "recorder/sites/frame.h"
#include "recorder/sites/known_stacks.h"
#include "recorder/sites/loaded.h"
#include "recorder/sites/python_module.h"
#include "recorder/sites/site_numbers.h"
#include "recorder/state/thread.h"

#define NODES_MAX (1u << 18)
#define TABLE_ENTRIES 1024u
#define FRAMES_SEEN_MAX 256u /* with those that are not told */
/* Where no address is: the stack ends before the next frame. */
#define CUT ((uintptr_t)1)
/* What no function returns to. */
#define NO_ADDRESS UINTPTR_MAX
#define VALUE_OF(code) ((code) + 1)
#define NO_VALUE UINT32_MAX

/* How it goes on from a frame. */
enum way {
    BY_SIZE,          /* the caller's begins so far above, and rbp is the same … */
    BY_SIZE_AND_SAVED, /* … or was saved in it */
    BY_RULE,          /* any other way that there is a rule for */
    NOT               /* this is the end */
};

/* A frame, behind those that lie inside of it, of the calls of one function of MPI. */
struct node {
    uintptr_t address; /* that it returns to; NO_ADDRESS: the library has gone */
    enum way way;
    uint32_t value;    /* where the stack ends, of what a record has … */
    struct mwr_frame_rule rule;
    struct node *first; /* … where it goes on, to this one, or to another one of the table */
    /* The lock's from here on, but for parent. */
    struct node *parent;
    uintptr_t place;   /* address, even when the library has gone */
    struct mwr_known_stack *known; /* those that end here; read without the lock */
    uint32_t module;   /* index */
    uint64_t own_address; /* as the module's file counts */
    unsigned call;
    unsigned seen; /* frames up to here … */
    unsigned told; /* … of the program, this one among them … */
    bool is_told;  /* … if it is one */
    bool is_python; /* it is the first of the program, and told by lines of Python */
};

struct table {
    uint32_t mask; /* of indices; at most half of the entries are in use */
    struct node *entries[];
};

/* Written before recording begins. */
unsigned mwr_stack_frames;

#if MWR_HAS_STACKS

/* Written when recording begins, and then under the lock of sites. */
static struct node *roots; /* by call */
static struct table *nodes;
static uint32_t node_count;
static bool is_full; /* nothing is looked up any more */
static struct node nowhere = {.address = NO_ADDRESS, .way = NOT, .value = NO_VALUE};

/* --- the table ---------------------------------------------------------------------------- */

static uint32_t slot_of(const struct node *parent, uintptr_t address)
{
    return (uint32_t)(((uintptr_t)parent ^ address << 16) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The node; null: it is not there. */
static struct node *look(const struct node *parent, uintptr_t address)
{
    const struct table *table = __atomic_load_n(&nodes, __ATOMIC_ACQUIRE);

    for (uint32_t slot = slot_of(parent, address);; slot++) {
        struct node *node =
            __atomic_load_n(&table->entries[slot & table->mask], __ATOMIC_ACQUIRE);

        if (!node || (node->parent == parent &&
                      __atomic_load_n(&node->address, __ATOMIC_ACQUIRE) == address)) {
            return node;
        }
    }
}

/* One whose library had gone and has come again, where it was. */
static struct node *look_again(const struct node *made)
{
    for (uint32_t slot = slot_of(made->parent, made->place);; slot++) {
        struct node *node = nodes->entries[slot & nodes->mask];

        if (!node || (node->parent == made->parent && node->place == made->place &&
                      node->module == made->module)) {
            return node;
        }
    }
}

static void insert(struct table *table, struct node *node)
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
static uint32_t number_stack(const struct node *node, unsigned call, uint32_t frame)
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
    static const char here;
    const struct mwr_mark *mark = mwr_thread.outermost;

    if (mark ? stack_pointer < mark->frame
             : (uintptr_t)&here - loaded->begin < loaded->end - loaded->begin) {
        return true; /* the recorder's, or a tool's of its chain */
    }
    return mwr_loaded_is_mpi(loaded) || mwr_loaded_is_c(loaded);
}

/* What the address says of a node; is_known: loaded is what it lies in. */
static void describe(struct node *node, bool is_known, const struct mwr_loaded *loaded,
                     uintptr_t stack_pointer)
{
    node->call = node->parent->call;
    node->seen = node->parent->seen + 1;
    node->told = node->parent->told;
    node->first = &nowhere;
    node->module = UINT32_MAX;
    if (is_known) {
        mwr_frame_find(loaded->frames, loaded->frames_bytes, node->address, &node->rule);
        node->own_address = node->address - loaded->bias;
        node->is_told =
            node->rule.base != MWR_FRAME_OUTERMOST && !is_of_others(loaded, stack_pointer);
        node->told += node->is_told;
        node->is_python = node->is_told && node->told == 1 &&
                          mwr_loaded_is_of_python(loaded, node->address);
    }
}

/* Whether the stack ends here, and with what value. */
static uint32_t value_of(const struct node *node)
{
    if (node->is_python) {
        return VALUE_OF(MWR_STACK_OF_PYTHON);
    }
    if (node->told > mwr_stack_frames || node->module == UINT32_MAX) {
        return number_stack(node->parent, node->call, MW_FRAME_CUT);
    }
    if (node->rule.base == MWR_FRAME_OUTERMOST) {
        return number_stack(node, node->call, MW_FRAME_NONE);
    }
    return node->rule.base == MWR_FRAME_UNKNOWN || node->seen == FRAMES_SEEN_MAX
               ? number_stack(node, node->call, MW_FRAME_CUT)
               : 0;
}

static enum way way_of(const struct node *node)
{
    if (node->value) {
        return NOT;
    }
    if (node->rule.base != MWR_FRAME_STACK) {
        return BY_RULE;
    }
    return node->rule.pointer == MWR_POINTER_SAME       ? BY_SIZE
           : node->rule.pointer == MWR_POINTER_AT_FRAME ? BY_SIZE_AND_SAVED
                                                        : BY_RULE;
}

static struct node *add(const struct node *made)
{
    struct node *node = look_again(made);

    if (node) {
        __atomic_store_n(&node->address, node->place, __ATOMIC_RELEASE);
        return node;
    }
    if (node_count == NODES_MAX) {
        mwr_site_numbers_end();
        __atomic_store_n(&is_full, true, __ATOMIC_RELAXED);
        return NULL;
    }
    node = make_room() ? malloc(sizeof *node) : NULL;
    if (!node) {
        return NULL;
    }
    *node = *made;
    node->value = value_of(node);
    node->way = way_of(node);
    node_count++;
    insert(nodes, node);
    if (made->parent->first->address == NO_ADDRESS) {
        __atomic_store_n(&made->parent->first, node, __ATOMIC_RELEASE);
    }
    return node;
}

/* The node of a frame that is not the first one met there; null without memory. */
static __attribute__((noinline)) struct node *find(struct node *parent, uintptr_t address,
                                                   uintptr_t stack_pointer)
{
    struct node *node = look(parent, address);
    struct node made = {.address = address, .place = address, .parent = parent};
    struct mwr_loaded loaded;
    int error = errno;
    bool is_known;

    if (node || __atomic_load_n(&is_full, __ATOMIC_RELAXED)) {
        return node;
    }
    is_known = address != CUT && mwr_loaded_find((const void *)address, &loaded);
    describe(&made, is_known, &loaded, stack_pointer);
    (void)mwr_sites_lock();
    if (is_known) {
        made.module = mwr_number_module(&loaded);
    }
    node = look(parent, address);
    node = node ? node : add(&made);
    mwr_sites_unlock();
    errno = error;
    return node;
}

/* --- the way outwards ------------------------------------------------------------------ */

/* The part of a thread's memory that frames can lie in, from the frame at hand on. */
static __attribute__((noinline)) void find_bounds(struct mwr_thread *thread)
{
    int error = errno;
    pthread_attr_t attributes;
    void *lowest;
    size_t bytes;

    thread->stack_lowest = UINTPTR_MAX;
    thread->stack_end = UINTPTR_MAX; /* none can */
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
            thread->stack_lowest = (uintptr_t)lowest;
            thread->stack_end = (uintptr_t)lowest + bytes;
        }
        (void)pthread_attr_destroy(&attributes);
    }
    errno = error;
}

struct registers {
    uintptr_t address;
    uintptr_t stack_pointer;
    uintptr_t base_pointer;
};

/* To the caller's registers, by any rule; the address is CUT if that can't be. */
static __attribute__((noinline)) void step(struct registers *registers,
                                           const struct mwr_frame_rule *rule, uintptr_t end)
{
    uintptr_t begin = registers->stack_pointer;
    uintptr_t pointer = registers->base_pointer;
    uintptr_t frame = (rule->base == MWR_FRAME_STACK ? begin : pointer) +
                      (uintptr_t)(intptr_t)rule->offset;

    registers->address = CUT;
    if (rule->base == MWR_FRAME_AT_POINTER) {
        if (frame < begin || frame > end - sizeof frame) {
            return;
        }
        memcpy(&frame, (const void *)frame, sizeof frame);
    }
    if (frame <= begin || frame > end) {
        return;
    }
    if (rule->pointer == MWR_POINTER_AT_FRAME) {
        pointer = frame + (uintptr_t)(intptr_t)rule->saved;
    }
    if (rule->pointer == MWR_POINTER_LOST || pointer < begin || pointer >= frame) {
        registers->base_pointer = rule->pointer == MWR_POINTER_SAME ? pointer : 0;
    } else if (rule->pointer != MWR_POINTER_SAME) {
        memcpy(&registers->base_pointer, (const void *)pointer, sizeof pointer);
    }
    memcpy(&registers->address, (const char *)frame - sizeof frame, sizeof frame);
    registers->stack_pointer = frame;
}

/* The same by one of the two rules that nearly all functions have where they call another one. */
MW_INLINE void step_by_size(struct registers *registers, const struct node *node, uintptr_t end)
{
    uintptr_t frame = registers->stack_pointer + (uintptr_t)(intptr_t)node->rule.offset;

    if (MW_UNLIKELY(frame - registers->stack_pointer > end - registers->stack_pointer)) {
        registers->address = CUT;
        return;
    }
    if (node->way == BY_SIZE_AND_SAVED) {
        memcpy(&registers->base_pointer,
               (const char *)frame + (intptr_t)node->rule.saved, sizeof frame);
    }
    memcpy(&registers->address, (const char *)frame - sizeof frame, sizeof frame);
    registers->stack_pointer = frame;
}

/* From a function of MPI outwards, to where the stack ends; null: it can't be told. */
static struct node *walk(unsigned call, struct registers registers, uintptr_t end)
{
    struct node *node = &roots[call];

    for (;;) {
        struct node *next = __atomic_load_n(&node->first, __ATOMIC_ACQUIRE);

        if (MW_UNLIKELY(__atomic_load_n(&next->address, __ATOMIC_ACQUIRE) !=
                        registers.address)) {
            next = find(node, registers.address, registers.stack_pointer);
            if (!next) {
                return NULL;
            }
        }
        node = next;
        if (MW_LIKELY(node->way <= BY_SIZE_AND_SAVED)) {
            step_by_size(&registers, node, end);
        } else if (node->way == BY_RULE) {
            struct registers copy = registers; /* the others stay out of memory */

            step(&copy, &node->rule, end);
            registers = copy;
        } else {
            return node;
        }
    }
}

/* --- what decides the way ---------------------------------------------------------------- */

/* Where the value of rbp was read. */
struct origin {
    uintptr_t place; /* 0: it is not known */
    bool is_noted;
};

/* Notes the words of the stack by which the frame around this one is found. */
static void note_rule(const struct registers *registers, const struct mwr_frame_rule *rule,
                      uintptr_t base, struct origin *origin, struct mwr_stack_words *words)
{
    const uintptr_t content = registers->base_pointer + (uintptr_t)(intptr_t)rule->offset;

    if (rule->base == MWR_FRAME_STACK && rule->pointer != MWR_POINTER_AT_POINTER) {
        return;
    }
    if (!origin->is_noted) {
        words->has_failed |= origin->place == 0;
        if (origin->place != 0) {
            mwr_stack_word_add(words, base, origin->place, true);
        }
        origin->is_noted = true;
    }
    if (rule->base == MWR_FRAME_AT_POINTER) {
        mwr_stack_word_add(words, base, content, true); /* where a step reads it */
    }
}

/* Where rbp comes from once the step by the rule is done, from a frame with these registers. */
static void follow_origin(const struct registers *before, const struct registers *after,
                          const struct mwr_frame_rule *rule, struct origin *origin)
{
    uintptr_t place = rule->pointer == MWR_POINTER_AT_FRAME
                          ? after->stack_pointer + (uintptr_t)(intptr_t)rule->saved
                          : before->base_pointer;

    if (rule->pointer == MWR_POINTER_SAME) {
        return;
    }
    *origin = (struct origin){0};
    if (rule->pointer != MWR_POINTER_LOST && place >= before->stack_pointer &&
        place < after->stack_pointer) {
        origin->place = place;
    }
}

/* Goes to the node once more and notes by what. False: the way is another one by now. */
static bool note_way(const struct node *to, struct registers registers, uintptr_t base,
                     uintptr_t end, struct mwr_stack_words *words)
{
    struct node *node = &roots[to->call];
    struct origin origin = {.place = base};

    words->count = 0;
    words->has_failed = false;
    while (!words->has_failed) {
        struct registers before = registers;

        node = look(node, registers.address);
        if (!node || registers.address == CUT) {
            return false;
        }
        mwr_stack_word_add(words, base, registers.stack_pointer - sizeof registers.address, false);
        if (node->way == NOT) {
            return node == to;
        }
        step(&registers, &node->rule, end);
        if (registers.address == CUT) {
            return false;
        }
        note_rule(&before, &node->rule, base, &origin, words);
        follow_origin(&before, &registers, &node->rule, &origin);
    }
    return false;
}

/* Knows a stack from now on that leads to the node. */
static __attribute__((noinline)) void know(struct node *node, unsigned set,
                                           const struct registers *registers, uintptr_t base,
                                           uintptr_t end)
{
    struct mwr_known_stack *known = __atomic_load_n(&node->known, __ATOMIC_ACQUIRE);
    int error = errno;
    struct mwr_stack_words words;

    if (node->value != NO_VALUE &&
        !mwr_known_again(known, set, node->call, base, end - base) &&
        note_way(node, *registers, base, end, &words) && mwr_sites_lock()) {
        mwr_known_add(&node->known, set, node->call, node->value, &words);
        mwr_sites_unlock();
    }
    errno = error;
}

/* One that is gone through. */
static __attribute__((noinline)) unsigned find_stack(unsigned call, const void *caller,
                                                     const uintptr_t *own, unsigned set)
{
    const uintptr_t end = mwr_thread.stack_end;
    const uintptr_t base = (uintptr_t)own;
    struct registers registers = {own[1], (uintptr_t)(own + 2), own[0]};
    const bool is_own = base - mwr_thread.stack_lowest < end - mwr_thread.stack_lowest;
    struct node *node;

    if (!is_own) { /* a stack of the program's own: the first is the last */
        registers.address = (uintptr_t)caller;
        registers.stack_pointer = UINTPTR_MAX; /* above the recorder's frames, and at the end */
    }
    node = walk(call, registers, is_own ? end : UINTPTR_MAX);
    if (!node) {
        return call;
    }
    if (is_own) {
        know(node, set, &registers, base, end);
    }
    return node->value == NO_VALUE ? call : node->value - 1;
}

unsigned mwr_stack_find(unsigned call, const void *caller)
{
    struct mwr_thread *thread = &mwr_thread;
    const uintptr_t *own = __builtin_frame_address(0);
    const uintptr_t base = (uintptr_t)own;
    const unsigned set = mwr_known_set(call, (uintptr_t)caller, base);
    uint32_t value = 0;

    if (MW_UNLIKELY(thread->stack_end == 0)) {
        find_bounds(thread);
    }
    if (MW_LIKELY(base - thread->stack_lowest < thread->stack_end - thread->stack_lowest)) {
        value = mwr_known_look(set, call, base, thread->stack_end - base);
    }
    if (MW_UNLIKELY(value == 0)) {
        value = find_stack(call, caller, own, set) + 1;
        __asm__ volatile("" : "+r"(value)); /* this frame, which it goes through, has to stay */
    }
    return value - 1;
}

bool mwr_stacks_start(unsigned frames)
{
    roots = calloc(MW_CALL_COUNT, sizeof *roots);
    nodes = create_table(TABLE_ENTRIES);
    if (!roots || !nodes) {
        return false;
    }
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        roots[call].call = call;
        roots[call].first = &nowhere;
    }
    mwr_stack_frames = frames;
    return true;
}

void mwr_stacks_forget(uintptr_t begin, uintptr_t end)
{
    for (uint32_t i = 0; nodes && i <= nodes->mask; i++) {
        struct node *node = nodes->entries[i];

        if (node && node->place - begin < end - begin) {
            __atomic_store_n(&node->address, NO_ADDRESS, __ATOMIC_RELEASE);
        }
    }
    mwr_known_forget(begin, end);
}

#else

unsigned mwr_stack_find(unsigned call, const void *caller)
{
    return call;
}

bool mwr_stacks_start(unsigned frames)
{
    return true;
}

void mwr_stacks_forget(uintptr_t begin, uintptr_t end)
{
}

#endif
