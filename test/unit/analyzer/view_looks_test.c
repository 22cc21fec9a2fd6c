/* What looks have told is kept in bounds, and handed on from any of them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/view/view_looks.h"

static void add(struct mwa_view_looks *looks, uint64_t time, uint64_t bytes)
{
    char *line = malloc(bytes + 1);

    cr_assert_not_null(line);
    memset(line, '1', bytes);
    line[bytes] = '\0';
    mwa_view_looks_add(looks, time, line, bytes);
}

static void expect(const struct mwa_view_looks *looks, uint64_t after, const char *expected)
{
    char *text = mwa_view_looks_after(looks, after);

    cr_assert_not_null(text);
    cr_assert_str_eq(text, expected);
    free(text);
}

Test(view_looks, are_handed_on_from_any)
{
    struct mwa_view_looks looks = { .count = 0 };

    expect(&looks, 0, "[]");
    expect(&looks, UINT64_MAX, "[]");
    add(&looks, 5000000, 1);
    add(&looks, 1005000000, 2);
    expect(&looks, 0, "[{\"number\":1,\"at_ms\":0,\"look\":1},"
                      "{\"number\":2,\"at_ms\":1000,\"look\":11}]");
    expect(&looks, 1, "[{\"number\":2,\"at_ms\":1000,\"look\":11}]");
    expect(&looks, 2, "[]");
    expect(&looks, UINT64_MAX, "[]");
    mwa_view_looks_fini(&looks);
}

Test(view_looks, are_bounded_in_number)
{
    struct mwa_view_looks looks = { .count = 0 };

    for (uint64_t i = 1; i <= 2 * MWA_VIEW_LOOKS_MOST + 7; i++) {
        add(&looks, i * 1000000, 1);
    }
    cr_assert_eq(looks.count - looks.oldest + 1, MWA_VIEW_LOOKS_MOST);
    cr_assert_eq(looks.bytes, MWA_VIEW_LOOKS_MOST);
    expect(&looks, looks.count - 1, "[{\"number\":607,\"at_ms\":606,\"look\":1}]");
    mwa_view_looks_fini(&looks);
}

Test(view_looks, are_bounded_in_bytes_but_for_the_latest)
{
    struct mwa_view_looks looks = { .count = 0 };

    for (uint64_t i = 0; i < 5; i++) {
        add(&looks, i, MWA_VIEW_LOOKS_BYTES / 2);
    }
    cr_assert_eq(looks.count - looks.oldest + 1, 2);
    add(&looks, 6, MWA_VIEW_LOOKS_BYTES + 1);
    cr_assert_eq(looks.oldest, looks.count);
    add(&looks, 7, 1);
    cr_assert_eq(looks.oldest, looks.count);
    expect(&looks, 0, "[{\"number\":7,\"at_ms\":0,\"look\":1}]");
    mwa_view_looks_fini(&looks);
}
