#ifndef MWA_EXPORT_PERFETTO_ANNOTATIONS_H
#define MWA_EXPORT_PERFETTO_ANNOTATIONS_H

#include <stdint.h>

#include "formats/base/buffer.h"

/* Adds an argument to the event that packet is open in. A moment may be before the run begins. */
void mwa_perfetto_annotate(struct mw_buffer *packet, const char *name, uint64_t value);
void mwa_perfetto_annotate_moment(struct mw_buffer *packet, const char *name, int64_t ns);
void mwa_perfetto_annotate_text(struct mw_buffer *packet, const char *name, const char *value);

#endif
