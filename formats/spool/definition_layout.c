/*
 * One table for writer and reader: a field that is added here is written and read.
 * Records tell their length, but fields have no tags, so that a changed layout is
 * a new version of the file.
 */
#include "formats/spool/definition_layout.h"

#include <string.h>

#include "formats/spool/definition.h"

#define FIELD(kind, type, name)                                                                 \
    {                                                                                           \
        type, offsetof(struct mw_define_##kind, name)                                           \
    }

static const struct mw_field process_fields[] = {
    FIELD(process, MW_FIELD_U32, rank),
    FIELD(process, MW_FIELD_U32, size),
    FIELD(process, MW_FIELD_U32, host),
    FIELD(process, MW_FIELD_U32, pid),
    FIELD(process, MW_FIELD_U64, time_ticks),
    FIELD(process, MW_FIELD_U64, time_realtime),
    FIELD(process, MW_FIELD_U64, time_resolution),
    FIELD(process, MW_FIELD_U32, thread_level),
    FIELD(process, MW_FIELD_TEXT, host_name),
    FIELD(process, MW_FIELD_TEXT, program),
    FIELD(process, MW_FIELD_TEXT, arguments),
    FIELD(process, MW_FIELD_TEXT, working_directory),
    FIELD(process, MW_FIELD_TEXT, mpi_library),
    FIELD(process, MW_FIELD_TEXT, recorder),
};

static const struct mw_field thread_fields[] = {
    FIELD(thread, MW_FIELD_U32, thread),
    FIELD(thread, MW_FIELD_U64, time),
    FIELD(thread, MW_FIELD_BOOL, is_main),
};

static const struct mw_field comm_fields[] = {
    FIELD(comm, MW_FIELD_U32, comm),
    FIELD(comm, MW_FIELD_UID, uid),
    FIELD(comm, MW_FIELD_UID, parent),
    FIELD(comm, MW_FIELD_U32, call),
    FIELD(comm, MW_FIELD_U32, sequence),
    FIELD(comm, MW_FIELD_U32, flags),
    FIELD(comm, MW_FIELD_U32, rank),
    FIELD(comm, MW_FIELD_U32, size),
    FIELD(comm, MW_FIELD_U32, remote_size),
    FIELD(comm, MW_FIELD_UID, local_group),
    FIELD(comm, MW_FIELD_UID, remote_group),
    FIELD(comm, MW_FIELD_U32, leader),
    FIELD(comm, MW_FIELD_U64, created),
    FIELD(comm, MW_FIELD_MEMBERS, members),
};

static const struct mw_field comm_like_fields[] = {
    FIELD(comm_like, MW_FIELD_U32, comm),
    FIELD(comm_like, MW_FIELD_U32, parent),
    FIELD(comm_like, MW_FIELD_UID, uid),
    FIELD(comm_like, MW_FIELD_U32, call),
    FIELD(comm_like, MW_FIELD_U32, sequence),
    FIELD(comm_like, MW_FIELD_U64, created),
};

static const struct mw_field meeting_fields[] = {
    FIELD(meeting, MW_FIELD_U32, comm),
    FIELD(meeting, MW_FIELD_U32, number),
    FIELD(meeting, MW_FIELD_U64, place),
    FIELD(meeting, MW_FIELD_U64, enter),
    FIELD(meeting, MW_FIELD_U64, leave),
};

static const struct mw_field comm_name_fields[] = {
    FIELD(comm_name, MW_FIELD_U32, comm),
    FIELD(comm_name, MW_FIELD_U32, source),
    FIELD(comm_name, MW_FIELD_U64, time),
    FIELD(comm_name, MW_FIELD_TEXT, name),
};

static const struct mw_field comm_freed_fields[] = {
    FIELD(comm_freed, MW_FIELD_U32, comm),
    FIELD(comm_freed, MW_FIELD_U64, time),
};

static const struct mw_field clock_fields[] = {
    { MW_FIELD_U64, offsetof(struct mw_clock_point, time) },
    { MW_FIELD_U64, offsetof(struct mw_clock_point, offset) }, /* two's complement */
    { MW_FIELD_U64, offsetof(struct mw_clock_point, error) },
};

static const struct mw_field setting_fields[] = {
    FIELD(setting, MW_FIELD_TEXT, name),
    FIELD(setting, MW_FIELD_TEXT, value),
};

static const struct mw_field circumstance_fields[] = {
    FIELD(circumstance, MW_FIELD_U32, of),
    FIELD(circumstance, MW_FIELD_U32, thread),
    FIELD(circumstance, MW_FIELD_TEXT, name),
    FIELD(circumstance, MW_FIELD_TEXT, value),
};

static const struct mw_field loss_fields[] = {
    FIELD(loss, MW_FIELD_U32, thread),
    FIELD(loss, MW_FIELD_U32, reason),
    FIELD(loss, MW_FIELD_U64, count),
};

static const struct mw_field end_fields[] = {
    FIELD(end, MW_FIELD_U64, time),
    FIELD(end, MW_FIELD_U32, how),
    FIELD(end, MW_FIELD_U32, code),
};

static const struct mw_field metric_fields[] = {
    FIELD(metric, MW_FIELD_U32, metric),
    FIELD(metric, MW_FIELD_TEXT, name),
    FIELD(metric, MW_FIELD_U32, declared),
    FIELD(metric, MW_FIELD_U32, effective),
    FIELD(metric, MW_FIELD_U32, type),
    FIELD(metric, MW_FIELD_U32, bits),
    FIELD(metric, MW_FIELD_TEXT, bind),
    FIELD(metric, MW_FIELD_U32, verbosity),
    FIELD(metric, MW_FIELD_U32, flags),
    FIELD(metric, MW_FIELD_U32, form),
    FIELD(metric, MW_FIELD_U32, first),
    FIELD(metric, MW_FIELD_U32, count),
    FIELD(metric, MW_FIELD_U32, elements),
    FIELD(metric, MW_FIELD_TEXT, unit),
    FIELD(metric, MW_FIELD_TEXT, description),
    FIELD(metric, MW_FIELD_TEXT, items),
    FIELD(metric, MW_FIELD_TEXT, categories),
};

static const struct mw_field baseline_fields[] = {
    FIELD(baseline, MW_FIELD_U32, metric),
    FIELD(baseline, MW_FIELD_U32, object),
    FIELD(baseline, MW_FIELD_U32, element),
    FIELD(baseline, MW_FIELD_U64, value),
    FIELD(baseline, MW_FIELD_U64, doubt),
};

static const struct mw_field cvar_fields[] = {
    FIELD(cvar, MW_FIELD_TEXT, name),
    FIELD(cvar, MW_FIELD_TEXT, value),
    FIELD(cvar, MW_FIELD_TEXT, type),
    FIELD(cvar, MW_FIELD_TEXT, scope),
    FIELD(cvar, MW_FIELD_U32, verbosity),
    FIELD(cvar, MW_FIELD_BOOL, set_by_user),
};

static const struct mw_field offer_fields[] = {
    FIELD(offer, MW_FIELD_U32, pvars),
    FIELD(offer, MW_FIELD_U32, pvars_valid),
    FIELD(offer, MW_FIELD_U32, pvars_recorded),
    FIELD(offer, MW_FIELD_U32, cvars),
    FIELD(offer, MW_FIELD_TEXT, note),
};

static const struct mw_field own_traffic_fields[] = {
    FIELD(own_traffic, MW_FIELD_U64, calls),
    FIELD(own_traffic, MW_FIELD_U64, sent),
    FIELD(own_traffic, MW_FIELD_U64, received),
};

static const struct mw_field object_fields[] = {
    FIELD(object, MW_FIELD_U32, kind),
    FIELD(object, MW_FIELD_U32, number),
    FIELD(object, MW_FIELD_UID, uid),
    FIELD(object, MW_FIELD_UID, comm),
    FIELD(object, MW_FIELD_UID, file),
    FIELD(object, MW_FIELD_U32, call),
    FIELD(object, MW_FIELD_U32, sequence),
    FIELD(object, MW_FIELD_TEXT, name),
};

static const struct mw_field object_name_fields[] = {
    FIELD(object_name, MW_FIELD_U32, kind),
    FIELD(object_name, MW_FIELD_U32, number),
    FIELD(object_name, MW_FIELD_U64, time),
    FIELD(object_name, MW_FIELD_TEXT, name),
};

static const struct mw_field filtered_fields[] = {
    FIELD(filtered, MW_FIELD_U32, comm),
    FIELD(filtered, MW_FIELD_U32, call),
    FIELD(filtered, MW_FIELD_U64, calls),
    FIELD(filtered, MW_FIELD_U64, bytes_sent),
    FIELD(filtered, MW_FIELD_U64, bytes_received),
};

static const struct mw_field sources_fields[] = {
    FIELD(sources, MW_FIELD_U32, sources),
    FIELD(sources, MW_FIELD_U32, comm),
    FIELD(sources, MW_FIELD_RANKS, ranks),
};

static const struct mw_field region_fields[] = {
    FIELD(region, MW_FIELD_U32, region),
    FIELD(region, MW_FIELD_TEXT, name),
};

static const struct mw_field text_fields[] = {
    FIELD(text, MW_FIELD_U32, text),
    FIELD(text, MW_FIELD_TEXT, value),
};

static const struct mw_field misuse_fields[] = {
    FIELD(misuse, MW_FIELD_U64, unbalanced),
    FIELD(misuse, MW_FIELD_U64, not_recorded),
};

static const struct mw_field module_fields[] = {
    FIELD(module, MW_FIELD_U32, module),
    FIELD(module, MW_FIELD_TEXT, path),
    FIELD(module, MW_FIELD_TEXT, build_id),
};

static const struct mw_field site_fields[] = {
    FIELD(site, MW_FIELD_U32, site),
    FIELD(site, MW_FIELD_U32, call),
    FIELD(site, MW_FIELD_U32, module),
    FIELD(site, MW_FIELD_U64, address),
};

static const struct mw_field line_fields[] = {
    FIELD(line, MW_FIELD_U32, site),
    FIELD(line, MW_FIELD_U32, call),
    FIELD(line, MW_FIELD_U32, module),
    FIELD(line, MW_FIELD_U32, line),
    FIELD(line, MW_FIELD_TEXT, function),
};

static const struct mw_field line_frame_fields[] = {
    FIELD(line_frame, MW_FIELD_U32, frame),
    FIELD(line_frame, MW_FIELD_U32, parent),
    FIELD(line_frame, MW_FIELD_U32, module),
    FIELD(line_frame, MW_FIELD_U32, line),
    FIELD(line_frame, MW_FIELD_TEXT, function),
};

static const struct mw_field frame_fields[] = {
    FIELD(frame, MW_FIELD_U32, frame),
    FIELD(frame, MW_FIELD_U32, parent),
    FIELD(frame, MW_FIELD_U32, module),
    FIELD(frame, MW_FIELD_U64, address),
};

static const struct mw_field stack_fields[] = {
    FIELD(stack, MW_FIELD_U32, site),
    FIELD(stack, MW_FIELD_U32, call),
    FIELD(stack, MW_FIELD_U32, frame),
};

static const struct mw_field sampled_fields[] = {
    FIELD(sampled, MW_FIELD_U32, site),
    FIELD(sampled, MW_FIELD_U32, module),
    FIELD(sampled, MW_FIELD_U64, address),
    FIELD(sampled, MW_FIELD_U64, count),
};

static const struct mw_field crew_fields[] = {
    FIELD(crew, MW_FIELD_U32, threads),
    FIELD(crew, MW_FIELD_U32, refused),
    FIELD(crew, MW_FIELD_U64, there),
    FIELD(crew, MW_FIELD_U64, outside),
    FIELD(crew, MW_FIELD_U64, inside),
    FIELD(crew, MW_FIELD_U64, lost),
};

static const struct mw_field samples_fields[] = {
    FIELD(samples, MW_FIELD_U32, rate),
    FIELD(samples, MW_FIELD_U64, outside),
    FIELD(samples, MW_FIELD_U64, inside),
    FIELD(samples, MW_FIELD_U64, lost),
    FIELD(samples, MW_FIELD_TEXT, refused),
};

#define LAYOUT_ADDED(kind, added, since)                                                        \
    {                                                                                           \
        kind##_fields, sizeof kind##_fields / sizeof kind##_fields[0], added, since             \
    }
#define LAYOUT(kind) LAYOUT_ADDED(kind, 0, MW_DEFINITION_VERSION_OLDEST)

static const struct mw_definition_layout layouts[] = {
    [MW_DEFINE_PROCESS] = LAYOUT(process),
    [MW_DEFINE_THREAD] = LAYOUT(thread),
    [MW_DEFINE_COMM] = LAYOUT(comm),
    [MW_DEFINE_COMM_LIKE] = LAYOUT(comm_like),
    [MW_DEFINE_MEETING] = LAYOUT(meeting),
    [MW_DEFINE_COMM_NAME] = LAYOUT(comm_name),
    [MW_DEFINE_COMM_FREED] = LAYOUT(comm_freed),
    [MW_DEFINE_CLOCK] = LAYOUT(clock),
    [MW_DEFINE_SETTING] = LAYOUT(setting),
    [MW_DEFINE_LOSS] = LAYOUT(loss),
    [MW_DEFINE_END] = LAYOUT(end),
    [MW_DEFINE_METRIC] = LAYOUT_ADDED(metric, 1, 2),
    [MW_DEFINE_BASELINE] = LAYOUT_ADDED(baseline, 1, 3),
    [MW_DEFINE_CVAR] = LAYOUT(cvar),
    [MW_DEFINE_OFFER] = LAYOUT(offer),
    [MW_DEFINE_OWN_TRAFFIC] = LAYOUT(own_traffic),
    [MW_DEFINE_OBJECT] = LAYOUT(object),
    [MW_DEFINE_OBJECT_NAME] = LAYOUT(object_name),
    [MW_DEFINE_FILTERED] = LAYOUT(filtered),
    [MW_DEFINE_SOURCES] = LAYOUT(sources),
    [MW_DEFINE_REGION] = LAYOUT(region),
    [MW_DEFINE_TEXT] = LAYOUT(text),
    [MW_DEFINE_MISUSE] = LAYOUT(misuse),
    [MW_DEFINE_MODULE] = LAYOUT(module),
    [MW_DEFINE_SITE] = LAYOUT(site),
    [MW_DEFINE_FRAME] = LAYOUT(frame),
    [MW_DEFINE_STACK] = LAYOUT(stack),
    [MW_DEFINE_CIRCUMSTANCE] = LAYOUT(circumstance),
    [MW_DEFINE_LINE] = LAYOUT(line),
    [MW_DEFINE_LINE_FRAME] = LAYOUT(line_frame),
    [MW_DEFINE_SAMPLED] = LAYOUT(sampled),
    [MW_DEFINE_SAMPLES] = LAYOUT(samples),
    [MW_DEFINE_SAMPLED_OTHERS] = LAYOUT(sampled),
    [MW_DEFINE_CREW] = LAYOUT(crew),
};

const struct mw_definition_layout *mw_definition_layout(unsigned kind)
{
    if (kind >= sizeof layouts / sizeof layouts[0] || !layouts[kind].fields) {
        return NULL;
    }
    return &layouts[kind];
}

uint64_t mw_definition_piece(const char *next, uint64_t bytes, bool is_first)
{
    uint32_t length = 0;

    if (is_first) {
        return bytes < sizeof(struct mw_definition_header) ? bytes
                                                           : sizeof(struct mw_definition_header);
    }
    if (bytes >= MW_DEFINITION_HEAD_BYTES) {
        memcpy(&length, next, sizeof length);
    }
    return length == 0 || length > bytes - MW_DEFINITION_HEAD_BYTES
               ? bytes
               : length + MW_DEFINITION_HEAD_BYTES;
}
