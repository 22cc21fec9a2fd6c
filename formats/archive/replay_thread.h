#ifndef MW_FORMATS_ARCHIVE_REPLAY_THREAD_H
#define MW_FORMATS_ARCHIVE_REPLAY_THREAD_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats/merge/location_stats.h"
#include "formats/spool/spool_directory.h"

/*
 * Where the threads of a location begin and end. No one is seen to create a thread; its number is
 * unique in the process nevertheless. The first one has no begin, and a process that has only that
 * has no contingent.
 */
struct mw_thread_replay {
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    const struct mw_spool_directory *directory;
    uint64_t begins; /* of threads in this location */
    bool is_begun;   /* one has begun and not ended */
};

/* Writes that the thread with this number begins; of the first one nothing, which is counted as
 * untold in *stats. */
OTF2_ErrorCode mw_replay_thread_begin(struct mw_thread_replay *replay,
                                      struct mw_location_stats *stats, uint64_t time);

/*
 * Writes that it ends; is_open: it was still there. Nothing if none has begun: a ring may have lost
 * the begin of one that ends.
 */
OTF2_ErrorCode mw_replay_thread_end(struct mw_thread_replay *replay, uint64_t time, bool is_open);

#endif
