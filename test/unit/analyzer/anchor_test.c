#include "analyzer/load/anchor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

/* An anchor file being put together by hand from what libotf2 3.0 writes. */
struct made {
    unsigned char bytes[4096];
    size_t size;
};

static void put(struct made *made, uint64_t value, unsigned count)
{
    while (count-- > 0) {
        made->bytes[made->size++] = (unsigned char)value;
        value >>= 8;
    }
}

static void put_text(struct made *made, const char *text)
{
    memcpy(made->bytes + made->size, text, strlen(text) + 1);
    made->size += strlen(text) + 1;
}

/* Chunk, little-endian, "OTF2", format 3, trace format 2, version 3.0.2; offsets 0 to 11. */
static struct made head(void)
{
    struct made made = { .bytes = { 3, 0x42, 'O', 'T', 'F', '2', 0, 3, 2, 3, 0, 2 }, .size = 12 };

    return made;
}

/* Sizes of chunks at 12 and 20, POSIX, uncompressed, 2 locations, 40 definitions; 3 texts. */
static struct made up_to_properties(uint64_t event_chunk, uint64_t definition_chunk)
{
    struct made made = head();

    put(&made, event_chunk, 8);
    put(&made, definition_chunk, 8);
    put(&made, 0x0101, 2);
    put(&made, 2, 8);
    put(&made, 40, 8);
    put_text(&made, "");
    put_text(&made, "maker");
    put_text(&made, "");
    return made;
}

/* Identifier, snapshots, thumbnails, end. */
static void put_end(struct made *made)
{
    put(made, 7, 8);
    put(made, 0, 8);
    put(made, 2, 1);
}

/* Writes it into a new directory, by whose template place ends; path is that of the file. */
static void write_anchor(const struct made *made, char *place, char *path, size_t size)
{
    FILE *file;

    cr_assert_not_null(mkdtemp(place));
    snprintf(path, size, "%s/traces.otf2", place);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(made->bytes, 1, made->size, file), made->size);
    cr_assert_eq(fclose(file), 0);
}

static enum mw_status check(const struct made *made, struct mw_diagnostic *diagnostic)
{
    char place[] = "/tmp/anchor-test.XXXXXX";
    struct mwa_files *files = NULL;
    enum mw_status status;
    char path[64];

    write_anchor(made, place, path, sizeof path);
    cr_assert_eq(mwa_files_open(place, &files, diagnostic), MW_OK);
    status = mwa_anchor_check(files, diagnostic);
    mwa_files_close(files);
    unlink(path);
    rmdir(place);
    return status;
}

static void expect_fault_at(const struct made *made, uint64_t offset)
{
    struct mw_diagnostic diagnostic = { 0 };

    cr_expect_eq(check(made, &diagnostic), MW_ERROR_FORMAT);
    cr_expect_eq(diagnostic.offset, offset, "%s at %llu, not %llu", diagnostic.what,
                 (unsigned long long)diagnostic.offset, (unsigned long long)offset);
}

Test(anchor, with_two_properties_is_fine)
{
    struct made made = up_to_properties(1 << 18, 1 << 22);
    struct mw_diagnostic diagnostic = { 0 };

    put(&made, 2, 4);
    put_text(&made, "TOOL::KEY");
    put_text(&made, "value");
    put_text(&made, "TOOL::OTHER");
    put_text(&made, "");
    put_end(&made);
    cr_expect_eq(check(&made, &diagnostic), MW_OK, "%s", diagnostic.what);
}

Test(anchor, of_the_other_byte_order_is_fine)
{
    static const unsigned char bytes[] = {
        3, 0x23, 'O', 'T', 'F', '2', 0, 3, 2, 3, 0, 2,
        0, 0, 0, 0, 0, 4, 0, 0, /* 256 KiB */
        0, 0, 0, 0, 1, 0, 0, 0, /* 16 MiB */
        1, 1,
        0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9,
        0, 0, 0, /* three texts */
        0, 0, 0, 1, 'A', 0, 'B', 0, /* one property */
        0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 2
    };
    struct made made = { .size = sizeof bytes };
    struct mw_diagnostic diagnostic = { 0 };

    memcpy(made.bytes, bytes, sizeof bytes);
    cr_expect_eq(check(&made, &diagnostic), MW_OK, "%s", diagnostic.what);
}

Test(anchor, may_not_promise_properties_that_it_has_no_room_for)
{
    /* 2^31 + 1 of them times 2 are 2 in 32 bits. */
    static const uint32_t counts[] = { 3, 0x10000000, 0x80000001, 0xffffffff };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct made made = up_to_properties(1 << 18, 1 << 22);

        cr_assert_eq(made.size, 54);
        put(&made, counts[i], 4);
        put_text(&made, "A");
        expect_fault_at(&made, 54);
    }
}

Test(anchor, may_not_have_chunks_that_libotf2_can_not_hold)
{
    struct made small = up_to_properties((1 << 18) - 1, 1 << 22);
    struct made large = up_to_properties(1 << 18, (1 << 24) + 1);

    expect_fault_at(&small, 12);
    expect_fault_at(&large, 20);
}

Test(anchor, cut_short_anywhere_is_refused)
{
    struct made made = up_to_properties(1 << 18, 1 << 22);

    put(&made, 1, 4);
    put_text(&made, "KEY");
    put_text(&made, "value");
    put_end(&made);
    for (size_t size = 0; size < made.size; size++) {
        struct made cut = made;
        struct mw_diagnostic diagnostic = { 0 };

        cut.size = size;
        cr_expect_eq(check(&cut, &diagnostic), MW_ERROR_FORMAT, "cut to %zu", size);
        cr_expect_leq(diagnostic.offset, size);
    }
}

Test(anchor, ends_with_its_mark)
{
    struct made made = up_to_properties(1 << 18, 1 << 22);

    put(&made, 0, 4);
    put_end(&made);
    made.bytes[made.size - 1] = 0;
    expect_fault_at(&made, made.size - 1);
}

/* SIONlib, nowhere: libotf2 would read nothing, and take it for events. */
Test(anchor, has_files_of_the_plain_kind)
{
    for (unsigned char substrate = 2; substrate < 5; substrate++) {
        struct made made = up_to_properties(1 << 18, 1 << 22);

        put(&made, 0, 4);
        put_end(&made);
        made.bytes[28] = substrate;
        expect_fault_at(&made, 28);
    }
}

/* Many threads that each read several archives as one have many open. */
Test(anchor, is_found_in_any_number_of_archives_at_once)
{
    char place[] = "/tmp/anchor-test.XXXXXX";
    struct made made = up_to_properties(1 << 18, 1 << 22);
    struct mwa_files *files[700];
    struct mw_diagnostic diagnostic = { 0 };
    char path[64];

    put(&made, 0, 4);
    put_end(&made);
    write_anchor(&made, place, path, sizeof path);
    for (unsigned i = 0; i < 700; i++) {
        cr_assert_eq(mwa_files_open(place, &files[i], &diagnostic), MW_OK, "%u", i);
    }
    for (unsigned i = 0; i < 700; i += 2) {
        mwa_files_close(files[i]);
        cr_assert_eq(mwa_files_open(place, &files[i], &diagnostic), MW_OK, "again %u", i);
    }
    for (unsigned i = 0; i < 700; i++) {
        cr_assert_eq(mwa_anchor_check(files[i], &diagnostic), MW_OK, "%u", i);
        mwa_files_close(files[i]);
    }
    unlink(path);
    rmdir(place);
}
