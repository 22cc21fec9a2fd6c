#ifndef MWA_LIVE_LIVE_TELL_H
#define MWA_LIVE_LIVE_TELL_H

#include "analyzer/live/live_detail.h"

/* Tells somebody else what was seen at the latest look (formats/spool/live_message.h). */

struct mwa_live_telling {
    uint64_t sequence; /* of the next message */
    /* Takes a message, which is gone afterwards; whether it arrives is not its teller's concern. */
    void (*give)(void *context, const void *message, size_t bytes);
    void *context;
};

/* Tells all threads; of nothing that is seen (null) that there is somebody who looks.
 * \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_tell(const struct mwa_live *live, struct mwa_live_telling *telling,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Tells what detail has read of the run: how much each thread waits, if it knows, and what ranks
 * told last of variables. \return as above. */
enum mw_status mwa_live_tell_detail(const struct mwa_live *live,
                                    const struct mwa_live_detail *detail,
                                    struct mwa_live_telling *telling,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Tells one item of a kind, and bytes behind it, to whom give gives it. \return as above. */
enum mw_status mwa_live_tell_one(const struct mw_run *run, enum mw_live_kind kind,
                                 const void *item, const struct mw_buffer *behind,
                                 struct mwa_live_telling *telling,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
