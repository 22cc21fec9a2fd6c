/*
 * A stack that is known is compared as it is (known_stacks.h); others are gone through.
 *
 * A step outwards is a load of the address that the frame returns to, a comparison with the one
 * that was met there first, and the sum of what its function's rule says; only where several
 * functions call the same one a table is asked (stack_nodes.h). The way from the inside needs no
 * registers but those that are at hand here: the recorder's own frames have rules like all others.
 */
#include "recorder/sites/stacks.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "recorder/sites/frame.h"
#include "recorder/sites/known_stacks.h"
#include "recorder/sites/site_numbers.h"
#include "recorder/sites/stack_nodes.h"
#include "recorder/state/thread.h"

#define LOOKS 64u /* the first ones all, and then one of so many */

/* Written before recording begins. */
unsigned mwr_stack_frames;
bool mwr_stacks_are_of_libraries;

#if MWR_HAS_STACKS

/* --- the way outwards ------------------------------------------------------------------ */

/* How large the main thread's stack may grow; programs raise it while they run. */
static rlim_t ask_limit(void)
{
    struct rlimit limit = {0};

    (void)getrlimit(RLIMIT_STACK, &limit);
    return limit.rlim_cur;
}

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
    thread->stack_limit = ask_limit();
    errno = error;
}

/*
 * Whether the thread may be further down in its own stack than it could be when the bounds were
 * found. Of calls outside of them some are looked at: coroutines make any number of them.
 */
static bool may_have_grown(struct mwr_thread *thread)
{
    const uint32_t count = ++thread->calls_elsewhere;

    return (count < LOOKS || count % LOOKS == 0) && ask_limit() != thread->stack_limit;
}

MW_INLINE bool is_within(const struct mwr_thread *thread, uintptr_t base)
{
    return base - thread->stack_lowest < thread->stack_end - thread->stack_lowest;
}

struct registers {
    uintptr_t address;
    uintptr_t stack_pointer;
    uintptr_t base_pointer;
};

/* To the caller's registers, by any rule; the address is MWR_STACK_CUT if that can't be. */
static __attribute__((noinline)) void step(struct registers *registers,
                                           const struct mwr_frame_rule *rule, uintptr_t end)
{
    uintptr_t begin = registers->stack_pointer;
    uintptr_t pointer = registers->base_pointer;
    uintptr_t frame = (rule->base == MWR_FRAME_STACK ? begin : pointer) +
                      (uintptr_t)(intptr_t)rule->offset;

    registers->address = MWR_STACK_CUT;
    if (rule->base == MWR_FRAME_AT_POINTER) {
        if (frame < begin || frame > end - sizeof frame) {
            return;
        }
        memcpy(&frame, (const void *)frame, sizeof frame);
    }
    if (frame <= begin || frame > end || frame - begin < 0u - (uintptr_t)(intptr_t)rule->back) {
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
    registers->address = mwr_frame_returns_to(frame, rule->back);
    registers->stack_pointer = frame;
}

/* The same by one of the two rules that nearly all functions have where they call another one. */
MW_INLINE void step_by_size(struct registers *registers, const struct mwr_stack_node *node,
                            uintptr_t end)
{
    uintptr_t frame = registers->stack_pointer + (uintptr_t)(intptr_t)node->rule.offset;

    if (MW_UNLIKELY(frame - registers->stack_pointer > end - registers->stack_pointer)) {
        registers->address = MWR_STACK_CUT;
        return;
    }
    if (node->way == MWR_STACK_BY_SIZE_AND_SAVED) {
        memcpy(&registers->base_pointer,
               (const char *)frame + (intptr_t)node->rule.saved, sizeof frame);
    }
    registers->address = mwr_frame_returns_to(frame, node->rule.back);
    registers->stack_pointer = frame;
}

/* From a function of MPI outwards, to where the stack ends; null: it can't be told. */
static struct mwr_stack_node *walk(unsigned call, struct registers registers, uintptr_t end)
{
    struct mwr_stack_node *node = &mwr_stack_roots[call];

    for (;;) {
        struct mwr_stack_node *next = __atomic_load_n(&node->first, __ATOMIC_ACQUIRE);

        if (MW_UNLIKELY(__atomic_load_n(&next->address, __ATOMIC_ACQUIRE) !=
                        registers.address)) {
            next = mwr_stack_node_find(node, registers.address, registers.stack_pointer);
            if (!next) {
                return NULL;
            }
        }
        node = next;
        if (MW_LIKELY(node->way <= MWR_STACK_BY_SIZE_AND_SAVED)) {
            step_by_size(&registers, node, end);
        } else if (node->way == MWR_STACK_BY_RULE) {
            struct registers copy = registers; /* the others stay out of memory */

            step(&copy, &node->rule, end);
            registers = copy;
        } else {
            return node;
        }
    }
}

/* --- what decides the way ---------------------------------------------------------------- */

/* Where the value of the base pointer was read. */
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

/* Where the base pointer comes from, once the step by the rule is done from these registers. */
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
static bool note_way(const struct mwr_stack_node *to, struct registers registers, uintptr_t base,
                     uintptr_t end, struct mwr_stack_words *words)
{
    struct mwr_stack_node *node = &mwr_stack_roots[to->call];
    struct origin origin = {.place = base};
    uintptr_t place = base + sizeof base; /* of the address, behind the base pointer */

    words->count = 0;
    words->has_failed = false;
    while (!words->has_failed) {
        struct registers before = registers;

        node = mwr_stack_node_look(node, registers.address);
        if (!node || registers.address == MWR_STACK_CUT) {
            return false;
        }
        mwr_stack_word_add(words, base, place, false);
        if (node->way == MWR_STACK_NOT) {
            return node == to;
        }
        step(&registers, &node->rule, end);
        if (registers.address == MWR_STACK_CUT) {
            return false;
        }
        note_rule(&before, &node->rule, base, &origin, words);
        follow_origin(&before, &registers, &node->rule, &origin);
        place = registers.stack_pointer + (uintptr_t)(intptr_t)node->rule.back;
    }
    return false;
}

/* Knows a stack from now on that leads to the node. */
static __attribute__((noinline)) void know(struct mwr_stack_node *node, unsigned set,
                                           const struct registers *registers, uintptr_t base,
                                           uintptr_t end)
{
    struct mwr_known_stack *known = __atomic_load_n(&node->known, __ATOMIC_ACQUIRE);
    int error = errno;
    struct mwr_stack_words words;

    if (node->value != MWR_STACK_NO_VALUE &&
        !mwr_known_again(known, set, node->call, node->value, base, end - base) &&
        note_way(node, *registers, base, end, &words) && mwr_sites_lock()) {
        mwr_known_add(&node->known, set, node->call, node->value, &words);
        mwr_sites_unlock();
    }
    errno = error;
}

/* One that is gone through. */
static __attribute__((noinline)) unsigned find_stack(unsigned call, const void *caller,
                                                     const uintptr_t *own, uintptr_t cfa,
                                                     unsigned set)
{
    const uintptr_t base = (uintptr_t)own;
    struct registers registers = {mwr_frame_address(own[1]), cfa, own[0]};
    bool is_own = is_within(&mwr_thread, base);
    struct mwr_stack_node *node;
    uintptr_t end;

    if (!is_own && may_have_grown(&mwr_thread)) {
        find_bounds(&mwr_thread);
        is_own = is_within(&mwr_thread, base);
    }
    end = mwr_thread.stack_end;
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
    return node->value == MWR_STACK_NO_VALUE ? call : node->value - 1;
}

/*
 * A frame begins with the caller's base pointer and the address that it returns to, on either
 * machine; on x86-64 these are the end of it, too.
 */
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
    if (MW_LIKELY(is_within(thread, base))) {
        value = mwr_known_look(set, call, base, thread->stack_end - base);
    }
    if (MW_UNLIKELY(value == 0)) {
        value = find_stack(call, caller, own, (uintptr_t)__builtin_dwarf_cfa(), set) + 1;
        __asm__ volatile("" : "+r"(value)); /* this frame, which it goes through, has to stay */
    }
    return value - 1;
}

bool mwr_stacks_start(unsigned frames, bool of_libraries)
{
    if (!mwr_stack_nodes_start()) {
        return false;
    }
    mwr_stack_frames = frames;
    mwr_stacks_are_of_libraries = of_libraries;
    return true;
}

unsigned mwr_stack_number(unsigned call, unsigned code, uint32_t frame)
{
    return mwr_stack_node_number(call, code - MWR_STACK_BELOW_PYTHON, frame);
}

void mwr_stacks_forget(uintptr_t begin, uintptr_t end)
{
    mwr_stack_nodes_forget(begin, end);
    mwr_known_forget(begin, end);
}

#else

unsigned mwr_stack_find(unsigned call, const void *caller)
{
    return call;
}

bool mwr_stacks_start(unsigned frames, bool of_libraries)
{
    return true;
}

unsigned mwr_stack_number(unsigned call, unsigned code, uint32_t frame)
{
    return call;
}

void mwr_stacks_forget(uintptr_t begin, uintptr_t end)
{
}

#endif
