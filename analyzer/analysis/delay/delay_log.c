#include "analyzer/analysis/delay/delay_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/team/packing.h"
#include "analyzer/model/map.h"

#define BLOCK_WORDS 8192u
#define BLOCKS_HELD 16u /* in memory, before any goes to the file */

/* Records one after the other, each followed by a word with its length. */
struct block {
    uint64_t used;
    uint64_t words[BLOCK_WORDS - 1];
};

struct mwa_delay_log {
    struct block **blocks; /* those behind the ones in the file; the last is written to */
    uint64_t capacity;
    uint64_t count;
    uint64_t filed; /* blocks in the file */
    int file;       /* -1: there is none */
    bool no_file;   /* nor can there be */
};

struct mwa_delay_log *mwa_delay_log_create(void)
{
    struct mwa_delay_log *log = calloc(1, sizeof *log);

    if (log) {
        log->file = -1;
    }
    return log;
}

void mwa_delay_log_destroy(struct mwa_delay_log *log)
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
static struct block *file_first(struct mwa_delay_log *log)
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
static struct block *add_block(struct mwa_delay_log *log)
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

enum mw_status mwa_delay_log_add(struct mwa_delay_log *log, const uint64_t *words,
                                 uint32_t count)
{
    struct block *block = log->count > 0 ? log->blocks[log->count - 1] : NULL;

    if (!block || block->used + count + 1 > BLOCK_WORDS - 1) {
        block = add_block(log);
        if (!block) {
            return MW_ERROR_MEMORY;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        block->words[block->used++] = words[i];
    }
    block->words[block->used++] = count;
    return MW_OK;
}

static bool read_block(const struct mwa_delay_log *log, uint64_t number, struct block *block)
{
    const ssize_t got =
        pread(log->file, block, sizeof *block, (off_t)(number * sizeof *block));

    if (got >= 0 && got < (ssize_t)sizeof *block) {
        errno = EIO; /* it is too short */
    }
    return got == (ssize_t)sizeof *block;
}

/* Makes the last block one that has records. */
static enum mw_status find_block(struct mwa_delay_log *log)
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

enum mw_status mwa_delay_log_last(struct mwa_delay_log *log, const uint64_t **words,
                                  uint32_t *count)
{
    enum mw_status status = find_block(log);
    struct block *block;

    if (status != MW_OK) {
        return status;
    }
    block = log->blocks[log->count - 1];
    *count = (uint32_t)block->words[--block->used];
    block->used -= *count;
    *words = &block->words[block->used];
    return MW_OK;
}

/* --- for another process ------------------------------------------------------------------ */

static void pack_block(const struct block *block, struct mw_buffer *to)
{
    mwa_pack_array(to, block->words, block->used, sizeof *block->words);
}

void mwa_delay_log_pack(const struct mwa_delay_log *log, struct mw_buffer *to)
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

/* Whether words are those of a block, which has records. */
static bool are_records(const uint64_t *words, uint64_t used, mwa_delay_log_visit visit,
                        void *user)
{
    bool are = used > 0 && used < BLOCK_WORDS;

    while (are && used > 0) {
        const uint64_t count = words[--used];

        are = count <= used && count <= MWA_DELAY_RECORD_WORDS &&
              visit(user, &words[used - count], (uint32_t)count);
        used -= are ? count : 0;
    }
    return are;
}

static enum mw_status unpack_block(struct mwa_delay_log *log, struct mw_cursor *from,
                                   mwa_delay_log_visit visit, void *user)
{
    uint64_t *words = NULL;
    uint64_t used = 0;
    enum mw_status status = mwa_unpack_array(from, &words, &used, sizeof *words);
    struct block *block = NULL;

    if (status == MW_OK && !are_records(words, used, visit, user)) {
        status = MW_ERROR_FORMAT;
    }
    if (status == MW_OK && !(block = add_block(log))) {
        status = MW_ERROR_MEMORY;
    }
    if (status == MW_OK) {
        block->used = used;
        memcpy(block->words, words, used * sizeof *words);
    }
    free(words);
    return status;
}

enum mw_status mwa_delay_log_unpack(struct mwa_delay_log *log, struct mw_cursor *from,
                                    mwa_delay_log_visit visit, void *user)
{
    uint64_t blocks = 0;
    enum mw_status status = mwa_unpack_into(from, &blocks, 1, sizeof blocks);

    for (uint64_t i = 0; i < blocks && status == MW_OK; i++) {
        status = unpack_block(log, from, visit, user);
    }
    return status;
}
