/* Most words are small numbers: of each the bytes are kept that are not 0 above all others. */
#include "analyzer/analysis/record_log.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/model/map.h"
#include "analyzer/model/number_masks.h"
#include "analyzer/team/packing.h"

#define BLOCK_BYTES 65536u
#define BLOCKS_HELD 16u /* in memory, before any goes to the file */
#define WORD_BYTES  8u
#define TAIL_BYTES  4u

/*
 * Records one after the other. Each is the lengths of its words, 4 bits each; their bytes, the
 * least first; and its tail: 16 bits with the number of words, and 16 with the bytes before it.
 */
struct block {
    uint64_t used;
    unsigned char bytes[BLOCK_BYTES - sizeof(uint64_t)];
};

/* A word is written, and read, with all its bytes: the last ones need room behind them. */
#define ROOM (sizeof((struct block *)NULL)->bytes - WORD_BYTES)

struct mwa_record_log {
    struct block **blocks; /* those behind the ones in the file; the last is written to */
    uint64_t capacity;
    uint64_t count;
    uint64_t filed; /* blocks in the file */
    int file;       /* -1: there is none */
    bool no_file;   /* nor can there be */
    uint64_t words[MWA_RECORD_WORDS]; /* of the record that was taken out last */
};

struct mwa_record_log *mwa_record_log_create(void)
{
    struct mwa_record_log *log = calloc(1, sizeof *log);

    if (log) {
        log->file = -1;
    }
    return log;
}

void mwa_record_log_destroy(struct mwa_record_log *log)
{
    if (!log) {
        return;
    }
    for (uint64_t i = 0; i < log->count; i++) {
        free(log->blocks[i]);
    }
    free(log->blocks);
    if (log->file >= 0) {
        close(log->file);
    }
    free(log);
}

/* A file without a name. */
static int open_file(void)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/mpiwatch-analyze-XXXXXX",
                          directory && directory[0] ? directory : "/tmp");
    int file = length > 0 && (size_t)length < sizeof path ? mkstemp(path) : -1;

    if (file >= 0) {
        unlink(path);
    }
    return file;
}

/* Puts the first block in memory into the file, and returns it for others; null: all go on in
 * memory. */
static struct block *file_first(struct mwa_record_log *log)
{
    off_t offset = (off_t)(log->filed * sizeof(struct block));
    struct block *first = log->blocks[0];

    if (log->file < 0 && !log->no_file) {
        log->file = open_file();
    }
    if (log->file < 0 ||
        pwrite(log->file, first, sizeof *first, offset) != (ssize_t)sizeof *first) {
        log->no_file = true;
        return NULL;
    }
    log->filed++;
    log->count--;
    for (uint64_t i = 0; i < log->count; i++) {
        log->blocks[i] = log->blocks[i + 1];
    }
    first->used = 0;
    return first;
}

/* The block behind the last one, for which the first one may go; null without memory. */
static struct block *add_block(struct mwa_record_log *log)
{
    struct block *block =
        log->count == BLOCKS_HELD && !log->no_file ? file_first(log) : NULL;

    block = block ? block : calloc(1, sizeof *block); /* all of it goes to the file */
    if (!block || !mwa_grow(&log->blocks, &log->capacity, log->count + 1, sizeof *log->blocks)) {
        free(block);
        return NULL;
    }
    log->blocks[log->count++] = block;
    return block;
}

/* --- records ------------------------------------------------------------------------------ */

static uint32_t lengths_of(uint32_t count)
{
    return (count + 1) / 2;
}

static unsigned length_of(uint64_t word)
{
    return word == 0 ? 0 : (71 - (unsigned)__builtin_clzll(word)) / 8;
}

/* Puts a word to *at, of which only the bytes count that it has, and goes behind these. */
MW_INLINE unsigned put_word(unsigned char **at, uint64_t word)
{
    const unsigned length = length_of(word);
    const uint64_t stored = htole64(word);

    memcpy(*at, &stored, sizeof stored);
    *at += length;
    return length;
}

/* Writes a record to to, where there is room for it. \return bytes. */
static size_t write_record(unsigned char *to, const uint64_t *words, uint32_t count)
{
    unsigned char *at = to + lengths_of(count);
    uint16_t tail[2];

    for (uint32_t i = 0; i + 1 < count; i += 2) {
        const unsigned even = put_word(&at, words[i]);

        to[i / 2] = (unsigned char)(even | put_word(&at, words[i + 1]) << 4);
    }
    if (count % 2 > 0) {
        to[count / 2] = (unsigned char)put_word(&at, words[count - 1]);
    }
    tail[0] = htole16((uint16_t)count);
    tail[1] = htole16((uint16_t)(at - to));
    memcpy(at, tail, sizeof tail);
    return (size_t)(at - to) + sizeof tail;
}

/*
 * Finds the last record of the block's first *used bytes, which is before them then, and how many
 * words and bytes it has without its tail. False: these are none.
 */
static bool find_record(const struct block *block, uint64_t *used, uint32_t *count,
                        uint64_t *bytes)
{
    uint16_t tail[2];

    if (*used < TAIL_BYTES) {
        return false;
    }
    memcpy(tail, block->bytes + *used - TAIL_BYTES, sizeof tail);
    *count = le16toh(tail[0]);
    *bytes = le16toh(tail[1]);
    if (*count > MWA_RECORD_WORDS || *bytes > *used - TAIL_BYTES ||
        *bytes < lengths_of(*count)) {
        return false;
    }
    *used -= TAIL_BYTES + *bytes;
    return true;
}

/* Takes the word of so many bytes at *at, and goes behind it. */
MW_INLINE uint64_t take_word(const unsigned char **at, unsigned length)
{
    uint64_t word;

    memcpy(&word, *at, sizeof word);
    *at += length;
    return le64toh(word) & mwa_number_masks[length];
}

/* The bytes of words that have these lengths; UINT64_MAX: no words have. */
static uint64_t sum_of(const unsigned char *lengths, uint32_t pairs)
{
    uint64_t sum = 0;
    bool is_too_long = false;

    for (uint32_t i = 0; i < pairs; i++) {
        const unsigned even = lengths[i] & 15;
        const unsigned odd = lengths[i] >> 4;

        sum += even + odd;
        is_too_long |= (even > WORD_BYTES) | (odd > WORD_BYTES);
    }
    return is_too_long ? UINT64_MAX : sum;
}

/* Reads the words of a record which has so many bytes, and a 0 behind an odd number of them.
 * False: these are others. */
static bool read_words(const unsigned char *lengths, uint64_t bytes, uint64_t *words,
                       uint32_t count)
{
    const uint32_t pairs = lengths_of(count);
    const unsigned char *at = lengths + pairs;

    if (sum_of(lengths, pairs) != bytes - pairs) {
        return false;
    }
    for (uint32_t i = 0; i < pairs; i++) {
        words[2 * i] = take_word(&at, lengths[i] & 15);
        words[2 * i + 1] = take_word(&at, lengths[i] >> 4);
    }
    return true;
}

/* Reads the record that find_record finds. */
static bool read_record(const struct block *block, uint64_t *used, uint64_t *words,
                        uint32_t *count)
{
    uint64_t bytes;

    return find_record(block, used, count, &bytes) &&
           read_words(block->bytes + *used, bytes, words, *count);
}

enum mw_status mwa_record_log_add(struct mwa_record_log *log, const uint64_t *words,
                                 uint32_t count)
{
    const size_t most = lengths_of(count) + (size_t)count * WORD_BYTES + TAIL_BYTES;
    struct block *block = log->count > 0 ? log->blocks[log->count - 1] : NULL;

    if (!block || block->used + most > ROOM) {
        block = add_block(log);
        if (!block) {
            return MW_ERROR_MEMORY;
        }
    }
    block->used += write_record(block->bytes + block->used, words, count);
    return MW_OK;
}

static bool read_block(const struct mwa_record_log *log, uint64_t number, struct block *block)
{
    const ssize_t got =
        pread(log->file, block, sizeof *block, (off_t)(number * sizeof *block));

    const bool is_one = got == (ssize_t)sizeof *block && block->used <= ROOM;

    if (got >= 0 && !is_one) {
        errno = EIO; /* it is too short, or another file's */
    }
    return is_one;
}

/* Makes the last block one that has records. */
static enum mw_status find_block(struct mwa_record_log *log)
{
    while (log->count > 1 && log->blocks[log->count - 1]->used == 0) {
        free(log->blocks[--log->count]);
    }
    if (log->count == 0 || log->blocks[0]->used > 0) {
        return log->count > 0 ? MW_OK : MW_END;
    }
    if (log->filed == 0) {
        return MW_END;
    }
    return read_block(log, --log->filed, log->blocks[0]) ? MW_OK : MW_ERROR_SYSTEM;
}

enum mw_status mwa_record_log_last(struct mwa_record_log *log, const uint64_t **words,
                                  uint32_t *count)
{
    enum mw_status status = find_block(log);
    struct block *block;

    if (status != MW_OK) {
        return status;
    }
    block = log->blocks[log->count - 1];
    *words = log->words;
    if (!read_record(block, &block->used, log->words, count)) {
        errno = EIO; /* the file has something else */
        return MW_ERROR_SYSTEM;
    }
    return MW_OK;
}

/* --- in their order ------------------------------------------------------------------------- */

/* Where a block's records are, which are found from its last one on. */
struct spot {
    uint32_t at;    /* in bytes */
    uint32_t count; /* of words */
    uint64_t bytes;
};

/* Finds all of block's, the last one first; spots have room. False: these are none. */
static bool find_spots(const struct block *block, struct spot *spots, uint64_t *found)
{
    uint64_t used = block->used;

    for (*found = 0; used > 0; ++*found) {
        struct spot *spot = &spots[*found];

        if (!find_record(block, &used, &spot->count, &spot->bytes)) {
            return false;
        }
        spot->at = (uint32_t)used;
    }
    return true;
}

static enum mw_status visit_block(const struct block *block, struct spot *spots,
                                  mwa_record_log_visit visit, void *user)
{
    uint64_t words[MWA_RECORD_WORDS];
    uint64_t found;

    if (!find_spots(block, spots, &found)) {
        errno = EIO; /* the file has something else */
        return MW_ERROR_SYSTEM;
    }
    while (found > 0) {
        const struct spot *spot = &spots[--found];

        if (!read_words(block->bytes + spot->at, spot->bytes, words, spot->count)) {
            errno = EIO;
            return MW_ERROR_SYSTEM;
        }
        if (!visit(user, words, spot->count)) {
            return MW_ERROR_FORMAT;
        }
    }
    return MW_OK;
}

enum mw_status mwa_record_log_visit_all(const struct mwa_record_log *log,
                                        mwa_record_log_visit visit, void *user)
{
    struct spot *spots = malloc(BLOCK_BYTES / TAIL_BYTES * sizeof *spots);
    struct block *filed = malloc(sizeof *filed);
    enum mw_status status = spots && filed ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < log->filed && status == MW_OK; i++) {
        status = read_block(log, i, filed) ? visit_block(filed, spots, visit, user)
                                           : MW_ERROR_SYSTEM;
    }
    for (uint64_t i = 0; i < log->count && status == MW_OK; i++) {
        status = visit_block(log->blocks[i], spots, visit, user);
    }
    free(filed);
    free(spots);
    return status;
}

/* --- for another process ------------------------------------------------------------------ */

static void pack_block(const struct block *block, struct mw_buffer *to)
{
    mwa_pack_array(to, block->bytes, block->used, 1);
}

void mwa_record_log_pack(const struct mwa_record_log *log, struct mw_buffer *to)
{
    const uint64_t blocks = log->filed + log->count;
    struct block *filed = malloc(sizeof *filed);

    mwa_pack_array(to, &blocks, 1, sizeof blocks);
    for (uint64_t i = 0; i < log->filed && !to->failed; i++) {
        if (filed && read_block(log, i, filed)) {
            pack_block(filed, to);
        } else {
            to->failed = true;
            to->unread = filed ? errno : 0;
        }
    }
    for (uint64_t i = 0; i < log->count; i++) {
        pack_block(log->blocks[i], to);
    }
    free(filed);
}

/* Whether block has records, and nothing else. */
static bool has_records(const struct block *block, mwa_record_log_visit visit, void *user)
{
    uint64_t words[MWA_RECORD_WORDS];
    uint64_t used = block->used;
    bool has = used > 0;

    while (has && used > 0) {
        uint32_t count;

        has = read_record(block, &used, words, &count) && visit(user, words, count);
    }
    return has;
}

static enum mw_status unpack_block(struct mwa_record_log *log, struct mw_cursor *from,
                                   mwa_record_log_visit visit, void *user)
{
    unsigned char *bytes = NULL;
    uint64_t used = 0;
    enum mw_status status = mwa_unpack_array(from, &bytes, &used, 1);
    struct block *block = NULL;

    if (status == MW_OK && used > ROOM) {
        status = MW_ERROR_FORMAT;
    }
    if (status == MW_OK && !(block = add_block(log))) {
        status = MW_ERROR_MEMORY;
    }
    if (status == MW_OK) {
        block->used = used;
        memcpy(block->bytes, bytes, used);
        status = has_records(block, visit, user) ? MW_OK : MW_ERROR_FORMAT;
    }
    free(bytes);
    return status;
}

enum mw_status mwa_record_log_unpack(struct mwa_record_log *log, struct mw_cursor *from,
                                    mwa_record_log_visit visit, void *user)
{
    uint64_t blocks = 0;
    enum mw_status status = mwa_unpack_into(from, &blocks, 1, sizeof blocks);

    for (uint64_t i = 0; i < blocks && status == MW_OK; i++) {
        status = unpack_block(log, from, visit, user);
    }
    return status;
}
