/* An analysis works on rows of its own type, in an array; here they are bytes with a key. */
#include "analyzer/analysis/keyed_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

static struct mwa_index *index_of(const struct mwa_keyed_rows *rows, void *partial)
{
    return (struct mwa_index *)((char *)partial + rows->index);
}

static uint64_t count_of(const struct mwa_keyed_rows *rows, const void *partial)
{
    return ((const struct mwa_index *)((const char *)partial + rows->index))->count;
}

/* Where the partial result has the pointer to its rows. */
static void *list_in(const struct mwa_keyed_rows *rows, void *partial)
{
    return (char *)partial + rows->list;
}

/* The rows themselves; null: there are none. */
static char *list_of(const struct mwa_keyed_rows *rows, const void *partial)
{
    char *list;

    memcpy(&list, (const char *)partial + rows->list, sizeof list);
    return list;
}

enum mw_status mwa_rows_add(const struct mwa_keyed_rows *rows, void *partial, const void *row)
{
    struct mwa_index *index = index_of(rows, partial);
    const uint64_t before = index->count;
    const uint64_t at = mwa_index_of(index, rows->key(row), list_in(rows, partial), rows->size);

    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    if (index->count > before) {
        memcpy(list_of(rows, partial) + at * rows->size, row, rows->size);
    } else {
        rows->add(list_of(rows, partial) + at * rows->size, row);
    }
    return MW_OK;
}

void *mwa_rows_copy(const struct mwa_keyed_rows *rows, const void *partial)
{
    const uint64_t count = count_of(rows, partial);
    void *copy = calloc(count + 1, rows->size);

    if (copy && count > 0) {
        memcpy(copy, list_of(rows, partial), count * rows->size);
    }
    return copy;
}

enum mw_status mwa_rows_merge(const struct mwa_keyed_rows *rows, void *into, const void *from)
{
    const uint64_t count = count_of(rows, from);
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = mwa_rows_add(rows, into, list_of(rows, from) + i * rows->size);
    }
    return status;
}

void mwa_rows_pack(const struct mwa_keyed_rows *rows, const void *partial, struct mw_buffer *to)
{
    mwa_pack_array(to, list_of(rows, partial), count_of(rows, partial), rows->size);
}

enum mw_status mwa_rows_unpack(const struct mwa_keyed_rows *rows, void *partial,
                               const struct mwa_trace *trace, struct mw_cursor *from)
{
    struct mwa_index *index = index_of(rows, partial);
    enum mw_status status = mwa_unpack_array(from, list_in(rows, partial), &index->count,
                                             rows->size);

    for (uint64_t i = 0; status == MW_OK && rows->is_known && i < index->count; i++) {
        if (!rows->is_known(trace, list_of(rows, partial) + i * rows->size)) {
            status = MW_ERROR_FORMAT;
        }
    }
    return status;
}

void mwa_rows_fini(const struct mwa_keyed_rows *rows, void *partial)
{
    mwa_index_fini(index_of(rows, partial));
    free(list_of(rows, partial));
}
