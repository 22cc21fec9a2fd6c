#ifndef MW_FORMATS_ARCHIVE_REPLAY_COLLECTIVE_H
#define MW_FORMATS_ARCHIVE_REPLAY_COLLECTIVE_H

#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/spool/known.h"
#include "formats/spool/record.h"

/*
 * Writes the OTF2 event of a collective operation that ends: member is of type MW_MEMBER_COLL or
 * MW_MEMBER_COLL_COMPLETE, the latter of request. attributes is emptied and used; comm is the
 * communicator's id in the location.
 *
 * \return OTF2_SUCCESS, or what libotf2 said.
 */
OTF2_ErrorCode mw_replay_collective_end(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                        const struct mw_known *known,
                                        const struct mw_member *member, uint64_t time,
                                        OTF2_CommRef comm, uint64_t request);

#endif
