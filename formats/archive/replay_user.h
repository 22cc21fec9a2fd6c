#ifndef MW_FORMATS_ARCHIVE_REPLAY_USER_H
#define MW_FORMATS_ARCHIVE_REPLAY_USER_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats/archive/archive_words.h"
#include "formats/spool/record.h"
#include "formats/spool/spool_directory.h"

/*
 * Events of what the program says by the API, for formats/replay. Regions nest whatever the
 * spool says: a ring may have lost where one began, a killed process where it ended.
 */

/* The regions of a thread that have begun and not ended; a zeroed one is empty. */
struct mw_open_regions {
    uint32_t *numbers; /* outermost first */
    uint32_t count;
};

struct mw_user_replay {
    OTF2_EvtWriter *writer;
    OTF2_AttributeList *attributes;
    const struct mw_spool_directory *directory;
    struct mw_open_regions open;
    OTF2_ErrorCode code; /* the first that was not OTF2_SUCCESS; also for want of memory */
};

/* Writes the event of a member of a MW_RECORD_USER; comm is that of a registration. */
void mw_replay_user(struct mw_user_replay *replay, const struct mw_member *member,
                    OTF2_CommRef comm, uint64_t time);

/* Leaves all regions that are open. */
void mw_replay_user_end(struct mw_user_replay *replay, uint64_t time);

/* Frees the list. */
void mw_replay_user_fini(struct mw_user_replay *replay);

#endif
