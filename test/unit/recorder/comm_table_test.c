/* Handles and what they stand for, when the table grows and when they are freed and come back. */
#include "recorder/state/comm_table.h"

#include <criterion/criterion.h>

#define HANDLES 1000u /* so many that the table grows, more than once */

/* What is found is never looked into. */
static struct mwr_comm *comm_of(uintptr_t handle)
{
    return (struct mwr_comm *)(handle << 8);
}

static uintptr_t handle_of(unsigned i)
{
    return 0x7f0000001000u + 64u * i;
}

Test(comm_table, is_empty_until_it_exists)
{
    cr_expect_not(mwr_comm_table_exists());
    cr_expect_null(mwr_comm_table_get(handle_of(0)));
    cr_assert(mwr_comm_table_create());
    cr_expect(mwr_comm_table_exists());
    cr_expect_null(mwr_comm_table_get(handle_of(0)));
}

Test(comm_table, finds_what_was_put_however_many)
{
    cr_assert(mwr_comm_table_create());
    for (unsigned i = 0; i < HANDLES; i++) {
        cr_assert(mwr_comm_table_put(handle_of(i), comm_of(i + 1)));
    }
    cr_assert(mwr_comm_table_put(handle_of(3), comm_of(9999)));
    for (unsigned i = 0; i < HANDLES; i++) {
        cr_expect_eq(mwr_comm_table_get(handle_of(i)), comm_of(i == 3 ? 9999 : i + 1));
    }
    cr_expect_null(mwr_comm_table_get(handle_of(HANDLES)));
}

/* MPI_Comm_free is called, and fails when others have been created meanwhile. */
Test(comm_table, finds_what_comes_back_behind_a_growth)
{
    cr_assert(mwr_comm_table_create());
    cr_assert(mwr_comm_table_put(handle_of(0), comm_of(1)));
    mwr_comm_table_set(handle_of(0), NULL);
    cr_expect_null(mwr_comm_table_get(handle_of(0)));
    for (unsigned i = 1; i < HANDLES; i++) {
        cr_assert(mwr_comm_table_put(handle_of(i), comm_of(i + 1)));
    }
    mwr_comm_table_set(handle_of(0), comm_of(1));
    cr_expect_eq(mwr_comm_table_get(handle_of(0)), comm_of(1));
    cr_assert(mwr_comm_table_put(handle_of(HANDLES), comm_of(7)));
    cr_expect_eq(mwr_comm_table_get(handle_of(0)), comm_of(1));
}
