#ifndef MW_FORMATS_ARCHIVE_REPLAY_METRIC_H
#define MW_FORMATS_ARCHIVE_REPLAY_METRIC_H

#include <stdint.h>

#include <otf2/otf2.h>

#include "formats/base/clock.h"
#include "formats/spool/record.h"

/*
 * A sample: the member before it, or null, says more of it if it is of such a type. comm is the
 * communicator's id in the location, OTF2_UNDEFINED_COMM when the variable is bound to none
 * or to an object of another kind.
 */
struct mw_replay_sample {
    const struct mw_metric_member *metric;
    const struct mw_member *about;
    uint64_t time;
    OTF2_CommRef comm;
    struct mw_clock_scale scale; /* of the spool's clock */
};

/*
 * Writes the OTF2 Metric event of a sample, and before it one that its variable was reset or has
 * wrapped, if so. attributes is emptied and used.
 *
 * \return OTF2_SUCCESS, or what libotf2 said.
 */
OTF2_ErrorCode mw_replay_metric(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                const struct mw_replay_sample *sample);

#endif
