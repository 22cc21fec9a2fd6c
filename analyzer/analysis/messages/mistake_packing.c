/* A flag that is neither true nor false is none: it is looked at before it is one. */
#include "analyzer/analysis/messages/mistake_packing.h"

#include <string.h>

#include "analyzer/team/packing.h"

void mwa_mistakes_pack(const struct mwa_mistakes *mistakes, struct mw_buffer *to)
{
    mwa_pack_array(to, mistakes->list, mistakes->count, sizeof *mistakes->list);
}

static bool is_below(uint32_t index, uint64_t count)
{
    return index == MWA_NONE || index < count;
}

static bool is_of(const struct mwa_mistake *mistake, const struct mwa_trace *trace)
{
    unsigned char flag;

    memcpy(&flag, &mistake->is_sure, sizeof flag);
    return (unsigned)mistake->kind < MWA_MISTAKE_KINDS && flag <= 1 &&
           mistake->rank < trace->rank_count && is_below(mistake->other, trace->rank_count) &&
           is_below(mistake->comm, trace->comm_count) &&
           is_below(mistake->site, trace->site_count) &&
           is_below(mistake->other_site, trace->site_count);
}

enum mw_status mwa_mistakes_unpack(struct mwa_mistakes *mistakes, const struct mwa_trace *trace,
                                   struct mw_cursor *from)
{
    enum mw_status status =
        mwa_unpack_array(from, &mistakes->list, &mistakes->count, sizeof *mistakes->list);

    mistakes->capacity = mistakes->count;
    for (uint64_t i = 0; i < mistakes->count; i++) {
        if (!is_of(&mistakes->list[i], trace)) {
            return MW_ERROR_FORMAT;
        }
    }
    return status;
}
