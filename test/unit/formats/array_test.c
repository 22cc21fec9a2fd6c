#include "formats/base/array.h"

#include <criterion/criterion.h>

Test(array, grows_by_doubling)
{
    uint32_t *numbers = NULL;

    for (uint32_t i = 0; i < 100; i++) {
        cr_assert(mw_array_grow((void **)&numbers, i, sizeof *numbers));
        numbers[i] = i;
    }
    cr_assert_eq(numbers[0], 0);
    cr_assert_eq(numbers[99], 99);
    free(numbers);
}

Test(array, has_room_for_a_number_and_fills_what_is_new)
{
    uint32_t *ids = NULL;
    uint32_t room = 0;

    cr_assert(mw_array_widen((void **)&ids, &room, 4, sizeof *ids, 0xff));
    cr_assert_eq(room, 20);
    cr_assert_eq(ids[19], UINT32_MAX);
    ids[4] = 7;
    cr_assert(mw_array_widen((void **)&ids, &room, 20, sizeof *ids, 0xff));
    cr_assert_eq(room, 40);
    cr_assert_eq(ids[4], 7);
    cr_assert_eq(ids[39], UINT32_MAX);
    free(ids);
}

Test(array, stays_as_it_was_where_sizes_would_overflow)
{
    void *place = malloc(8);
    void *array = place;
    uint32_t room = 3;

    cr_assert_not(mw_array_grow(&array, (SIZE_MAX >> 3) + 1, 4));
    cr_assert_not(mw_array_widen(&array, &room, UINT32_MAX - 1, 1, 0));
    cr_assert_eq(array, place);
    cr_assert_eq(room, 3);
    free(array);
}
