#include "analyzer/validate/defined.h"

#include <stdlib.h>

#include "analyzer/load/definitions.h"
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"

/* A reference to what was not defined yet. */
struct forward {
    enum mwa_definition from;
    enum mwa_definition to;
    uint64_t self;
    uint64_t id;
    uint64_t offset;
};

/* The definitions being read. */
struct reading {
    struct mwa_defined *defined;
    struct mwa_findings *findings;
    const struct mwa_stream_log *log;
    struct forward *forwards;
    uint64_t forward_count;
    uint64_t forward_capacity;
    bool no_memory;
    enum mwa_definition kind; /* of the definition being looked at, and its id */
    uint64_t self;
};

static struct mwa_key key_of(uint64_t id)
{
    return (struct mwa_key){ 0, id };
}

bool mwa_is_defined(const struct mwa_defined *defined, enum mwa_definition kind, uint64_t id)
{
    return mwa_map_get(&defined->ids[kind], key_of(id)) != MWA_MAP_ABSENT;
}

const char *mwa_definition_name(enum mwa_definition kind)
{
    static const char *const names[] = { "String", "Attribute", "SystemTreeNode", "LocationGroup",
                                         "Location", "Region", "Group", "Comm", "MetricMember",
                                         "MetricClass", "Parameter", "RmaWin", "IoFile",
                                         "IoHandle" };

    return names[kind];
}

/* A definition begins: enters its id with a value. */
static void define(struct reading *reading, enum mwa_definition kind, uint64_t self,
                   uint64_t value)
{
    reading->kind = kind;
    reading->self = self;
    if (mwa_is_defined(reading->defined, kind, self)) {
        mwa_findings_add(reading->findings, MWA_CORRUPT, reading->log->last,
                         reading->log->last_offset, "%s %llu is defined twice",
                         mwa_definition_name(kind), (unsigned long long)self);
    } else if (!mwa_map_put(&reading->defined->ids[kind], key_of(self), value)) {
        reading->no_memory = true;
    }
}

/* What a definition refers to: another one, or nothing. */
struct reference {
    enum mwa_definition kind;
    uint64_t id;
};

/* The definition that has begun refers to another one. */
static void refer(struct reading *reading, enum mwa_definition kind, uint64_t id)
{
    const uint64_t nothing =
        kind == MWA_DEFINED_LOCATION ? OTF2_UNDEFINED_LOCATION : OTF2_UNDEFINED_UINT32;

    if (id == nothing || mwa_is_defined(reading->defined, kind, id)) {
        return;
    }
    if (!mwa_grow(&reading->forwards, &reading->forward_capacity, reading->forward_count + 1,
                  sizeof *reading->forwards)) {
        reading->no_memory = true;
        return;
    }
    reading->forwards[reading->forward_count++] =
        (struct forward){ .from = reading->kind,
                          .to = kind,
                          .self = reading->self,
                          .id = id,
                          .offset = reading->log->last_offset };
}

/* What is not defined at the end is not defined. */
static void check_forwards(const struct reading *reading)
{
    for (uint64_t i = 0; i < reading->forward_count; i++) {
        const struct forward *forward = &reading->forwards[i];

        if (!mwa_is_defined(reading->defined, forward->to, forward->id)) {
            mwa_findings_add(reading->findings, MWA_CORRUPT, reading->log->last, forward->offset,
                             "%s %llu refers to %s %llu, which is not defined",
                             mwa_definition_name(forward->from),
                             (unsigned long long)forward->self, mwa_definition_name(forward->to),
                             (unsigned long long)forward->id);
        }
    }
}

static OTF2_CallbackCode result_of(const struct reading *reading)
{
    return reading->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* Takes a definition with a value and what it refers to, which ends with MWA_DEFINITIONS. */
static OTF2_CallbackCode take(void *reading, enum mwa_definition kind, uint64_t self,
                              uint64_t value, const struct reference *references)
{
    define(reading, kind, self, value);
    for (; references->kind != MWA_DEFINITIONS; references++) {
        refer(reading, references->kind, references->id);
    }
    return result_of(reading);
}

#define REFERS(...) (const struct reference[]){ __VA_ARGS__, { MWA_DEFINITIONS, 0 } }

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    define(user, MWA_DEFINED_STRING, self, 0);
    return result_of(user);
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    return take(user, MWA_DEFINED_ATTRIBUTE, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_STRING, description }));
}

static OTF2_CallbackCode on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                 OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
    return take(user, MWA_DEFINED_NODE, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_STRING, class_name },
                       { MWA_DEFINED_NODE, parent }));
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef node,
                                           OTF2_LocationGroupRef creator)
{
    return take(user, MWA_DEFINED_LOCATION_GROUP, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_NODE, node },
                       { MWA_DEFINED_LOCATION_GROUP, creator }));
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    return take(user, MWA_DEFINED_LOCATION, self, events == MWA_MAP_ABSENT ? 0 : events,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_LOCATION_GROUP, group }));
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                   uint32_t end)
{
    return take(user, MWA_DEFINED_REGION, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_STRING, canonical },
                       { MWA_DEFINED_STRING, description }, { MWA_DEFINED_STRING, file }));
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm,
                                  OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
    struct reading *reading = user;

    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
        /* Nothing refers to it, and EZTrace gives MPI_COMM_WORLD's group the same id. */
        reading->kind = MWA_DEFINED_GROUP;
        reading->self = self;
    } else {
        define(user, MWA_DEFINED_GROUP, self, count);
    }
    refer(user, MWA_DEFINED_STRING, name);
    return result_of(user);
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    return take(user, MWA_DEFINED_COMM, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_GROUP, group },
                       { MWA_DEFINED_COMM, parent }));
}

static OTF2_CallbackCode on_inter_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                       OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                       OTF2_CommRef common, OTF2_CommFlag flags)
{
    return take(user, MWA_DEFINED_COMM, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_GROUP, group_a },
                       { MWA_DEFINED_GROUP, group_b }, { MWA_DEFINED_COMM, common }));
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType type, OTF2_MetricMode mode,
                                          OTF2_Type value_type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    return take(user, MWA_DEFINED_METRIC_MEMBER, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_STRING, description },
                       { MWA_DEFINED_STRING, unit }));
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t count,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence,
                                         OTF2_RecorderKind recorder)
{
    define(user, MWA_DEFINED_METRIC, self, count);
    for (unsigned i = 0; i < count; i++) {
        refer(user, MWA_DEFINED_METRIC_MEMBER, members[i]);
    }
    return result_of(user);
}

static OTF2_CallbackCode on_metric_instance(void *user, OTF2_MetricRef self,
                                            OTF2_MetricRef metric_class,
                                            OTF2_LocationRef recorder, OTF2_MetricScope scope,
                                            uint64_t scope_id)
{
    struct reading *reading = user;
    uint64_t members =
        mwa_map_get(&reading->defined->ids[MWA_DEFINED_METRIC], key_of(metric_class));

    define(reading, MWA_DEFINED_METRIC, self, members == MWA_MAP_ABSENT ? 0 : members);
    refer(reading, MWA_DEFINED_METRIC, metric_class);
    refer(reading, MWA_DEFINED_LOCATION, recorder);
    return result_of(reading);
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    return take(user, MWA_DEFINED_PARAMETER, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }));
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    return take(user, MWA_DEFINED_WINDOW, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_COMM, comm }));
}

static OTF2_CallbackCode on_io_file(void *user, OTF2_IoFileRef self, OTF2_StringRef name,
                                    OTF2_SystemTreeNodeRef scope)
{
    return take(user, MWA_DEFINED_IO_FILE, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_NODE, scope }));
}

static OTF2_CallbackCode on_io_handle(void *user, OTF2_IoHandleRef self, OTF2_StringRef name,
                                      OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                      OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                      OTF2_IoHandleRef parent)
{
    return take(user, MWA_DEFINED_IO_HANDLE, self, 0,
                REFERS({ MWA_DEFINED_STRING, name }, { MWA_DEFINED_IO_FILE, file },
                       { MWA_DEFINED_COMM, comm }, { MWA_DEFINED_IO_HANDLE, parent }));
}

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *all = OTF2_GlobalDefReaderCallbacks_New();

    if (all) {
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(all, on_string);
        OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(all, on_attribute);
        OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(all, on_node);
        OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(all, on_location_group);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(all, on_location);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(all, on_region);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(all, on_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(all, on_comm);
        OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(all, on_inter_comm);
        OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(all, on_metric_member);
        OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(all, on_metric_class);
        OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(all, on_metric_instance);
        OTF2_GlobalDefReaderCallbacks_SetParameterCallback(all, on_parameter);
        OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(all, on_window);
        OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(all, on_io_file);
        OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(all, on_io_file);
        OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(all, on_io_handle);
    }
    return all;
}

/* What the anchor file says there is. */
static void check_anchor(OTF2_Reader *reader, const struct reading *reading, uint64_t definitions)
{
    uint64_t locations = reading->defined->ids[MWA_DEFINED_LOCATION].count;
    uint64_t said;

    if (OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &said) == OTF2_SUCCESS &&
        said != definitions) {
        mwa_findings_add(reading->findings, MWA_CORRUPT, reading->log->last,
                         reading->log->last_offset,
                         "it has %llu definitions, the anchor file says %llu",
                         (unsigned long long)definitions, (unsigned long long)said);
    }
    if (OTF2_Reader_GetNumberOfLocations(reader, &said) == OTF2_SUCCESS && said != locations) {
        mwa_findings_add(reading->findings, MWA_CORRUPT, reading->log->last,
                         reading->log->last_offset,
                         "it defines %llu locations, the anchor file says %llu",
                         (unsigned long long)locations, (unsigned long long)said);
    }
}

/* What only the model knows: which locations are ranks. */
static void check_ranks(const struct mwa_trace *trace, const struct reading *reading)
{
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        if (trace->ranks[i].master == MWA_NONE) {
            mwa_findings_add(reading->findings, MWA_CORRUPT, reading->log->last,
                             reading->log->last_offset, "rank %llu has no location",
                             (unsigned long long)i);
        }
    }
    for (uint64_t i = 0; i < trace->group_count; i++) {
        for (uint32_t k = 0; k < trace->groups[i].count; k++) {
            if (!trace->groups[i].self && trace->groups[i].ranks[k] >= trace->rank_count) {
                mwa_findings_add(reading->findings, MWA_CORRUPT, reading->log->last,
                                 reading->log->last_offset,
                                 "Group %u: its member %u is no rank", trace->groups[i].id, k);
                break;
            }
        }
    }
}

enum mw_status mwa_check_definitions(struct mwa_input *input, struct mwa_defined *defined,
                                     struct mwa_findings *findings,
                                     struct mw_diagnostic *diagnostic)
{
    struct reading reading = { .defined = defined,
                               .findings = findings,
                               .log = mwa_files_log(mwa_input_files(input)) };
    OTF2_Reader *reader = mwa_input_otf2(input);
    enum mw_status status = MW_OK;
    OTF2_ErrorCode code;
    uint64_t count;

    *defined = (struct mwa_defined){ 0 };
    mwa_otf2_errors_clear();
    code = mwa_definitions_scan(reader, make_callbacks(), &reading, &count);
    if (reading.no_memory || code == OTF2_ERROR_MEM_ALLOC_FAILED) {
        status = mw_no_memory(diagnostic, reading.log->last, "to check the definitions");
    } else if (code != OTF2_SUCCESS) {
        status = mwa_otf2_fail(reading.log, "the global definitions are damaged", diagnostic);
    } else {
        check_forwards(&reading);
        check_anchor(reader, &reading, count);
        check_ranks(mwa_input_trace(input), &reading);
    }
    free(reading.forwards);
    return status;
}

enum mw_status mwa_require_definitions(struct mwa_input *input, struct mw_diagnostic *diagnostic)
{
    struct mwa_findings findings = { 0 };
    struct mwa_defined defined = { 0 };
    enum mw_status status = mwa_check_definitions(input, &defined, &findings, diagnostic);

    if (status == MW_OK && findings.count > 0) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, findings.list[0].member,
                         findings.list[0].offset, "%s", findings.list[0].text);
    }
    mwa_defined_fini(&defined);
    mwa_findings_fini(&findings);
    return status;
}

void mwa_defined_fini(struct mwa_defined *defined)
{
    for (unsigned i = 0; i < MWA_DEFINITIONS; i++) {
        mwa_map_fini(&defined->ids[i]);
    }
}
