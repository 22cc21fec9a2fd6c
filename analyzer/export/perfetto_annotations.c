/* What viewers show of an event when it is clicked at: a name and a value of its type. */
#include "analyzer/export/perfetto_annotations.h"

#include "analyzer/export/perfetto_fields.h"
#include "analyzer/export/protobuf.h"

void mwa_perfetto_annotate(struct mw_buffer *packet, const char *name, uint64_t value)
{
    size_t begun = mwa_proto_begin(packet, EVENT_ANNOTATIONS);

    mwa_proto_text(packet, ANNOTATION_NAME, name);
    mwa_proto_varint(packet, ANNOTATION_UINT, value);
    mwa_proto_end(packet, begun);
}

void mwa_perfetto_annotate_moment(struct mw_buffer *packet, const char *name, int64_t ns)
{
    size_t begun = mwa_proto_begin(packet, EVENT_ANNOTATIONS);

    mwa_proto_text(packet, ANNOTATION_NAME, name);
    mwa_proto_varint(packet, ANNOTATION_INT, (uint64_t)ns);
    mwa_proto_end(packet, begun);
}

void mwa_perfetto_annotate_text(struct mw_buffer *packet, const char *name, const char *value)
{
    size_t begun = mwa_proto_begin(packet, EVENT_ANNOTATIONS);

    mwa_proto_text(packet, ANNOTATION_NAME, name);
    mwa_proto_text(packet, ANNOTATION_TEXT, value);
    mwa_proto_end(packet, begun);
}
