/* An end is written for each begin: readers of OTF2 keep a stack of them. */
#include "formats/archive/replay_thread.h"

#include "formats/archive/archive_words.h"

/* The process's number of its threads' contingent: the first that no communicator has. */
static OTF2_CommRef contingent_of(const struct mw_thread_replay *replay)
{
    return replay->directory->known.comm_count;
}

OTF2_ErrorCode mw_replay_thread_begin(struct mw_thread_replay *replay,
                                      struct mw_location_stats *stats, uint64_t time)
{
    uint64_t sequence = (uint64_t)stats->thread << 32 | ++replay->begins;

    if (stats->thread == 0) {
        stats->untold++;
        return OTF2_SUCCESS;
    }
    replay->is_begun = true;
    return OTF2_EvtWriter_ThreadBegin(replay->writer, NULL, time, contingent_of(replay), sequence);
}

OTF2_ErrorCode mw_replay_thread_end(struct mw_thread_replay *replay, uint64_t time, bool is_open)
{
    OTF2_AttributeList *attributes = NULL;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (!replay->is_begun) {
        return OTF2_SUCCESS;
    }
    if (is_open) {
        attributes = replay->attributes;
        code = OTF2_AttributeList_RemoveAllAttributes(attributes);
        code = code == OTF2_SUCCESS ? OTF2_AttributeList_AddUint8(attributes, MW_ATTRIBUTE_OPEN, 1)
                                    : code;
    }
    replay->is_begun = false;
    return code == OTF2_SUCCESS
               ? OTF2_EvtWriter_ThreadEnd(replay->writer, attributes, time, contingent_of(replay),
                                          OTF2_UNDEFINED_UINT64)
               : code;
}
