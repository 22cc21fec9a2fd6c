#include "analyzer/load/zip.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/load/member.h"

/*
 * A ZIP file of two members put together by hand: "a" with 3 bytes "abc" stored, and "d/b"
 * with 100,000 times 'x' deflated. Offsets of what the tests damage are noted.
 */
struct made_zip {
    unsigned char bytes[4096];
    size_t size;
    size_t local[2];   /* of the local headers */
    size_t central[2]; /* of the entries of the central directory */
    size_t end;        /* of the end record */
    char path[64];
};

static struct made_zip zip;
static struct mw_diagnostic diagnostic;

static void put(uint64_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        zip.bytes[zip.size++] = (unsigned char)value;
        value >>= 8;
    }
}

static void put_bytes(const void *bytes, size_t size)
{
    memcpy(zip.bytes + zip.size, bytes, size);
    zip.size += size;
}

static void poke(size_t offset, uint64_t value, unsigned bytes)
{
    size_t size = zip.size;

    zip.size = offset;
    put(value, bytes);
    zip.size = size;
}

struct member {
    const char *name;
    unsigned method;
    uint32_t crc;
    const void *data;
    size_t compressed;
    size_t size;
};

static void put_common(const struct member *member)
{
    put(20, 2);
    put(0, 2);
    put(member->method, 2);
    put(0, 4);
    put(member->crc, 4);
    put(member->compressed, 4);
    put(member->size, 4);
    put(strlen(member->name), 2);
    put(0, 2);
}

static void make(void)
{
    static char letters[100000];
    static unsigned char packed[1000];
    uLongf packed_size = sizeof packed;
    z_stream deflater = { 0 };
    struct member members[2];

    memset(letters, 'x', sizeof letters);
    cr_assert_eq(deflateInit2(&deflater, 6, Z_DEFLATED, -15, 8, 0), Z_OK);
    deflater.next_in = (Bytef *)letters;
    deflater.avail_in = sizeof letters;
    deflater.next_out = packed;
    deflater.avail_out = sizeof packed;
    cr_assert_eq(deflate(&deflater, Z_FINISH), Z_STREAM_END);
    packed_size = deflater.total_out;
    deflateEnd(&deflater);
    members[0] = (struct member){ "a",   0, (uint32_t)crc32(0, (const Bytef *)"abc", 3),
                                  "abc", 3, 3 };
    members[1] = (struct member){ "d/b", 8, (uint32_t)crc32(0, (const Bytef *)letters, 100000),
                                  packed, packed_size, 100000 };
    memset(&zip, 0, sizeof zip);
    for (int i = 0; i < 2; i++) {
        zip.local[i] = zip.size;
        put(0x04034b50, 4);
        put_common(&members[i]);
        put_bytes(members[i].name, strlen(members[i].name));
        put_bytes(members[i].data, members[i].compressed);
    }
    for (int i = 0; i < 2; i++) {
        zip.central[i] = zip.size;
        put(0x02014b50, 4);
        put(20, 2);
        put_common(&members[i]);
        put(0, 6);
        put(0, 4);
        put(zip.local[i], 4);
        put_bytes(members[i].name, strlen(members[i].name));
    }
    zip.end = zip.size;
    put(0x06054b50, 4);
    put(0, 4);
    put(2, 2);
    put(2, 2);
    put(zip.end - zip.central[0], 4);
    put(zip.central[0], 4);
    put(0, 2);
}

static enum mw_status open_made(struct mwa_zip **opened)
{
    enum mw_status status;
    int descriptor;

    snprintf(zip.path, sizeof zip.path, "/tmp/mwa-zip-XXXXXX");
    descriptor = mkstemp(zip.path);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, zip.bytes, zip.size), (ssize_t)zip.size);
    close(descriptor);
    memset(&diagnostic, 0, sizeof diagnostic);
    status = mwa_zip_open(zip.path, opened, &diagnostic);
    unlink(zip.path);
    return status;
}

/* The made file must be refused, with a sentence that has what in it. */
static void expect_refused(const char *what)
{
    struct mwa_zip *opened = NULL;

    cr_expect_eq(open_made(&opened), MW_ERROR_FORMAT);
    cr_expect_not_null(strstr(diagnostic.what, what), "\"%s\" in \"%s\"", what, diagnostic.what);
    cr_expect_eq(strncmp(diagnostic.where, zip.path, strlen(zip.path)), 0);
}

TestSuite(zip, .init = make);

Test(zip, lists_members_by_name_and_finds_them)
{
    struct mwa_zip *opened;

    cr_assert_eq(open_made(&opened), MW_OK);
    cr_assert_eq(mwa_zip_count(opened), 2);
    cr_expect_str_eq(mwa_zip_member(opened, 1)->name, "d/b");
    cr_expect_eq(mwa_zip_find(opened, "d/b")->size, 100000);
    cr_expect_null(mwa_zip_find(opened, "d"));
    mwa_zip_close(opened);
}

Test(zip, refuses_a_file_without_an_end_record)
{
    zip.size--;
    expect_refused("no end record");
}

Test(zip, refuses_an_empty_file)
{
    zip.size = 0;
    expect_refused("not an archive");
}

Test(zip, refuses_names_that_lead_out_of_the_archive)
{
    memcpy(zip.bytes + zip.central[1] + 46, "../", 3);
    expect_refused("name");
    memcpy(zip.bytes + zip.central[1] + 46, "/ab", 3);
    expect_refused("name");
    memcpy(zip.bytes + zip.central[1] + 46, "a\0b", 3);
    expect_refused("name");
}

Test(zip, refuses_a_local_header_that_says_something_else)
{
    zip.bytes[zip.local[1] + 30] = 'e';
    expect_refused("local header");
    cr_expect_not_null(strstr(diagnostic.where, "!d/b"));
    cr_expect_eq(diagnostic.offset, zip.local[1]);
}

Test(zip, refuses_a_member_outside_the_file)
{
    poke(zip.central[0] + 42, 0x7fffffff, 4);
    expect_refused("outside");
}

Test(zip, refuses_members_that_overlap)
{
    poke(zip.central[0] + 20, 40, 4); /* "a" has 40 bytes, far into the next member */
    poke(zip.central[0] + 24, 40, 4);
    expect_refused("overlaps");
}

Test(zip, refuses_two_members_of_one_name)
{
    zip.bytes[zip.central[1] + 28] = 1;
    zip.bytes[zip.local[1] + 26] = 1;
    zip.bytes[zip.central[1] + 46] = 'a';
    zip.bytes[zip.local[1] + 30] = 'a';
    /* What is left of the name "d/b" becomes an extra field of two bytes. */
    poke(zip.central[1] + 30, 2, 2);
    poke(zip.local[1] + 28, 2, 2);
    expect_refused("two members");
}

Test(zip, refuses_more_bytes_than_deflate_can_make)
{
    poke(zip.central[1] + 24, 0xfffffff0, 4);
    expect_refused("sizes");
}

Test(zip, refuses_more_members_than_the_directory_has_room_for)
{
    poke(zip.end + 10, 60000, 2);
    expect_refused("contradicts");
}

Test(zip, refuses_an_unknown_method_and_encryption)
{
    poke(zip.central[0] + 10, 12, 2);
    expect_refused("method");
    make();
    poke(zip.central[0] + 8, 1, 2);
    expect_refused("encrypted");
}

/* Reads member name as a whole; the number of bytes read. */
static size_t read_member(struct mwa_zip *opened, const char *name, struct mwa_stream_log *log)
{
    FILE *stream = mwa_member_open(opened, mwa_zip_find(opened, name), "made.zip", MWA_FOR_US, NULL,
                                   log);
    static char bytes[200000];
    size_t got;

    cr_assert_not_null(stream);
    got = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    return got;
}

Test(member, is_inflated_and_checked)
{
    struct mwa_stream_log log = { 0 };
    struct mwa_zip *opened;

    make();
    cr_assert_eq(open_made(&opened), MW_OK);
    cr_expect_eq(read_member(opened, "a", &log), 3);
    cr_expect_eq(read_member(opened, "d/b", &log), 100000);
    cr_expect_eq(log.fault.status, MW_OK);
    mwa_zip_close(opened);
}

Test(member, seeks_to_and_fro)
{
    struct mwa_stream_log log = { 0 };
    struct mwa_zip *opened;
    char bytes[4];
    FILE *stream;

    make();
    cr_assert_eq(open_made(&opened), MW_OK);
    stream = mwa_member_open(opened, mwa_zip_find(opened, "a"), "made.zip", MWA_FOR_US, NULL, &log);
    cr_assert_eq(fseek(stream, 2, SEEK_SET), 0);
    cr_expect_eq(fread(bytes, 1, 4, stream), 1);
    cr_expect_eq(bytes[0], 'c');
    cr_assert_eq(fseek(stream, 1, SEEK_SET), 0);
    cr_expect_eq(fread(bytes, 1, 1, stream), 1);
    cr_expect_eq(bytes[0], 'b');
    fclose(stream);
    stream = mwa_member_open(opened, mwa_zip_find(opened, "d/b"), "made.zip", MWA_FOR_US, NULL,
                             &log);
    cr_assert_eq(fseek(stream, 99999, SEEK_SET), 0);
    cr_expect_eq(fread(bytes, 1, 4, stream), 1);
    cr_assert_eq(fseek(stream, 5, SEEK_SET), 0);
    cr_expect_eq(fread(bytes, 1, 4, stream), 4);
    fclose(stream);
    cr_expect_eq(log.fault.status, MW_OK);
    mwa_zip_close(opened);
}

Test(member, with_a_wrong_crc_names_itself)
{
    struct mwa_stream_log log = { 0 };
    struct mwa_zip *opened;

    make();
    poke(zip.central[1] + 16, 12345, 4);
    cr_assert_eq(open_made(&opened), MW_OK);
    read_member(opened, "d/b", &log);
    cr_expect_eq(log.fault.status, MW_ERROR_FORMAT);
    cr_expect_str_eq(log.fault.where, "made.zip!d/b");
    cr_expect_not_null(strstr(log.fault.what, "CRC"));
    mwa_zip_close(opened);
}

Test(member, that_is_longer_or_shorter_than_said_is_damaged)
{
    struct mwa_stream_log log = { 0 };
    struct mwa_zip *opened;

    make();
    poke(zip.central[1] + 24, 99999, 4);
    cr_assert_eq(open_made(&opened), MW_OK);
    cr_expect_leq(read_member(opened, "d/b", &log), 99999);
    cr_expect_eq(log.fault.status, MW_ERROR_FORMAT);
    mwa_zip_close(opened);
    make();
    poke(zip.central[1] + 24, 100001, 4);
    log = (struct mwa_stream_log){ 0 };
    cr_assert_eq(open_made(&opened), MW_OK);
    read_member(opened, "d/b", &log);
    cr_expect_eq(log.fault.status, MW_ERROR_FORMAT);
    cr_expect_not_null(strstr(log.fault.what, "shorter"));
    mwa_zip_close(opened);
}
