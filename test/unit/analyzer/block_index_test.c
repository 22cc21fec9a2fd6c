#include "analyzer/load/block_index.h"

#include <string.h>

#include <criterion/criterion.h>

/* An index being put together by hand from formats/ARCHIVE.md. */
struct made {
    unsigned char bytes[512];
    uint64_t size;
};

static void put(struct made *made, uint64_t value, unsigned count)
{
    while (count-- > 0) {
        made->bytes[made->size++] = (unsigned char)value;
        value >>= 8;
    }
}

static struct made head(uint64_t entries)
{
    struct made made = { .bytes = "MWBLOCKS", .size = 8 };

    put(&made, 1, 4);
    put(&made, 0, 4);
    put(&made, 262144, 8);
    put(&made, entries, 8);
    return made;
}

static void put_entry(struct made *made, const char *name, uint64_t size, uint64_t compressed,
                      uint64_t blocks)
{
    put(made, strlen(name), 4);
    put(made, 0xabcd1234, 4);
    put(made, size, 8);
    put(made, compressed, 8);
    put(made, 62, 8);
    put(made, blocks, 8);
    memcpy(made->bytes + made->size, name, strlen(name));
    made->size += strlen(name);
}

/* One member of 600,000 bytes: blocks of 262,144, 262,144 and 75,712 bytes. */
static struct made three_blocks(uint64_t second, uint64_t third)
{
    struct made made = head(1);

    put_entry(&made, "traces/0.evt", 600000, 900, 3);
    put(&made, 0, 8);
    put(&made, second, 8);
    put(&made, third, 8);
    return made;
}

static enum mw_status parse(const struct made *made, struct mw_diagnostic *diagnostic)
{
    struct mwa_block_index index;
    enum mw_status status = mwa_block_index_parse(made->bytes, made->size, "x.idx", &index,
                                                  diagnostic);

    if (status == MW_OK) {
        mwa_block_index_fini(&index);
    }
    return status;
}

Test(block_index, says_where_blocks_begin_and_how_large_they_are)
{
    struct made made = three_blocks(300, 700);
    struct mwa_block_index index;
    const struct mwa_indexed_member *member;

    cr_assert_eq(mwa_block_index_parse(made.bytes, made.size, "x.idx", &index, NULL), MW_OK);
    cr_assert_eq(index.count, 1);
    member = &index.members[0];
    cr_expect_str_eq(member->name, "traces/0.evt");
    cr_expect_eq(member->crc, 0xabcd1234);
    cr_expect_eq(member->data_offset, 62);
    cr_expect_eq(mwa_block_offset(member, 1), 300);
    cr_expect_eq(mwa_block_offset(member, 2), 700);
    cr_expect_eq(mwa_block_offset(member, 3), 900);
    cr_expect_eq(mwa_block_size(&index, member, 0), 262144);
    cr_expect_eq(mwa_block_size(&index, member, 2), 75712);
    mwa_block_index_fini(&index);
}

Test(block_index, refuses_blocks_that_do_not_ascend_or_lie_outside)
{
    struct mw_diagnostic diagnostic;
    struct made descending = three_blocks(300, 200);
    struct made outside = three_blocks(300, 900);

    cr_expect_eq(parse(&descending, &diagnostic), MW_ERROR_FORMAT);
    cr_expect_eq(diagnostic.offset, 32);
    cr_expect_eq(parse(&outside, NULL), MW_ERROR_FORMAT);
}

Test(block_index, refuses_counts_that_it_cannot_hold)
{
    struct made entries = head(UINT64_MAX);
    struct made blocks = head(1);

    cr_expect_eq(parse(&entries, NULL), MW_ERROR_FORMAT);
    put_entry(&blocks, "x", UINT64_MAX, 900, UINT64_MAX / 262144 + 1);
    put(&blocks, 0, 8);
    cr_expect_eq(parse(&blocks, NULL), MW_ERROR_FORMAT);
}

Test(block_index, refuses_to_be_cut_anywhere)
{
    struct made made = three_blocks(300, 700);
    uint64_t whole = made.size;

    for (made.size = 0; made.size < whole; made.size++) {
        cr_expect_neq(parse(&made, NULL), MW_OK, "%llu bytes", (unsigned long long)made.size);
    }
    cr_expect_eq(parse(&made, NULL), MW_OK);
}

Test(block_index, refuses_other_versions_and_what_follows_its_last_entry)
{
    struct made version = three_blocks(300, 700);
    struct made longer = three_blocks(300, 700);

    version.bytes[8] = 2;
    longer.size++;
    cr_expect_eq(parse(&version, NULL), MW_ERROR_VERSION);
    cr_expect_eq(parse(&longer, NULL), MW_ERROR_FORMAT);
}
