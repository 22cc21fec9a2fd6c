#include "analyzer/load/inflater.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/load/member.h"
#include "config.h"

#define BYTES_MAX 300000u
#define MANY 200u    /* inflaters; not all of them are fast */
#define DAMAGED 400u

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Bytes of some kind: all the same, times that rise, noise. */
static void fill(unsigned char *bytes, size_t count, int kind)
{
    for (size_t i = 0; i < count; i++) {
        bytes[i] = kind == 0                ? 'x'
                   : kind == 1 && i % 8 > 1 ? (unsigned char)(i / 64)
                                            : (unsigned char)next_random();
    }
}

/* Deflates bytes, and returns to how many. */
static size_t pack(const unsigned char *bytes, size_t count, int level, int strategy,
                   unsigned char *packed, size_t room)
{
    z_stream stream = { .next_in = (Bytef *)bytes,
                        .avail_in = (uInt)count,
                        .next_out = packed,
                        .avail_out = (uInt)room };

    cr_assert_eq(deflateInit2(&stream, level, Z_DEFLATED, -15, 8, strategy), Z_OK);
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

/* Inflates packed in pieces of random sizes, up to most, into rooms of such sizes. */
static size_t unpack(struct mwa_inflater *inflater, const unsigned char *packed, size_t count,
                     size_t most, unsigned char *bytes)
{
    enum mwa_inflating inflating = MWA_INFLATING;
    size_t given = 0, taken = 0;

    while (inflating == MWA_INFLATING) {
        size_t got;

        inflating = mwa_inflater_take(inflater, bytes + taken, next_random() % most + 1, &got);
        taken += got;
        if (got == 0 && inflating == MWA_INFLATING) {
            const size_t left = count - given, want = next_random() % most + 1;

            cr_assert(mwa_inflater_is_through(inflater));
            cr_assert_gt(left, 0);
            mwa_inflater_give(inflater, packed + given, want < left ? want : left);
            given += want < left ? want : left;
        }
    }
    cr_assert_eq(inflating, MWA_INFLATED);
    return taken;
}

static void check(struct mwa_inflater *inflater, size_t count, int kind, int level, int strategy)
{
    static unsigned char bytes[BYTES_MAX], packed[2 * BYTES_MAX], got[2 * BYTES_MAX];
    static const size_t pieces[] = { 1, 40, 3000, 70000 };
    size_t packed_count;

    fill(bytes, count, kind);
    packed_count = pack(bytes, count, level, strategy, packed, sizeof packed);
    for (size_t i = count > 5000; i < sizeof pieces / sizeof pieces[0]; i++) {
        mwa_inflater_reset(inflater);
        cr_assert_eq(unpack(inflater, packed, packed_count, pieces[i], got), count);
        cr_assert_eq(memcmp(got, bytes, count), 0);
    }
    cr_assert_eq(mwa_inflater_crc(inflater, 7, bytes, count), crc32(7, bytes, (uInt)count));
}

static void check_all(struct mwa_inflater *inflater)
{
    static const size_t counts[] = { 0, 1, 700, 40000, BYTES_MAX };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (int kind = 0; kind < 3; kind++) {
            check(inflater, counts[i], kind, 0, Z_DEFAULT_STRATEGY);
            check(inflater, counts[i], kind, 1, Z_DEFAULT_STRATEGY);
            check(inflater, counts[i], kind, 9, Z_DEFAULT_STRATEGY);
            check(inflater, counts[i], kind, 6, Z_FIXED);
        }
    }
}

Test(inflater, gives_the_bytes_whoever_inflates)
{
    struct mwa_inflater *inflater = mwa_inflater_create();

    cr_assert_not_null(inflater);
#ifdef HAVE_ISAL
    cr_expect(mwa_inflater_is_fast(inflater));
#endif
    check_all(inflater);
    cr_assert(mwa_inflater_reset_to_zlib(inflater));
    cr_expect_not(mwa_inflater_is_fast(inflater));
    check_all(inflater);
    mwa_inflater_destroy(inflater);
}

Test(inflater, is_fast_where_few_are_at_a_time)
{
    struct mwa_inflater *list[MANY];

    for (size_t i = 0; i < MANY; i++) {
        cr_assert_not_null(list[i] = mwa_inflater_create());
    }
    cr_expect_not(mwa_inflater_is_fast(list[MANY - 1]));
    for (size_t i = 0; i < MANY; i += 50) {
        check(list[i], 40000, 1, 1, Z_DEFAULT_STRATEGY);
    }
    for (size_t i = 0; i < MANY; i++) {
        mwa_inflater_destroy(list[i]);
    }
#ifdef HAVE_ISAL
    cr_assert_not_null(list[0] = mwa_inflater_create());
    cr_expect(mwa_inflater_is_fast(list[0]));
    mwa_inflater_destroy(list[0]);
#endif
}

/* --- members of ZIP files --------------------------------------------------------------------- */

/* A ZIP file without members, behind so many bytes of which a test says that they are one. */
static struct mwa_zip *make_zip(const unsigned char *packed, size_t compressed)
{
    unsigned char end[22] = { 'P', 'K', 5, 6 };
    char path[] = "/tmp/mwa-inflater-XXXXXX";
    struct mw_diagnostic diagnostic;
    struct mwa_zip *zip = NULL;
    FILE *file = fdopen(mkstemp(path), "wb");

    cr_assert_not_null(file);
    for (unsigned i = 0; i < 4; i++) {
        end[16 + i] = (unsigned char)(compressed >> 8 * i);
    }
    fwrite(packed, 1, compressed, file);
    fwrite(end, 1, sizeof end, file);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(mwa_zip_open(path, &zip, &diagnostic), MW_OK, "%s", diagnostic.what);
    unlink(path);
    return zip;
}

/* What comes of reading a member to its end or to what is wrong. */
struct outcome {
    unsigned char bytes[BYTES_MAX];
    size_t count;
    struct mw_diagnostic fault;
};

static void read_member(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                        struct outcome *outcome)
{
    struct mwa_stream_log log = { .last_offset = 0 };
    struct mwa_source source = { .cookie = NULL };
    size_t got;

    cr_assert(mwa_member_source(zip, member, "zip", MWA_FOR_US, NULL, &log, &source));
    outcome->count = 0;
    while ((got = mwa_source_read(&source, outcome->bytes + outcome->count, 777)) > 0) {
        outcome->count += got;
    }
    mwa_source_close(&source);
    outcome->fault = log.fault;
}

/* Whatever is damaged: what can be read, and what is said of the rest, is as by zlib alone. */
Test(inflater, finds_what_is_damaged_where_zlib_does)
{
    static unsigned char bytes[40000], packed[80000];
    static struct outcome fast, by_zlib;
    struct mwa_inflater *others[MANY];
    unsigned faults = 0;

    for (unsigned i = 0; i < DAMAGED; i++) {
        const size_t count = next_random() % sizeof bytes + 1;
        struct mwa_zip_member member;
        struct mwa_zip *zip;
        size_t compressed;

        fill(bytes, count, 1 + (int)(next_random() % 2));
        compressed = pack(bytes, count, (int)(next_random() % 10), Z_DEFAULT_STRATEGY, packed,
                          sizeof packed);
        for (uint64_t k = next_random() % 3; k > 0; k--) {
            packed[next_random() % compressed] ^= (unsigned char)(1u << next_random() % 8);
        }
        compressed -= next_random() % 4 == 0 ? next_random() % compressed : 0;
        member = (struct mwa_zip_member){ .name = "m",
                                          .method = MWA_ZIP_DEFLATED,
                                          .crc = (uint32_t)crc32(0, bytes, (uInt)count),
                                          .compressed_size = compressed,
                                          .size = count + next_random() % 2 };
        zip = make_zip(packed, compressed);
        read_member(zip, &member, &fast);
        for (size_t k = 0; k < MANY; k++) {
            cr_assert_not_null(others[k] = mwa_inflater_create());
        }
        read_member(zip, &member, &by_zlib);
        for (size_t k = 0; k < MANY; k++) {
            mwa_inflater_destroy(others[k]);
        }
        mwa_zip_close(zip);
        cr_assert_eq(fast.count, by_zlib.count, "%u: %zu, %zu", i, fast.count, by_zlib.count);
        cr_assert_eq(memcmp(fast.bytes, by_zlib.bytes, fast.count), 0);
        cr_assert_eq(fast.fault.status, by_zlib.fault.status);
        cr_assert_eq(fast.fault.offset, by_zlib.fault.offset);
        cr_assert_str_eq(fast.fault.what, by_zlib.fault.what);
        faults += fast.fault.status != MW_OK;
    }
    cr_expect_gt(faults, DAMAGED / 2);
    cr_expect_lt(faults, DAMAGED);
}
