#ifndef MWA_ANALYSIS_KEYED_ROWS_H
#define MWA_ANALYSIS_KEYED_ROWS_H

#include <stddef.h>

#include "analyzer/model/map.h"
#include "analyzer/model/trace.h"
#include "formats/base/buffer.h"

/*
 * Rows that a partial result has, one for each key: an analysis says where they are and what they
 * are by (struct mwa_analysis, rows), and they are merged, travel and are freed. Rows are plain
 * data: indices, counts and sums, and no pointers. Not thread-safe.
 */
struct mwa_keyed_rows {
    size_t index; /* where a partial result has its struct mwa_index of the rows, bytes … */
    size_t list;  /* … and the pointer to them */
    size_t size;  /* of a row, bytes */

    struct mwa_key (*key)(const void *row);

    /* Adds row to another one with its key; the result is the same in any order. */
    void (*add)(void *to, const void *row);

    /* Whether what row, which another process has sent, refers to is in trace. Null: to nothing. */
    bool (*is_known)(const struct mwa_trace *trace, const void *row);
};

/* What partial has of rows as in struct partial { struct mwa_index index; ROW *LIST; }. */
#define MWA_ROWS_IN_PARTIAL(LIST)                                                                  \
    .index = offsetof(struct partial, index), .list = offsetof(struct partial, LIST),              \
    .size = sizeof *((struct partial *)NULL)->LIST

/* Adds row to that with its key, or a copy of it. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_rows_add(const struct mwa_keyed_rows *rows, void *partial,
                            const void *row) MW_MUST_CHECK;

/* A copy of all, to be freed, never of no bytes; null: there is no memory. */
void *mwa_rows_copy(const struct mwa_keyed_rows *rows, const void *partial);

/* As struct mwa_analysis's, of the rows alone. */
enum mw_status mwa_rows_merge(const struct mwa_keyed_rows *rows, void *into,
                              const void *from) MW_MUST_CHECK;
void mwa_rows_pack(const struct mwa_keyed_rows *rows, const void *partial, struct mw_buffer *to);
enum mw_status mwa_rows_unpack(const struct mwa_keyed_rows *rows, void *partial,
                               const struct mwa_trace *trace,
                               struct mw_cursor *from) MW_MUST_CHECK;
void mwa_rows_fini(const struct mwa_keyed_rows *rows, void *partial);

#endif
