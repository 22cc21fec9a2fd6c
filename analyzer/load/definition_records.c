#include "analyzer/load/definition_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/load/stack_records.h"
#include "analyzer/load/topology_records.h"
#include "formats/table/calls.h"

/* What a callback returns. */
static OTF2_CallbackCode result_of(const struct mwa_loading *loading)
{
    return loading->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

const char *mwa_loading_text(const struct mwa_loading *loading, OTF2_StringRef id)
{
    uint64_t index = mwa_map_get(&loading->strings, mwa_loading_key(id));

    return index == MWA_MAP_ABSENT ? "" : loading->trace->strings[index];
}

/* Makes room for one more element and enters its id; false when it was there or no memory. */
static bool add(struct mwa_loading *loading, struct mwa_map *table, uint64_t id, void *array,
                uint64_t *capacity, uint64_t count, size_t size)
{
    if (table && mwa_map_get(table, mwa_loading_key(id)) != MWA_MAP_ABSENT) {
        return false;
    }
    if (!mwa_grow(array, capacity, count + 1, size) ||
        (table && !mwa_map_put(table, mwa_loading_key(id), count))) {
        loading->no_memory = true;
        return false;
    }
    return true;
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset,
                                  uint64_t length, uint64_t realtime)
{
    struct mwa_loading *loading = user;

    loading->trace->clock_resolution = resolution;
    loading->trace->clock_offset = offset;
    loading->trace->clock_length = length;
    loading->trace->realtime = realtime;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct mwa_loading *loading = user;
    uint64_t index = loading->trace->string_count;

    if (!mwa_trace_text(loading->trace, text ? text : "") ||
        !mwa_map_put(&loading->strings, mwa_loading_key(self), index)) {
        loading->no_memory = true;
    }
    return result_of(loading);
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    struct mwa_loading *loading = user;
    const char *text = mwa_loading_text(loading, name);

    for (unsigned i = 0; i < MW_ATTRIBUTE_COUNT; i++) {
        if (strcmp(text, mw_attribute_names[i]) == 0) {
            loading->trace->attributes[i] = self;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    struct mwa_loading *loading = user;
    const char *text = mwa_loading_text(loading, name);

    for (unsigned i = 0; i < MW_PARAMETER_COUNT; i++) {
        OTF2_ParameterType own = i == MW_PARAMETER_DISCONTINUITY ? OTF2_PARAMETER_TYPE_UINT64
                                                                 : OTF2_PARAMETER_TYPE_STRING;

        if (type == own && strcmp(text, mw_parameter_names[i]) == 0) {
            loading->trace->parameters[i] = self;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_tree_node(void *user, OTF2_SystemTreeNodeRef self,
                                      OTF2_StringRef name, OTF2_StringRef class_name,
                                      OTF2_SystemTreeNodeRef parent)
{
    struct mwa_loading *loading = user;

    if (add(loading, &loading->nodes, self, &loading->tree, &loading->tree_capacity,
            loading->tree_count, sizeof *loading->tree)) {
        loading->tree[loading->tree_count++] = (struct mwa_tree_node){
            .name = mwa_loading_text(loading, name),
            .class_name = mwa_loading_text(loading, class_name),
            .parent = parent
        };
    }
    return result_of(loading);
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef node,
                                           OTF2_LocationGroupRef creator)
{
    struct mwa_loading *loading = user;

    if (add(loading, &loading->processes, self, &loading->process, &loading->process_capacity,
            loading->process_count, sizeof *loading->process)) {
        loading->process[loading->process_count++] = (struct mwa_process){
            .name = mwa_loading_text(loading, name),
            .creator = creator,
            .node = node,
            .is_process = type == OTF2_LOCATION_GROUP_TYPE_PROCESS,
            .rank = MWA_NONE
        };
    }
    return result_of(loading);
}

static enum mwa_location_kind kind_of_location(OTF2_LocationType type)
{
    switch (type) {
    case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
        return MWA_LOCATION_STREAM;
    case OTF2_LOCATION_TYPE_METRIC:
        return MWA_LOCATION_METRIC;
    default:
        return MWA_LOCATION_THREAD;
    }
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    struct mwa_loading *loading = user;
    struct mwa_trace *trace = loading->trace;
    uint64_t process = mwa_map_get(&loading->processes, mwa_loading_key(group));

    if (type == OTF2_LOCATION_TYPE_METRIC && events == 0) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (!add(loading, &loading->locations, self, &trace->locations, &loading->location_capacity,
             trace->location_count, sizeof *trace->locations)) {
        return result_of(loading);
    }
    if (!mwa_grow(&loading->location_process, &loading->location_process_capacity,
                  trace->location_count + 1, sizeof *loading->location_process)) {
        loading->no_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    loading->location_process[trace->location_count] = (uint32_t)process;
    trace->locations[trace->location_count++] = (struct mwa_location){
        .id = self,
        .kind = kind_of_location(type),
        .name = mwa_loading_text(loading, name),
        .events = events,
        .rank = MWA_NONE
    };
    return OTF2_CALLBACK_SUCCESS;
}

/* The group's name that mpiwatch-record --events knows; "mpi" for calls not in its table. */
static const char *group_of_call(unsigned call)
{
    return call < MW_CALL_COUNT ? mw_group_name(mw_call_group(call)) : "mpi";
}

/* Critical and ordered sections have a region of their own for what is done in them. */
static enum mwa_region_role role_of(OTF2_RegionRole role)
{
    switch (role) {
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
    case OTF2_REGION_ROLE_CRITICAL:
    case OTF2_REGION_ROLE_ORDERED:
    case OTF2_REGION_ROLE_TASK_WAIT:
    case OTF2_REGION_ROLE_THREAD_WAIT:
        return MWA_ROLE_SYNC;
    case OTF2_REGION_ROLE_DATA_TRANSFER:
        return MWA_ROLE_TRANSFER;
    default:
        return MWA_ROLE_WORK;
    }
}

/*
 * The region of a function, which may be new: those of an MPI call that the table knows are one.
 * MWA_NONE without memory.
 */
static uint32_t share_region(struct mwa_loading *loading, const char *name, bool is_mpi,
                             unsigned call)
{
    struct mwa_trace *trace = loading->trace;

    if (call < MW_CALL_COUNT && loading->region_of_call[call] != 0) {
        return loading->region_of_call[call] - 1;
    }
    if (!mwa_grow(&trace->regions, &loading->region_capacity, trace->region_count + 1,
                  sizeof *trace->regions)) {
        loading->no_memory = true;
        return MWA_NONE;
    }
    trace->regions[trace->region_count++] = (struct mwa_region){
        .name = name,
        .group = is_mpi ? group_of_call(call) : "user",
        .kind = is_mpi ? mwa_region_kind_of_call(call) : MWA_REGION_USER,
        .call = call,
        .mpi_index = is_mpi ? trace->mpi_region_count++ : MWA_NONE,
        .line = MWA_NONE
    };
    if (call < MW_CALL_COUNT) {
        loading->region_of_call[call] = (uint32_t)trace->region_count;
    }
    return (uint32_t)trace->region_count - 1;
}

/* Where the program has a region of its own; a call of MPI is in many places, which are sites. */
static void place_region(struct mwa_region *region, const char *file, uint32_t begin)
{
    if (region->kind == MWA_REGION_USER && *file) {
        region->file = file;
        region->line = begin > 0 ? begin : MWA_NONE;
    }
}

/* Whether it is a function in stacks: a program may have its own MPI_Send around PMPI_Send. */
static bool is_frame(const struct mwa_loading *loading, OTF2_StringRef description,
                     OTF2_Paradigm paradigm)
{
    return paradigm == OTF2_PARADIGM_COMPILER &&
           strcmp(mwa_loading_text(loading, description), "function") == 0;
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                   uint32_t end)
{
    struct mwa_loading *loading = user;
    struct mwa_trace *trace = loading->trace;
    const char *text = mwa_loading_text(loading, name);
    bool is_mpi = paradigm == OTF2_PARADIGM_MPI ||
                  (strncmp(text, "MPI_", 4) == 0 && !is_frame(loading, description, paradigm));
    unsigned call = is_mpi ? mw_call_find(text) : MW_CALL_COUNT;

    bool is_new = mwa_map_get(&trace->site_index, mwa_loading_key(self)) == MWA_MAP_ABSENT;
    uint32_t index = is_new ? share_region(loading, text, is_mpi, call) : MWA_NONE;

    if (index != MWA_NONE &&
        add(loading, &trace->site_index, self, &trace->sites, &loading->site_capacity,
            trace->site_count, sizeof *trace->sites)) {
        trace->sites[trace->site_count] = (struct mwa_site){
            .id = self,
            .region = index,
            .line = is_mpi ? begin : 0,
            .file = is_mpi && begin > 0 ? mwa_loading_text(loading, file) : "",
            .function = "",
            .library = "",
            .frame = MWA_NONE,
            .place = (uint32_t)trace->site_count,
        };
        trace->site_count++;
        trace->has_sites |= is_mpi && begin > 0;
        trace->regions[index].role = role_of(role);
        place_region(&trace->regions[index], mwa_loading_text(loading, file), begin);
    }
    return result_of(loading);
}

/* Keeps the locations of the MPI ranks. */
static void take_world(struct mwa_loading *loading, uint32_t count, const uint64_t *members)
{
    if (loading->world) {
        return;
    }
    loading->world = malloc((count ? count : 1) * sizeof *loading->world);
    if (!loading->world) {
        loading->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        loading->world[i] = members[i];
        if (!mwa_map_put(&loading->members, mwa_loading_key(members[i]), i)) {
            loading->no_memory = true;
        }
    }
    loading->world_count = count;
}

static uint32_t member_rank(const struct mwa_loading *loading, uint64_t member, bool is_location)
{
    if (is_location) {
        return (uint32_t)mwa_map_get(&loading->members, mwa_loading_key(member));
    }
    return member < loading->world_count ? (uint32_t)member : MWA_NONE;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm,
                                  OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
    struct mwa_loading *loading = user;
    struct mwa_trace *trace = loading->trace;
    uint32_t *ranks;

    if (paradigm != OTF2_PARADIGM_MPI) {
        loading->no_memory |=
            !mwa_map_put(&loading->groups, mwa_loading_key(self), MWA_GROUP_OTHER);
        return result_of(loading);
    }
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
        take_world(loading, count, members);
    }
    if (type != OTF2_GROUP_TYPE_COMM_GROUP && type != OTF2_GROUP_TYPE_COMM_SELF) {
        return result_of(loading);
    }
    ranks = malloc((count ? count : 1) * sizeof *ranks);
    if (!ranks) {
        loading->no_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = member_rank(loading, members[i], flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
    }
    if (!add(loading, &loading->groups, self, &trace->groups, &loading->group_capacity,
             trace->group_count, sizeof *trace->groups)) {
        free(ranks);
        return result_of(loading);
    }
    trace->groups[trace->group_count++] = (struct mwa_group){
        .id = self, .self = type == OTF2_GROUP_TYPE_COMM_SELF, .count = count, .ranks = ranks
    };
    return OTF2_CALLBACK_SUCCESS;
}

/* MWA_NONE: not defined, or not MPI's. */
static uint32_t group_of(const struct mwa_loading *loading, OTF2_GroupRef id)
{
    uint32_t index = (uint32_t)mwa_map_get(&loading->groups, mwa_loading_key(id));

    return index == MWA_GROUP_OTHER ? MWA_NONE : index;
}

static void add_comm(struct mwa_loading *loading, const struct mwa_comm *comm)
{
    struct mwa_trace *trace = loading->trace;

    if (add(loading, &trace->comm_index, comm->id, &trace->comms, &loading->comm_capacity,
            trace->comm_count, sizeof *trace->comms)) {
        trace->comms[trace->comm_count] = *comm;
        trace->comms[trace->comm_count++].sequence = UINT64_MAX;
    }
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct mwa_loading *loading = user;

    if (mwa_map_get(&loading->groups, mwa_loading_key(group)) != MWA_GROUP_OTHER) {
        add_comm(loading, &(struct mwa_comm){ .id = self,
                                              .name = mwa_loading_text(loading, name),
                                              .group = group_of(loading, group),
                                              .remote_group = MWA_NONE,
                                              .parent = mwa_trace_comm(loading->trace, parent) });
    } else {
        loading->no_memory |= !mwa_map_put(&loading->other_comms, mwa_loading_key(self), 0);
    }
    return result_of(loading);
}

static OTF2_CallbackCode on_inter_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                       OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                       OTF2_CommRef common, OTF2_CommFlag flags)
{
    struct mwa_loading *loading = user;

    add_comm(loading, &(struct mwa_comm){ .id = self,
                                          .name = mwa_loading_text(loading, name),
                                          .inter = true,
                                          .group = group_of(loading, group_a),
                                          .remote_group = group_of(loading, group_b),
                                          .parent = mwa_trace_comm(loading->trace, common) });
    return result_of(loading);
}

static enum mw_metric_type type_of(OTF2_Type type)
{
    return type == OTF2_TYPE_DOUBLE  ? MW_METRIC_DOUBLE
           : type == OTF2_TYPE_INT64 ? MW_METRIC_INT64
                                     : MW_METRIC_UINT64;
}

/* Values in a unit of their own are real numbers of the unit that is named. */
static void scale(struct mwa_metric_member *member, OTF2_Base base, int64_t exponent)
{
    const double whole = pow(base == OTF2_BASE_BINARY ? 2 : 10, fabs((double)exponent));

    if (exponent != 0 && isfinite(whole)) {
        *(exponent > 0 ? &member->factor : &member->divisor) = whole;
        member->type = MW_METRIC_DOUBLE;
    }
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType kind, OTF2_MetricMode mode,
                                          OTF2_Type type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    struct mwa_loading *loading = user;
    OTF2_MetricMode value = mode & OTF2_METRIC_VALUE_MASK;
    struct mwa_metric_member member = {
        .id = self,
        .name = mwa_loading_text(loading, name),
        .unit = mwa_loading_text(loading, unit),
        .type = type_of(type),
        .class = value == OTF2_METRIC_VALUE_ABSOLUTE ? MW_CLASS_LEVEL : MW_CLASS_COUNTER,
        .is_relative = value == OTF2_METRIC_VALUE_RELATIVE,
        .since_last = mode == OTF2_METRIC_ABSOLUTE_LAST
    };

    scale(&member, base, exponent);
    loading->no_memory |= !mwa_metrics_add_member(&loading->trace->metrics, &member);
    return result_of(loading);
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t count,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence,
                                         OTF2_RecorderKind recorder)
{
    struct mwa_loading *loading = user;

    loading->no_memory |=
        !mwa_metrics_add_class(&loading->trace->metrics, self, members, count);
    return result_of(loading);
}

/* What its scope is called can be said when all definitions are there. */
static OTF2_CallbackCode on_metric_instance(void *user, OTF2_MetricRef self,
                                            OTF2_MetricRef class, OTF2_LocationRef recorder,
                                            OTF2_MetricScope scope_type, uint64_t scope)
{
    struct mwa_loading *loading = user;

    if (!mwa_grow(&loading->instances, &loading->instance_capacity, loading->instance_count + 1,
                  sizeof *loading->instances)) {
        loading->no_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    loading->instances[loading->instance_count++] = (struct mwa_instance){
        .id = self, .class = class, .scope_type = scope_type, .scope = scope
    };
    return OTF2_CALLBACK_SUCCESS;
}

/* Of the object, comm is OTF2's. */
static OTF2_CallbackCode add_object(struct mwa_loading *loading, OTF2_StringRef name,
                                    struct mwa_metric_object object)
{
    struct mwa_trace *trace = loading->trace;

    object.name = mwa_loading_text(loading, name);
    object.comm = object.is_foreign ? MWA_NONE : mwa_trace_comm(trace, object.comm);
    if (object.comm != MWA_NONE) {
        trace->comms[object.comm].has_objects = true;
    }
    loading->no_memory |= !mwa_metrics_add_object(&trace->metrics, &object);
    return result_of(loading);
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    struct mwa_loading *loading = user;
    bool is_foreign = mwa_map_get(&loading->other_comms, mwa_loading_key(comm)) != MWA_MAP_ABSENT;

    return add_object(loading, name,
                      (struct mwa_metric_object){ .id = self,
                                                  .comm = comm,
                                                  .file = MWA_NONE,
                                                  .is_foreign = is_foreign });
}

/* Files are read and written by other ways, too, MPI-IO's own among them: POSIX, ISOC, HDF5 … */
static OTF2_CallbackCode on_io_paradigm(void *user, OTF2_IoParadigmRef self,
                                        OTF2_StringRef identification, OTF2_StringRef name,
                                        OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags,
                                        uint8_t count, const OTF2_IoParadigmProperty *properties,
                                        const OTF2_Type *types, const OTF2_AttributeValue *values)
{
    struct mwa_loading *loading = user;
    const char *way = mwa_loading_text(loading, identification);

    if (*way && strcmp(way, "MPI-IO") != 0) {
        loading->no_memory |= !mwa_map_put(&loading->other_files, mwa_loading_key(self), 0);
    }
    return result_of(loading);
}

static OTF2_CallbackCode on_io_handle(void *user, OTF2_IoHandleRef self, OTF2_StringRef name,
                                      OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                      OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                      OTF2_IoHandleRef parent)
{
    struct mwa_loading *loading = user;
    bool is_foreign =
        mwa_map_get(&loading->other_files, mwa_loading_key(paradigm)) != MWA_MAP_ABSENT;

    return add_object(loading, name,
                      (struct mwa_metric_object){ .is_file = true,
                                                  .id = self,
                                                  .comm = comm,
                                                  .file = file,
                                                  .is_foreign = is_foreign });
}

OTF2_GlobalDefReaderCallbacks *mwa_definition_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *all = OTF2_GlobalDefReaderCallbacks_New();

    if (all) {
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(all, on_clock);
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(all, on_string);
        OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(all, on_attribute);
        OTF2_GlobalDefReaderCallbacks_SetParameterCallback(all, on_parameter);
        OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(all, on_tree_node);
        OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(all, on_location_group);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(all, on_location);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(all, on_region);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(all, on_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(all, on_comm);
        OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(all, on_inter_comm);
        OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(all, on_metric_member);
        OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(all, on_metric_class);
        OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(all, on_metric_instance);
        OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(all, on_window);
        OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(all, on_io_paradigm);
        OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(all, on_io_handle);
        mwa_topology_callbacks(all);
        mwa_stack_callbacks(all);
    }
    return all;
}
