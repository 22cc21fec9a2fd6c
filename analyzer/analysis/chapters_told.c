/* Where a chapter begins was found out by reading: who is told of it need not. */
#include "analyzer/analysis/chapters_told.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

static void pack_start(const struct mwa_reading_start *start, struct mw_buffer *to)
{
    mwa_pack_array(to, start->locations, start->location_count, sizeof *start->locations);
    for (uint64_t i = 0; i < start->location_count; i++) {
        const struct mwa_location_start *location = &start->locations[i];

        mwa_pack_array(to, location->calls, location->call_count, sizeof *location->calls);
        mwa_pack_array(to, location->carried, location->carried_count,
                       sizeof *location->carried);
    }
}

void mwa_chapters_pack(const struct mwa_chapters *chapters, struct mw_buffer *to)
{
    mw_buffer_u32(to, chapters ? chapters->count : 0);
    mw_buffer_u32(to, chapters && chapters->at_lulls);
    for (uint32_t i = 0; chapters && i + 1 < chapters->count; i++) {
        pack_start(chapters->starts[i], to);
    }
}

/* Calls and requests of each location that are open; all are null before. */
static enum mw_status unpack_open(struct mwa_reading_start *start, struct mw_cursor *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < start->location_count; i++) {
        start->locations[i].calls = NULL;
        start->locations[i].carried = NULL;
    }
    for (uint64_t i = 0; i < start->location_count && status == MW_OK; i++) {
        struct mwa_location_start *location = &start->locations[i];
        uint64_t count;

        status = mwa_unpack_array(from, &location->calls, &count, sizeof *location->calls);
        location->call_count = (uint32_t)count;
        if (status == MW_OK) {
            status = mwa_unpack_array(from, &location->carried, &location->carried_count,
                                      sizeof *location->carried);
        }
    }
    return status;
}

static enum mw_status unpack_start(struct mwa_reading_start **made, struct mw_cursor *from)
{
    struct mwa_reading_start *start = *made = calloc(1, sizeof *start);
    enum mw_status status =
        start ? mwa_unpack_array(from, &start->locations, &start->location_count,
                                 sizeof *start->locations)
              : MW_ERROR_MEMORY;

    return status == MW_OK ? unpack_open(start, from) : status;
}

enum mw_status mwa_chapters_unpack(struct mwa_chapters **made, struct mw_cursor *from)
{
    struct mwa_chapters *chapters;
    enum mw_status status = MW_OK;
    char bytes[8];
    uint32_t count;

    *made = NULL;
    if (!mw_cursor_take(from, bytes, sizeof bytes)) {
        return MW_ERROR_FORMAT;
    }
    count = mw_get_u32(bytes);
    if (count == 0 || count > from->left) {
        return count == 0 ? MW_OK : MW_ERROR_FORMAT;
    }
    chapters = *made = calloc(1, sizeof *chapters);
    if (chapters) {
        chapters->starts = calloc(count, sizeof(struct mwa_reading_start *));
    }
    if (!chapters || !chapters->starts) {
        return MW_ERROR_MEMORY;
    }
    chapters->count = count;
    chapters->at_lulls = mw_get_u32(bytes + 4) != 0;
    for (uint32_t i = 0; i + 1 < chapters->count && status == MW_OK; i++) {
        status = unpack_start(&chapters->starts[i], from);
        if (chapters->starts[i]) {
            chapters->starts[i]->is_lull = chapters->at_lulls;
        }
    }
    return status;
}

enum mw_status mwa_chapters_tell(const struct mwa_team *team, struct mwa_chapters **chapters,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_buffer told = { 0 };
    enum mw_status status;

    if (mwa_team_is_first(team)) {
        mwa_chapters_pack(*chapters, &told);
    }
    status = mwa_team_tell(team, &told, diagnostic);
    if (status == MW_OK && !mwa_team_is_first(team)) {
        struct mw_cursor from = { told.data, told.bytes };

        status = mwa_chapters_unpack(chapters, &from);
    }
    mw_buffer_fini(&told);
    return mwa_team_agree(team, status, 0, diagnostic);
}
