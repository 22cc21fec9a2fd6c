#ifndef MW_FORMATS_ARCHIVE_REPLAY_ENTER_H
#define MW_FORMATS_ARCHIVE_REPLAY_ENTER_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/spool/known.h"
#include "formats/spool/live_message.h"
#include "formats/spool/record.h"

/* What is told of a call beside its region where it is entered. */
struct mw_replay_enter {
    uint64_t repeat;             /* calls that the record stands for; up to 1: it is one */
    const struct mw_now *now;    /* what an open call waits for, as known has it; or null */
    const struct mw_known *known;
    const struct mw_found_member *found; /* what a probe found, on a communicator that is known; or
                                            null */
    uint32_t wildcards;          /* that it was made with, if no other event tells them */
    uint64_t inside;             /* ns inside of those calls, if that is told */
    bool is_inside_told;
    uint32_t site;               /* the process's number; MW_SITE_NONE: the attributes tell none */
};

/*
 * Makes that the attributes of the call's Enter event, in list, which is emptied before.
 *
 * \return list, or null: there are none. *code, if it is OTF2_SUCCESS, becomes what libotf2 said
 * otherwise.
 */
OTF2_AttributeList *mw_replay_enter(const struct mw_replay_enter *enter, OTF2_AttributeList *list,
                                    OTF2_ErrorCode *code);

/* The same of its Leave: whether it was never left, and the error that it returned, null: none. */
OTF2_AttributeList *mw_replay_leave(bool is_open, const uint64_t *error, OTF2_AttributeList *list,
                                    OTF2_ErrorCode *code);

#endif
