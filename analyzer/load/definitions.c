#include "analyzer/load/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/definition_records.h"

/* Gives the processes their ranks; returns how many ranks there are. */
static uint64_t number_processes(struct mwa_loading *loading)
{
    uint32_t next = 0;

    if (!loading->world) {
        for (uint64_t i = 0; i < loading->process_count; i++) {
            loading->process[i].rank = loading->process[i].is_process ? next++ : MWA_NONE;
        }
        return next;
    }
    for (uint64_t rank = 0; rank < loading->world_count; rank++) {
        uint64_t location =
            mwa_map_get(&loading->locations, mwa_loading_key(loading->world[rank]));
        uint32_t process =
            location == MWA_MAP_ABSENT ? MWA_NONE : loading->location_process[location];

        if (process != MWA_NONE && loading->process[process].rank == MWA_NONE) {
            loading->process[process].rank = (uint32_t)rank;
        }
    }
    return loading->world_count;
}

/* A context of an accelerator is of the process that made it. */
static void number_contexts(struct mwa_loading *loading)
{
    for (uint64_t i = 0; i < loading->process_count; i++) {
        struct mwa_process *process = &loading->process[i];
        uint64_t creator = mwa_map_get(&loading->processes, mwa_loading_key(process->creator));

        if (!process->is_process && process->rank == MWA_NONE && creator != MWA_MAP_ABSENT &&
            loading->process[creator].is_process) {
            process->rank = loading->process[creator].rank;
        }
    }
}

/* The node that stands for a host: the next one upwards of class "node", else the first. */
static uint64_t host_of(const struct mwa_loading *loading, uint32_t id)
{
    uint64_t first = mwa_map_get(&loading->nodes, mwa_loading_key(id));
    uint64_t at = first;

    for (uint64_t steps = 0; at != MWA_MAP_ABSENT && steps < loading->tree_count; steps++) {
        if (strcmp(loading->tree[at].class_name, "node") == 0) {
            return at;
        }
        at = mwa_map_get(&loading->nodes, mwa_loading_key(loading->tree[at].parent));
    }
    return first;
}

/* The rank of a location that is of no process. */
static uint32_t member_of_world(const struct mwa_loading *loading, uint64_t location)
{
    return (uint32_t)mwa_map_get(&loading->members, mwa_loading_key(location));
}

static bool place_locations(struct mwa_loading *loading)
{
    struct mwa_trace *trace = loading->trace;
    struct mwa_map hosts = { 0 };
    bool fine = true;

    for (uint64_t i = 0; i < trace->location_count && fine; i++) {
        uint32_t process = loading->location_process[i];
        uint32_t number = process == MWA_NONE
                              ? member_of_world(loading, trace->locations[i].id)
                              : loading->process[process].rank;
        struct mwa_rank *rank = number < trace->rank_count ? &trace->ranks[number] : NULL;
        uint64_t host;

        if (!rank) {
            continue;
        }
        trace->locations[i].rank = number;
        rank->locations++;
        if ((rank->master == MWA_NONE &&
             trace->locations[i].kind == MWA_LOCATION_THREAD) || (loading->world &&
                                         loading->world[number] == trace->locations[i].id)) {
            rank->master = (uint32_t)i;
        }
        host = process == MWA_NONE ? MWA_MAP_ABSENT
                                   : host_of(loading, loading->process[process].node);
        if (host != MWA_MAP_ABSENT) {
            rank->host = loading->tree[host].name;
            fine = mwa_map_put(&hosts, mwa_loading_key(host), 1) != NULL;
        }
    }
    trace->host_count = hosts.count;
    mwa_map_fini(&hosts);
    return fine;
}

/* Whether it has all ranks, in their order. */
static bool is_of_world(const struct mwa_trace *trace, const struct mwa_comm *comm)
{
    const struct mwa_group *group;

    if (comm->group == MWA_NONE || comm->inter) {
        return false;
    }
    group = &trace->groups[comm->group];
    for (uint32_t i = 0; i < group->count; i++) {
        if (group->ranks[i] != i) {
            return false;
        }
    }
    return !group->self && group->count == trace->rank_count;
}

/* Other tools have no mark for what every program has: it is of no other one, and has its name. */
static void mark_predefined(struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->comm_count; i++) {
        struct mwa_comm *comm = &trace->comms[i];
        bool is_self = comm->group != MWA_NONE && trace->groups[comm->group].self;

        comm->predefined =
            comm->parent == MWA_NONE && !comm->inter &&
            ((strcmp(comm->name, "MPI_COMM_WORLD") == 0 && is_of_world(trace, comm)) ||
             (strcmp(comm->name, "MPI_COMM_SELF") == 0 && is_self));
    }
}

/* What an instance's values are of; "" where nothing names it. */
static const char *scope_of(const struct mwa_loading *loading, const struct mwa_instance *instance)
{
    const struct mwa_key key = mwa_loading_key(instance->scope);
    uint64_t at;

    switch (instance->scope_type) {
    case OTF2_SCOPE_LOCATION:
        at = mwa_map_get(&loading->locations, key);
        return at != MWA_MAP_ABSENT ? loading->trace->locations[at].name : "";
    case OTF2_SCOPE_LOCATION_GROUP:
        at = mwa_map_get(&loading->processes, key);
        return at != MWA_MAP_ABSENT ? loading->process[at].name : "";
    case OTF2_SCOPE_SYSTEM_TREE_NODE:
        at = mwa_map_get(&loading->nodes, key);
        return at != MWA_MAP_ABSENT ? loading->tree[at].name : "";
    default:
        return "";
    }
}

static bool add_instances(const struct mwa_loading *loading)
{
    bool enough = true;

    for (uint64_t i = 0; i < loading->instance_count; i++) {
        const struct mwa_instance *instance = &loading->instances[i];

        enough = enough && mwa_metrics_add_instance(&loading->trace->metrics, instance->id,
                                                    instance->class,
                                                    scope_of(loading, instance));
    }
    return enough;
}

static bool connect(struct mwa_loading *loading)
{
    struct mwa_trace *trace = loading->trace;
    uint64_t capacity = 0;
    uint64_t mpi_capacity = 0;
    uint64_t ranks = number_processes(loading);

    number_contexts(loading);
    if (!mwa_grow(&trace->ranks, &capacity, ranks ? ranks : 1, sizeof *trace->ranks) ||
        !mwa_grow(&trace->mpi_regions, &mpi_capacity,
                  trace->mpi_region_count ? trace->mpi_region_count : 1,
                  sizeof *trace->mpi_regions)) {
        return false;
    }
    trace->rank_count = ranks;
    trace->ranks_expected = ranks;
    for (uint64_t i = 0; i < ranks; i++) {
        trace->ranks[i] = (struct mwa_rank){ .host = "", .master = MWA_NONE, .pid = -1 };
    }
    for (uint32_t i = 0; i < trace->region_count; i++) {
        if (trace->regions[i].mpi_index != MWA_NONE) {
            trace->mpi_regions[trace->regions[i].mpi_index] = i;
        }
    }
    mwa_trace_sort_topologies(trace);
    if (!place_locations(loading) || !add_instances(loading) || !mwa_trace_sort_groups(trace)) {
        return false;
    }
    mark_predefined(trace);
    for (uint64_t i = 0; i < ranks; i++) {
        if (trace->ranks[i].master != MWA_NONE) {
            trace->locations[trace->ranks[i].master].master = true;
        }
    }
    return true;
}

static void loading_fini(struct mwa_loading *loading)
{
    loading->trace->string_index = loading->strings; /* events have strings and groups, too */
    loading->trace->group_index = loading->groups;
    mwa_map_fini(&loading->nodes);
    mwa_map_fini(&loading->processes);
    mwa_map_fini(&loading->locations);
    mwa_map_fini(&loading->members);
    mwa_map_fini(&loading->other_comms);
    mwa_map_fini(&loading->other_files);
    mwa_map_fini(&loading->dimensions);
    mwa_map_fini(&loading->topologies);
    mwa_map_fini(&loading->source_places);
    mwa_map_fini(&loading->contexts);
    free(loading->source_place);
    free(loading->dimension);
    free(loading->instances);
    free(loading->tree);
    free(loading->process);
    free(loading->location_process);
    free(loading->world);
}

OTF2_ErrorCode mwa_definitions_scan(OTF2_Reader *reader,
                                    OTF2_GlobalDefReaderCallbacks *callbacks, void *user,
                                    uint64_t *count)
{
    OTF2_GlobalDefReader *definitions;
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;

    *count = 0;
    if (!callbacks) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    definitions = OTF2_Reader_GetGlobalDefReader(reader);
    if (definitions) {
        code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, user);
        if (code == OTF2_SUCCESS) {
            code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, count);
        }
        (void)OTF2_Reader_CloseGlobalDefReader(reader, definitions);
    }
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    return code;
}

enum mw_status mwa_definitions_read(OTF2_Reader *reader, const char *path,
                                    struct mwa_trace *trace, struct mw_diagnostic *diagnostic)
{
    struct mwa_loading loading = { .trace = trace };
    enum mw_status status = MW_OK;
    OTF2_ErrorCode code;
    uint64_t count;

    for (unsigned i = 0; i < MW_ATTRIBUTE_COUNT; i++) {
        trace->attributes[i] = MWA_NONE;
    }
    for (unsigned i = 0; i < MW_PARAMETER_COUNT; i++) {
        trace->parameters[i] = MWA_NONE;
    }
    trace->realtime = UINT64_MAX;
    trace->program = "";
    code = mwa_definitions_scan(reader, mwa_definition_callbacks(), &loading, &count);
    if (loading.no_memory || code == OTF2_ERROR_MEM_ALLOC_FAILED ||
        (code == OTF2_SUCCESS && !connect(&loading))) {
        status = mw_no_memory(diagnostic, path, "for the definitions");
    } else if (code != OTF2_SUCCESS) {
        status = MW_ERROR_OTF2;
    }
    loading_fini(&loading);
    return status;
}
