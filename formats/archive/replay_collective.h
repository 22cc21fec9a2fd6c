#ifndef MW_FORMATS_ARCHIVE_REPLAY_COLLECTIVE_H
#define MW_FORMATS_ARCHIVE_REPLAY_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/spool/known.h"
#include "formats/spool/record.h"

#define MW_TOLD_SLOTS 512u /* a power of two */

/* The terms that a location's operations of a communicator were told with last; zeroed at first. */
struct mw_told_terms {
    struct {
        OTF2_CommRef comm;
        uint16_t code_up; /* OTF2_CollectiveOp and 1, 0: the slot is free */
        uint16_t terms; /* formats/table/terms.h */
    } slots[MW_TOLD_SLOTS];
};

/*
 * Writes the OTF2 event of a collective operation that ends: member is of type MW_MEMBER_COLL or
 * MW_MEMBER_COLL_COMPLETE, the latter of request. attributes is emptied and used; comm is the
 * communicator's id in the location; told is the location's.
 *
 * \return OTF2_SUCCESS, or what libotf2 said.
 */
OTF2_ErrorCode mw_replay_collective_end(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                        const struct mw_known *known,
                                        struct mw_told_terms *told,
                                        const struct mw_member *member, uint64_t time,
                                        OTF2_CommRef comm, uint64_t request);

#endif
