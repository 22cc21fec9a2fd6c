/*
 * A stack that was gone through once is known by its words alone; that stops where a library has
 * gone, and goes on where it has come again. Stacks are arrays here.
 */
#include <criterion/criterion.h>

#include "recorder/sites/known_stacks.h"

#define CALL 7u
#define VALUE 4711u
#define LIBRARY 0x7000u /* where it lies, of 0x100 bytes */
#define LIBRARY_END 0x7100u

static struct mwr_known_stack *list; /* of one node */

/* What returns: into the recorder, into the library, into the program. */
static const uintptr_t first[] = {0x1010, 0x7020, 0x5030};

static uintptr_t base_of(const uintptr_t *stack)
{
    return (uintptr_t)stack;
}

static unsigned set_of(const uintptr_t *stack)
{
    return mwr_known_set(CALL, stack[1], base_of(stack));
}

static uint32_t look(const uintptr_t *stack)
{
    return mwr_known_look(set_of(stack), CALL, base_of(stack), sizeof first);
}

static bool again(const uintptr_t *stack)
{
    return mwr_known_again(list, set_of(stack), CALL, VALUE, base_of(stack), sizeof first);
}

static void know(const uintptr_t *stack)
{
    struct mwr_stack_words words = {.count = 0};

    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        mwr_stack_word_add(&words, base_of(stack), base_of(&stack[i]), false);
    }
    mwr_known_add(&list, set_of(stack), CALL, VALUE, &words);
}

Test(known_stacks, are_known_until_their_library_goes)
{
    know(first);
    cr_assert_eq(look(first), VALUE);
    mwr_known_forget(LIBRARY_END, LIBRARY_END + 0x100); /* another one */
    cr_assert_eq(look(first), VALUE);
    mwr_known_forget(LIBRARY, LIBRARY_END);
    cr_assert_eq(look(first), 0);
}

/* There is room for 4 in a list: one that comes and goes more often takes up one of them. */
Test(known_stacks, are_known_again_when_it_has_come_again_however_often)
{
    for (unsigned time = 0; time < 10; time++) {
        if (!again(first)) {
            cr_assert_eq(time, 0, "added once more, time %u", time);
            know(first);
        }
        cr_assert_eq(look(first), VALUE, "time %u", time);
        mwr_known_forget(LIBRARY, LIBRARY_END);
        cr_assert_eq(look(first), 0, "time %u", time);
    }
}

Test(known_stacks, that_look_otherwise_are_not_what_was_forgotten)
{
    const uintptr_t other[] = {first[0], first[1], first[2] + 1};

    know(first);
    mwr_known_forget(LIBRARY, LIBRARY_END);
    cr_assert_not(again(other));
    cr_assert_eq(look(other), 0);
    cr_assert_eq(look(first), 0);
}
