/* Few communicators come from meetings, so that these are in a list of their own. */
#include "formats/merge/merge_meetings.h"

#include "formats/base/array.h"

bool mw_merge_meeting(struct mw_merged *merged, uint32_t rank,
                      const struct mw_define_meeting *meeting)
{
    const struct mw_merged_rank *of = &merged->ranks[rank];
    uint32_t id = mw_merged_comm_of(of, meeting->comm);

    if (id == MW_MERGED_NONE || merged->comms[id].meeting != MW_MERGED_NONE) {
        return true;
    }
    if (!mw_array_grow((void **)&merged->meetings, merged->meeting_count,
                       sizeof *merged->meetings)) {
        return false;
    }
    merged->comms[id].meeting = merged->meeting_count;
    merged->meetings[merged->meeting_count++] = (struct mw_merged_meeting){
        .rank = rank,
        .number = meeting->number,
        .place = meeting->place,
        .enter = mw_merged_told(of, meeting->enter),
        .leave = mw_merged_told(of, meeting->leave),
    };
    return true;
}
