/*
 * The compiler knows where each function's frame begins (__builtin_dwarf_cfa): what is read from
 * its tables has to be the same, or nothing.
 */
#include <alloca.h>
#include <criterion/criterion.h>
#include <string.h>

#include "recorder/sites/frame.h"
#include "recorder/sites/loaded.h"

/* Only GCC can be told what frame a function is to have. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)

extern char _start;

static uintptr_t frame;   /* where the innermost function's begins */
static uintptr_t address; /* where it returns to */

__attribute__((noipa)) static void look(void)
{
    frame = (uintptr_t)__builtin_dwarf_cfa();
    address = (uintptr_t)__builtin_return_address(0);
}

/* What the tables say of the call of look that was last. */
static uint32_t told(void)
{
    struct mwr_loaded loaded;

    cr_assert(mwr_loaded_find((const void *)address, &loaded));
    cr_assert_neq(loaded.frames, NULL);
    return mwr_frame_bytes(loaded.frames, loaded.frames_bytes, address);
}

#define FIXED __attribute__((noipa, optimize("O2", "omit-frame-pointer")))

FIXED static uintptr_t of_little(void)
{
    look();
    return (uintptr_t)__builtin_dwarf_cfa() - frame;
}

FIXED static uintptr_t of_much(char first)
{
    volatile char room[5000];

    room[0] = first;
    look();
    room[4999] = room[0];
    return (uintptr_t)__builtin_dwarf_cfa() - frame;
}

/* Registers are saved, and one of two ways out restores them before the call. */
FIXED static uintptr_t of_branches(int way, const int *numbers)
{
    int sum = 0;

    if (way == 0) {
        look();
        return (uintptr_t)__builtin_dwarf_cfa() - frame;
    }
    for (int i = 0; i < way; i++) {
        look();
        sum += numbers[i] * way;
    }
    look();
    return sum == 0 ? (uintptr_t)__builtin_dwarf_cfa() - frame : 0;
}

__attribute__((noipa, optimize("O2"))) static uintptr_t of_any(size_t bytes)
{
    char *room = alloca(bytes);

    memset(room, 1, bytes);
    look();
    return room[0] ? (uintptr_t)__builtin_dwarf_cfa() - frame : 0;
}

__attribute__((noipa, optimize("O0", "no-omit-frame-pointer"))) static uintptr_t of_pointer(void)
{
    look();
    return (uintptr_t)__builtin_dwarf_cfa() - frame;
}

Test(frame, is_what_the_compiler_says)
{
    static const int zeros[8];
    uintptr_t expected;

    expected = of_little();
    cr_assert_eq(told(), expected);
    expected = of_much(3);
    cr_assert_geq(expected, 5000u);
    cr_assert_eq(told(), expected);
    expected = of_branches(0, zeros);
    cr_assert_eq(told(), expected);
    expected = of_branches(5, zeros);
    cr_assert_eq(told(), expected);
}

/* A frame whose size depends on the call, or is told by another register. */
Test(frame, is_not_told_where_it_is_no_number)
{
    (void)of_any(100);
    cr_assert_eq(told(), 0u);
    (void)of_pointer();
    cr_assert_eq(told(), 0u);
}

__attribute__((noipa, optimize("O0", "no-omit-frame-pointer"))) static void of_aligned(void)
{
    volatile char room[64] __attribute__((aligned(64)));

    room[0] = 1;
    look();
    room[1] = room[0];
}

static struct mwr_frame_rule rule_at(uintptr_t at)
{
    struct mwr_loaded loaded;
    struct mwr_frame_rule rule;

    cr_assert(mwr_loaded_find((const void *)at, &loaded));
    mwr_frame_find(loaded.frames, loaded.frames_bytes, at, &rule);
    return rule;
}

/* What leads on from frames that are no number, and where the caller's rbp is. */
Test(frame, is_told_by_the_base_pointer)
{
    static const int zeros[8];
    struct mwr_frame_rule rule;

    (void)of_pointer();
    rule = rule_at(address);
    cr_assert_eq(rule.base, MWR_FRAME_POINTER);
    cr_assert_eq(rule.offset, 16);
    cr_assert_eq(rule.pointer, MWR_POINTER_AT_FRAME);
    cr_assert_eq(rule.saved, -16);
    (void)of_any(100);
    cr_assert_eq(rule_at(address).base, MWR_FRAME_POINTER);
    (void)of_little();
    cr_assert_eq(rule_at(address).base, MWR_FRAME_STACK);
    cr_assert_eq(rule_at(address).pointer, MWR_POINTER_SAME);
    (void)of_branches(5, zeros); /* it has rbp for something of its own, and keeps the caller's */
    cr_assert_eq(rule_at(address).base, MWR_FRAME_STACK);
    of_aligned();
    rule = rule_at(address);
    cr_assert(rule.base == MWR_FRAME_POINTER || rule.base == MWR_FRAME_AT_POINTER);
    cr_assert_neq(rule.pointer, MWR_POINTER_LOST);
}

/* Of a signal's frame nothing is told; nobody has called what a thread begins with. */
Test(frame, has_an_end)
{
    struct mwr_frame_rule rule = {.base = MWR_FRAME_STACK};
    struct mwr_loaded loaded;

    look();
    cr_assert(mwr_loaded_find((const void *)address, &loaded));
    mwr_frame_find(NULL, 0, address, &rule);
    cr_assert_eq(rule.base, MWR_FRAME_UNKNOWN);
    mwr_frame_find(loaded.frames, 8, address, &rule);
    cr_assert_eq(rule.base, MWR_FRAME_UNKNOWN);
    cr_assert_eq(rule_at((uintptr_t)&_start + 0x20).base, MWR_FRAME_OUTERMOST);
}

Test(frame, of_no_function_is_not_told)
{
    struct mwr_loaded loaded;

    look();
    cr_assert(mwr_loaded_find((const void *)address, &loaded));
    cr_assert_eq(mwr_frame_bytes(loaded.frames, loaded.frames_bytes, loaded.end + 4096), 0u);
    cr_assert_eq(mwr_frame_bytes(loaded.frames, loaded.frames_bytes, 4096), 0u);
    cr_assert_eq(mwr_frame_bytes(loaded.frames, 8, address), 0u);
    cr_assert_eq(mwr_frame_bytes(NULL, 0, address), 0u);
    cr_assert_not(mwr_loaded_find(&loaded, &loaded));
}

#else

Test(frame, is_told_on_few_machines)
{
    cr_assert_eq(mwr_frame_bytes(NULL, 0, 0), 0u);
}

#endif
