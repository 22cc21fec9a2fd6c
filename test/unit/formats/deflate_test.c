#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/zip/deflate.h"

#define BLOCK ((size_t)4096)
#define BYTES_MAX (3 * BLOCK + 7)

/* Bytes of some kind: all the same, times that rise, noise. */
static void fill(unsigned char *bytes, size_t count, int kind)
{
    uint64_t state = 88172645463325252u;

    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = kind == 0 ? 'x' : kind == 1 && i % 8 > 1 ? (unsigned char)(i / 64) : state;
    }
}

/* Inflates what begins at in, until there are bytes or the stream ends. */
static void assert_inflates(const unsigned char *in, size_t in_bytes, const unsigned char *want,
                            size_t bytes, bool is_last)
{
    unsigned char got[BYTES_MAX + 1];
    z_stream stream = {.next_in = (unsigned char *)in,
                       .avail_in = (uInt)in_bytes,
                       .next_out = got,
                       .avail_out = (uInt)bytes + is_last};

    cr_assert_eq(inflateInit2(&stream, -15), Z_OK);
    int code = inflate(&stream, Z_SYNC_FLUSH);

    cr_assert_eq(stream.total_out, bytes);
    cr_assert_eq(memcmp(got, want, bytes), 0);
    if (is_last) {
        cr_assert_eq(code, Z_STREAM_END);
        cr_assert_eq(stream.avail_in, 0u, "%u bytes behind the end", stream.avail_in);
    }
    inflateEnd(&stream);
}

static void check(struct mw_deflater *deflater, FILE *file, size_t bytes, int kind)
{
    struct mw_deflated deflated = {.target = fileno(file), .path = "deflated", .offset = 11};
    unsigned char in[BYTES_MAX], out[2 * BYTES_MAX];
    struct mw_diagnostic diagnostic;
    size_t done = 0;

    fill(in, bytes, kind);
    do {
        size_t part = bytes - done < BLOCK ? bytes - done : BLOCK;

        cr_assert_eq(mw_deflate_block(deflater, in + done, part, done + part == bytes, &deflated,
                                      &diagnostic),
                     MW_OK);
        done += part;
    } while (done < bytes);
    cr_assert_eq(deflated.bytes, bytes);
    cr_assert_eq(deflated.crc, crc32(0, in, (uInt)bytes));
    cr_assert_eq(deflated.block_count, bytes == 0 ? 1 : (bytes + BLOCK - 1) / BLOCK);
    cr_assert_eq(deflated.blocks.bytes, 8 * deflated.block_count);
    cr_assert_leq(deflated.compressed, sizeof out);
    cr_assert_eq(pread(fileno(file), out, deflated.compressed, 11), (ssize_t)deflated.compressed);
    assert_inflates(out, deflated.compressed, in, bytes, true);
    for (size_t i = 0; i < deflated.block_count; i++) {
        uint64_t offset = mw_get_u64(deflated.blocks.data + 8 * i);
        size_t left = bytes - i * BLOCK;

        assert_inflates(out + offset, deflated.compressed - offset, in + i * BLOCK,
                        left < BLOCK ? left : BLOCK, i + 1 == deflated.block_count);
    }
    mw_buffer_fini(&deflated.blocks);
}

/* At level 1 by ISA-L where there is one; at the others by zlib, as it is there without. */
Test(deflate, is_undone_by_zlib_from_every_block_on)
{
    static const size_t sizes[] = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, BYTES_MAX};
    FILE *file = tmpfile();
    struct mw_diagnostic diagnostic;

    for (int level = 0; level <= 9; level++) {
        struct mw_deflater *deflater;

        cr_assert_eq(mw_deflater_create(level, BLOCK, &deflater, &diagnostic), MW_OK);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            for (int kind = 0; kind < 3; kind++) {
                check(deflater, file, sizes[i], kind);
            }
        }
        mw_deflater_destroy(deflater);
    }
    fclose(file);
}

/* What a member left behind that failed before its last block is not in the next one. */
Test(deflate, begins_anew_after_a_member_that_has_no_end)
{
    FILE *file = tmpfile();
    struct mw_diagnostic diagnostic;

    for (int level = 1; level <= 2; level++) {
        struct mw_deflated cut = {.target = fileno(file), .path = "cut"};
        struct mw_deflater *deflater;
        unsigned char block[BLOCK];

        fill(block, BLOCK, 1);
        cr_assert_eq(mw_deflater_create(level, BLOCK, &deflater, &diagnostic), MW_OK);
        cr_assert_eq(mw_deflate_block(deflater, block, BLOCK, false, &cut, &diagnostic), MW_OK);
        mw_buffer_fini(&cut.blocks);
        check(deflater, file, 100, 1);
        mw_deflater_destroy(deflater);
    }
    fclose(file);
}
