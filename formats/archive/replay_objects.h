#ifndef MW_FORMATS_ARCHIVE_REPLAY_OBJECTS_H
#define MW_FORMATS_ARCHIVE_REPLAY_OBJECTS_H

#include <otf2/otf2.h>

#include "formats/spool/record.h"

/*
 * The events of one-sided communication and of MPI-IO (member types 80 to 95): what
 * belongs to the entry of a call, and what to its end. attributes is the caller's list,
 * of which the contents are not kept.
 */
OTF2_ErrorCode mw_replay_object_enter(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                      const struct mw_member *member, uint64_t time);
OTF2_ErrorCode mw_replay_object_leave(OTF2_EvtWriter *writer, const struct mw_member *member,
                                      uint64_t time);

#endif
