#ifndef MWA_TEAM_PACKING_H
#define MWA_TEAM_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/map.h"
#include "analyzer/model/trace.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Partial results as plain bytes, for another process of the same program that has opened the same
 * archive (analyzer/team/team.h sees to both): indices mean the same there, elements are copied as
 * they lie in memory, and have no pointers in them. No file ever has these bytes, so they have no
 * version.
 */

/* Appends count and the elements, of size bytes each. */
void mwa_pack_array(struct mw_buffer *to, const void *elements, uint64_t count, size_t size);

/*
 * Takes what mwa_pack_array has appended out into *elements, malloc'd, the caller's, never null
 * when it went well.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes. In both *count is 0.
 */
enum mw_status mwa_unpack_array(struct mw_cursor *from, void *elements, uint64_t *count,
                                size_t size) MW_MUST_CHECK;

/*
 * The same into room for exactly count elements.
 *
 * \return MW_OK; MW_ERROR_FORMAT: there are more, or fewer, or these are other bytes.
 */
enum mw_status mwa_unpack_into(struct mw_cursor *from, void *elements, uint64_t count,
                               size_t size) MW_MUST_CHECK;

/*
 * The entries of a map, which is as yet empty where they are taken out: what then has its slots can
 * be gone through, and is not asked for a key.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_pack_map(struct mw_buffer *to, const struct mwa_map *map);
enum mw_status mwa_unpack_map(struct mw_cursor *from, struct mwa_map *map) MW_MUST_CHECK;

/* Whether what was copied into flag is 0 or 1, so that it can be asked. */
bool mwa_is_flag(const bool *flag);

/*
 * Texts of trace, as mwa_trace_string has them, or null: count pointers, each stride bytes behind
 * the one before, from texts on, appended and taken out of from to where those of the same trace in
 * another process are.
 *
 * \return MW_OK; MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_pack_texts(struct mw_buffer *to, const struct mwa_trace *trace, const void *texts,
                    uint64_t count, size_t stride);
enum mw_status mwa_unpack_texts(struct mw_cursor *from, const struct mwa_trace *trace, void *texts,
                                uint64_t count, size_t stride) MW_MUST_CHECK;

#endif
