#ifndef MW_FORMATS_ARCHIVE_REPLAY_PENDING_H
#define MW_FORMATS_ARCHIVE_REPLAY_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/base/status.h"
#include "formats/spool/known.h"
#include "formats/spool/request_slots.h"

/*
 * The requests of a thread that are active, with the ids that the archive has for them, and what is
 * left of them at its end: which ones are not complete, what they are for, and what the call waits
 * for that the thread never left.
 */
struct mw_replay_pending {
    struct mw_request_slots *slots;
    bool renames; /* false: ids stay the recorder's, since other threads know them, too */
    struct mw_pending_request *list; /* by slot */
    uint32_t room;
};

/* \return false: no memory. mw_replay_pending_fini is due in either case. */
bool mw_replay_pending_init(struct mw_replay_pending *pending, bool renames) MW_MUST_CHECK;
void mw_replay_pending_fini(struct mw_replay_pending *pending);

/*
 * A request starts by this member (an ISEND, a receive posted, or COLL_POST), on the archive's
 * communicator comm, of an operation with this root + 1 (0: it has none, or that is not told); it
 * is looked at; it is complete. \return its id in the archive.
 */
uint64_t mw_replay_pending_start(struct mw_replay_pending *pending,
                                 const struct mw_member *member, uint32_t comm, uint32_t root);
uint64_t mw_replay_pending_look(const struct mw_replay_pending *pending, uint64_t request);
uint64_t mw_replay_pending_end(struct mw_replay_pending *pending, uint64_t request);

/*
 * Writes an MpiRequestTest for each receive and collective that is not complete, and for each
 * request that now (null: nothing is told) waits for, as ARCHIVE.md ("Open calls") has it.
 * *is_told is set if there are any.
 */
OTF2_ErrorCode mw_replay_pending_write(const struct mw_replay_pending *pending,
                                       const struct mw_now *now, OTF2_EvtWriter *writer,
                                       OTF2_AttributeList *attributes, uint64_t time,
                                       bool *is_told);

/* Adds to the attributes of an open call's Enter what it waits for. */
OTF2_ErrorCode mw_replay_now(const struct mw_now *now, const struct mw_known *known,
                             OTF2_AttributeList *attributes);

#endif
