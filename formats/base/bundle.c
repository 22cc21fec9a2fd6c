/*
 * Pieces are told by their content, by whoever meets them: processes need not agree on numbers,
 * and a bundle is put behind another by finding each of its pieces once, not each piece of its
 * messages.
 */
#include "formats/base/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

/* What a bundle as bytes begins with; lengths of pieces, runs, ends of messages, bytes follow. */
struct head {
    uint64_t bytes;
    uint32_t piece_count;
    uint32_t run_count;
    uint32_t message_count;
    uint32_t failed;
};

void mw_bundle_fini(struct mw_bundle *bundle)
{
    mw_buffer_fini(&bundle->bytes);
    mw_index_fini(&bundle->by_piece);
    free(bundle->ends);
    free(bundle->runs);
    free(bundle->run_ends);
    memset(bundle, 0, sizeof *bundle);
}

/* --- pieces ------------------------------------------------------------------------- */

struct piece {
    const char *data;
    size_t bytes;
};

static struct piece piece_at(const struct mw_bundle *bundle, uint32_t index)
{
    uint64_t begin = index > 0 ? bundle->ends[index - 1] : 0;

    return (struct piece){bundle->bytes.data + begin, bundle->ends[index] - begin};
}

static bool piece_is(const void *context, uint32_t index, const void *key)
{
    const struct piece one = piece_at(context, index);
    const struct piece *other = key;

    return one.bytes == other->bytes &&
           (one.bytes == 0 || memcmp(one.data, other->data, one.bytes) == 0);
}

/* The index of a piece, which may be new; MW_INDEX_NONE without memory. */
static uint32_t find_piece(struct mw_bundle *bundle, struct piece piece)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, piece.data, piece.bytes);
    uint32_t index = mw_index_find(&bundle->by_piece, hash, piece_is, bundle, &piece);

    if (index != MW_INDEX_NONE) {
        return index;
    }
    mw_buffer_append(&bundle->bytes, piece.data, piece.bytes);
    if (bundle->bytes.failed || bundle->piece_count == MW_INDEX_NONE - 1 ||
        !mw_array_grow((void **)&bundle->ends, bundle->piece_count, sizeof *bundle->ends) ||
        !mw_index_add(&bundle->by_piece, hash, bundle->piece_count)) {
        return MW_INDEX_NONE;
    }
    bundle->ends[bundle->piece_count] = bundle->bytes.bytes;
    return bundle->piece_count++;
}

/* --- messages ------------------------------------------------------------------------ */

void mw_bundle_begin(struct mw_bundle *bundle)
{
    if (bundle->failed || !mw_array_grow((void **)&bundle->run_ends, bundle->message_count,
                                         sizeof *bundle->run_ends)) {
        bundle->failed = true;
        return;
    }
    bundle->run_ends[bundle->message_count++] = bundle->run_count;
}

/* Puts a piece of the bundle behind the last message: into its last run, or one of its own. */
static void append_piece(struct mw_bundle *bundle, uint32_t index)
{
    uint32_t *end = &bundle->run_ends[bundle->message_count - 1];
    uint32_t begin = bundle->message_count > 1 ? end[-1] : 0;
    struct mw_bundle_run *last = *end > begin ? &bundle->runs[*end - 1] : NULL;

    if (last && last->first + last->count == index) {
        last->count++;
        return;
    }
    if (!mw_array_grow((void **)&bundle->runs, bundle->run_count, sizeof *bundle->runs)) {
        bundle->failed = true;
        return;
    }
    bundle->runs[bundle->run_count++] = (struct mw_bundle_run){index, 1};
    *end = bundle->run_count;
}

void mw_bundle_add(struct mw_bundle *bundle, const void *piece, size_t bytes)
{
    uint32_t index = bundle->failed ? MW_INDEX_NONE
                                    : find_piece(bundle, (struct piece){piece, bytes});

    bundle->failed |= index == MW_INDEX_NONE;
    if (!bundle->failed) {
        append_piece(bundle, index);
    }
}

void mw_bundle_message(const struct mw_bundle *bundle, uint32_t message, struct mw_buffer *to)
{
    uint32_t run = message > 0 ? bundle->run_ends[message - 1] : 0;

    for (; run < bundle->run_ends[message]; run++) {
        const struct mw_bundle_run *of = &bundle->runs[run];
        struct piece first = piece_at(bundle, of->first);

        /* Pieces that follow each other are in one. */
        mw_buffer_append(to, first.data,
                         bundle->ends[of->first + of->count - 1] -
                             (uint64_t)(first.data - bundle->bytes.data));
    }
}

/* --- as bytes ------------------------------------------------------------------------ */

void mw_bundle_give(const struct mw_bundle *bundle, struct mw_buffer *to)
{
    const struct head head = {bundle->bytes.bytes, bundle->piece_count, bundle->run_count,
                              bundle->message_count, bundle->failed};

    mw_buffer_append(to, &head, sizeof head);
    for (uint32_t i = 0; i < bundle->piece_count; i++) {
        uint32_t bytes = (uint32_t)piece_at(bundle, i).bytes;

        mw_buffer_append(to, &bytes, sizeof bytes);
    }
    mw_buffer_append(to, bundle->runs, bundle->run_count * sizeof *bundle->runs);
    mw_buffer_append(to, bundle->run_ends, bundle->message_count * sizeof *bundle->run_ends);
    mw_buffer_append(to, bundle->bytes.data, bundle->bytes.bytes);
}

/* What was given, in parts that lie at any address. */
struct given {
    struct head head;
    const char *lengths;
    const char *runs;
    const char *run_ends;
    const char *data;
};

static const char *part(struct mw_cursor *cursor, uint64_t count, size_t bytes)
{
    const char *begin = cursor->next;

    if (count > cursor->left / bytes) {
        return NULL;
    }
    cursor->next += count * bytes;
    cursor->left -= count * bytes;
    return begin;
}

static bool take_parts(struct given *given, struct mw_cursor *cursor)
{
    if (!mw_cursor_take(cursor, &given->head, sizeof given->head) || given->head.failed) {
        return false;
    }
    given->lengths = part(cursor, given->head.piece_count, sizeof(uint32_t));
    given->runs = part(cursor, given->lengths ? given->head.run_count : UINT64_MAX,
                       sizeof(struct mw_bundle_run));
    given->run_ends = part(cursor, given->runs ? given->head.message_count : UINT64_MAX,
                           sizeof(uint32_t));
    given->data = part(cursor, given->run_ends ? given->head.bytes : UINT64_MAX, 1);
    return given->data && cursor->left == 0;
}

/* Finds the own index of each piece. */
static enum mw_status take_pieces(struct mw_bundle *bundle, const struct given *given,
                                  uint32_t *indices)
{
    uint64_t left = given->head.bytes;
    const char *next = given->data;

    for (uint32_t i = 0; i < given->head.piece_count; i++) {
        uint32_t bytes;

        memcpy(&bytes, given->lengths + i * sizeof bytes, sizeof bytes);
        if (bytes > left) {
            return MW_ERROR_FORMAT;
        }
        indices[i] = find_piece(bundle, (struct piece){next, bytes});
        if (indices[i] == MW_INDEX_NONE) {
            return MW_ERROR_MEMORY;
        }
        next += bytes;
        left -= bytes;
    }
    return left == 0 ? MW_OK : MW_ERROR_FORMAT;
}

static enum mw_status take_messages(struct mw_bundle *bundle, const struct given *given,
                                    const uint32_t *indices)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < given->head.message_count; i++) {
        uint32_t end;

        memcpy(&end, given->run_ends + i * sizeof end, sizeof end);
        if (end > given->head.run_count) {
            return MW_ERROR_FORMAT;
        }
        mw_bundle_begin(bundle);
        for (; next < end; next++) {
            struct mw_bundle_run run;

            memcpy(&run, given->runs + next * sizeof run, sizeof run);
            if (run.first > given->head.piece_count ||
                run.count > given->head.piece_count - run.first) {
                return MW_ERROR_FORMAT;
            }
            for (uint32_t k = 0; !bundle->failed && k < run.count; k++) {
                append_piece(bundle, indices[run.first + k]);
            }
        }
    }
    return bundle->failed ? MW_ERROR_MEMORY : MW_OK;
}

enum mw_status mw_bundle_take(struct mw_bundle *bundle, const char *given, uint64_t bytes)
{
    struct mw_cursor cursor = {given, bytes};
    struct given parts = {0};
    uint32_t *indices;
    enum mw_status status;

    if (!take_parts(&parts, &cursor)) {
        return MW_ERROR_FORMAT;
    }
    indices = malloc((parts.head.piece_count + (size_t)1) * sizeof *indices);
    status = indices && !bundle->failed ? take_pieces(bundle, &parts, indices)
                                        : MW_ERROR_MEMORY;
    if (status == MW_OK) {
        status = take_messages(bundle, &parts, indices);
    }
    bundle->failed |= status != MW_OK;
    free(indices);
    return status;
}
