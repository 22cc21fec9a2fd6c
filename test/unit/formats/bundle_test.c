/* Messages that are much alike, put together by several processes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/bundle.h"

#define PIECES 50u

/* Adds a message with pieces that all have, and some of its own, one of them empty. */
static void add_message(struct mw_bundle *bundle, unsigned number, struct mw_buffer *expected)
{
    char piece[64];

    mw_bundle_begin(bundle);
    for (unsigned i = 0; i < PIECES; i++) {
        unsigned of = i % 10 == 7 ? number : (i + number % 3) % PIECES;
        int bytes = snprintf(piece, sizeof piece, "%s piece %u", i % 10 == 7 ? "own" : "any", of);

        bytes = i == 30 ? 0 : bytes;
        mw_bundle_add(bundle, piece, (size_t)bytes);
        mw_buffer_append(expected, piece, (size_t)bytes);
    }
}

static void expect(const struct mw_bundle *bundle, uint32_t message,
                   const struct mw_buffer *expected)
{
    struct mw_buffer buffer = {0};

    mw_bundle_message(bundle, message, &buffer);
    cr_assert_eq(buffer.bytes, expected->bytes, "message %u", message);
    cr_assert_eq(memcmp(buffer.data, expected->data, buffer.bytes), 0, "message %u", message);
    mw_buffer_fini(&buffer);
}

Test(bundle, gives_back_what_several_have_put_together)
{
    struct mw_bundle bundles[8] = {0};
    struct mw_buffer expected[16] = {0};
    struct mw_buffer given = {0};

    for (unsigned i = 0; i < 16; i++) {
        add_message(&bundles[i / 2], i, &expected[i]);
    }
    for (unsigned distance = 1; distance < 8; distance *= 2) { /* as up a tree */
        for (unsigned i = 0; i + distance < 8; i += 2 * distance) {
            given.bytes = 0;
            mw_bundle_give(&bundles[i + distance], &given);
            cr_assert_eq(mw_bundle_take(&bundles[i], given.data, given.bytes), MW_OK);
        }
    }
    cr_assert_eq(bundles[0].message_count, 16u);
    for (uint32_t i = 0; i < 16; i++) {
        expect(&bundles[0], i, &expected[i]);
        mw_buffer_fini(&expected[i]);
    }
    /* What all have is in it once: 3 rows of shared pieces at most, and one own of each message. */
    cr_assert_leq(bundles[0].piece_count, PIECES + 16 + 1);
    for (unsigned i = 0; i < 8; i++) {
        mw_bundle_fini(&bundles[i]);
    }
    mw_buffer_fini(&given);
}

Test(bundle, has_messages_without_pieces)
{
    struct mw_bundle bundle = {0};
    struct mw_bundle other = {0};
    struct mw_buffer given = {0};
    struct mw_buffer nothing = {0};

    mw_bundle_begin(&bundle);
    mw_bundle_begin(&bundle);
    mw_bundle_give(&other, &given); /* without messages, too */
    cr_assert_eq(mw_bundle_take(&bundle, given.data, given.bytes), MW_OK);
    cr_assert_eq(bundle.message_count, 2u);
    mw_bundle_message(&bundle, 0, &nothing);
    mw_bundle_message(&bundle, 1, &nothing);
    cr_assert_eq(nothing.bytes, 0u);
    mw_bundle_fini(&bundle);
    mw_buffer_fini(&given);
}

/* Whatever bytes come: refused, or whole messages; the sanitizers look on. */
Test(bundle, of_other_bytes_is_refused)
{
    struct mw_bundle bundle = {0};
    struct mw_buffer expected = {0};
    struct mw_buffer given = {0};

    add_message(&bundle, 1, &expected);
    mw_bundle_give(&bundle, &given);
    for (size_t cut = 0; cut < given.bytes; cut++) {
        struct mw_bundle other = {0};

        cr_assert_eq(mw_bundle_take(&other, given.data, cut), MW_ERROR_FORMAT);
        mw_bundle_fini(&other);
    }
    for (size_t i = 0; i < given.bytes; i++) {
        struct mw_bundle other = {0};
        char was = given.data[i];

        given.data[i] = (char)(was ^ 0x81);
        (void)!mw_bundle_take(&other, given.data, given.bytes);
        for (uint32_t k = 0; !other.failed && k < other.message_count; k++) {
            expected.bytes = 0;
            mw_bundle_message(&other, k, &expected);
        }
        given.data[i] = was;
        mw_bundle_fini(&other);
    }
    mw_bundle_fini(&bundle);
    mw_buffer_fini(&expected);
    mw_buffer_fini(&given);
}
