/*
 * Ids are given by position and nothing is looked up: texts of the program are the
 * first strings, then each part takes the next ones in the order in which it
 * defines. A location's mapping tables (local_definitions.c) count on the same
 * order.
 */
#include "formats/archive/global_definitions.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/archive/archive_words.h"
#include "formats/archive/defining.h"
#include "formats/archive/global_metrics.h"
#include "formats/archive/object_definitions.h"
#include "formats/archive/site_definitions.h"
#include "formats/archive/stack_definitions.h"
#include "formats/archive/thread_definitions.h"
#include "formats/archive/user_definitions.h"
#include "formats/base/index_table.h"
#include "formats/spool/record.h"
#include "formats/table/region_role.h"

#define GROUP_LOCATIONS 0u
#define GROUP_SELF 1u
#define MACHINE_NODE 0u

/* libotf2 corrects times itself; its rounding must not put an event before the start. */
#define CORRECTION_SLACK 1000u

static uint32_t MW_PRINTF(2, 3) format_string(struct mw_defining *defining, const char *format, ...)
{
    char text[128];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mw_defining_string(defining, text);
}

/* --- time ---------------------------------------------------------------------- */

struct span {
    uint64_t first;
    uint64_t last;
};

/* When the first process of which that is known looked at its clock; 0: of none. */
static uint64_t began_at(const struct mw_merged *merged)
{
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_define_process *process = &merged->ranks[i].process;

        if (merged->ranks[i].has_process) {
            return mw_merged_time(merged, i, mw_clock_nanoseconds(process->time_ticks,
                                                                  process->time_resolution));
        }
    }
    return 0;
}

/* From the first to the last event of all, on rank 0's clock; of none a moment of the run. */
static struct span span_of(const struct mw_merged *merged)
{
    struct span span = {UINT64_MAX, 0};
    bool corrected = false;

    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_merged_rank *rank = &merged->ranks[i];

        for (size_t point = 0; point < rank->clock_count; point++) {
            corrected |= rank->clock[point].offset != 0;
        }
        for (uint32_t j = 0; j < rank->location_count; j++) {
            const struct mw_location_stats *location = &rank->locations[j];
            uint64_t first = mw_merged_time(merged, i, location->first);
            uint64_t last = mw_merged_time(merged, i, location->last);

            if (location->events > 0) {
                span.first = first < span.first ? first : span.first;
                span.last = last > span.last ? last : span.last;
            }
        }
    }
    if (span.first > span.last) {
        return (struct span){began_at(merged), began_at(merged)};
    }
    if (corrected) {
        span.first = span.first > CORRECTION_SLACK ? span.first - CORRECTION_SLACK : 0;
        span.last += CORRECTION_SLACK;
    }
    return span;
}

/* The time of day of time, by the first process that told the time. */
static uint64_t realtime_of(const struct mw_merged *merged, uint64_t time)
{
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_define_process *process = &merged->ranks[i].process;

        if (merged->ranks[i].has_process) {
            return process->time_realtime + time - began_at(merged);
        }
    }
    return OTF2_UNDEFINED_TIMESTAMP;
}

static void define_clock(struct mw_defining *defining)
{
    struct span span = span_of(defining->merged);

    mw_defining_note(defining,
                     OTF2_GlobalDefWriter_WriteClockProperties(
                         defining->writer, MW_NANOSECONDS, span.first, span.last - span.first,
                         realtime_of(defining->merged, span.first)));
}

/* --- places ---------------------------------------------------------------------- */

static void define_node(struct mw_defining *defining, uint32_t node, const char *name,
                        const char *kind, OTF2_SystemTreeDomain domain)
{
    uint32_t parent = node == MACHINE_NODE ? OTF2_UNDEFINED_SYSTEM_TREE_NODE : MACHINE_NODE;
    uint32_t name_id = mw_defining_string(defining, name);
    uint32_t kind_id = mw_defining_string(defining, kind);

    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteSystemTreeNode(defining->writer, node,
                                                                        name_id, kind_id, parent));
    mw_defining_note(
        defining, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(defining->writer, node, domain));
}

static bool is_named(const void *names, uint32_t node, const void *name)
{
    return strcmp(((const char *const *)names)[node], name) == 0;
}

/* Finds the node of a host by its name, in names by node and in table; or defines the next one. */
static uint32_t node_named(struct mw_defining *defining, struct mw_index_table *table,
                           const char **names, uint32_t *next, const char *name)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, name, strlen(name));
    uint32_t node = mw_index_find(table, hash, is_named, names, name);

    if (node == MW_INDEX_NONE) {
        node = (*next)++;
        names[node] = name;
        defining->out_of_memory |= !mw_index_add(table, hash, node);
        define_node(defining, node, name, "node", OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
    return node;
}

/*
 * The nodes of ranks that are lost, by the names of their hosts, which names has of the nodes
 * before next.
 */
static void place_lost_ranks(struct mw_defining *defining, const char **names, uint32_t next,
                             uint32_t *nodes)
{
    const struct mw_merged *merged = defining->merged;
    struct mw_index_table table = {0};

    for (uint32_t node = MACHINE_NODE + 1; node < next; node++) {
        defining->out_of_memory |= !mw_index_add(
            &table, mw_hash_bytes(MW_HASH_START, names[node], strlen(names[node])), node);
    }
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        if (merged->ranks[i].lost_host) {
            nodes[i] = node_named(defining, &table, names, &next, merged->ranks[i].lost_host);
        }
    }
    mw_index_fini(&table);
}

/*
 * Defines the machine and a node for each host, and tells in nodes each rank's node.
 * Hosts are numbered by the processes themselves, below the number of ranks.
 */
static void define_system_tree(struct mw_defining *defining, uint32_t *nodes)
{
    const struct mw_merged *merged = defining->merged;
    uint32_t *node_of_host = calloc(merged->rank_count, sizeof *node_of_host);
    const char **names = calloc(merged->rank_count + (size_t)MACHINE_NODE + 1, sizeof *names);
    uint32_t next = MACHINE_NODE + 1;

    defining->out_of_memory |= !node_of_host || !names;
    define_node(defining, MACHINE_NODE, "machine", "machine", OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    for (uint32_t i = 0; node_of_host && names && i < merged->rank_count; i++) {
        const struct mw_define_process *process = &merged->ranks[i].process;

        nodes[i] = MACHINE_NODE;
        if (!merged->ranks[i].has_process || process->host >= merged->rank_count) {
            continue;
        }
        if (node_of_host[process->host] == 0) {
            names[next] = process->host_name;
            node_of_host[process->host] = next;
            define_node(defining, next++, process->host_name, "node",
                        OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
        }
        nodes[i] = node_of_host[process->host];
    }
    if (names) {
        place_lost_ranks(defining, names, next, nodes);
    }
    free(names);
    free(node_of_host);
}

static void define_locations(struct mw_defining *defining, uint32_t rank, uint32_t master)
{
    const struct mw_merged_rank *of = &defining->merged->ranks[rank];

    for (uint32_t i = 0; i < of->location_count; i++) {
        uint32_t thread = of->locations[i].thread;
        uint32_t name =
            thread == 0 ? master : format_string(defining, "Thread %" PRIu32, thread);

        mw_defining_note(defining,
                         OTF2_GlobalDefWriter_WriteLocation(
                             defining->writer, mw_location_of(rank, thread), name,
                             OTF2_LOCATION_TYPE_CPU_THREAD, of->locations[i].events, rank));
    }
}

static void define_ranks(struct mw_defining *defining)
{
    uint32_t rank_count = defining->merged->rank_count;
    uint32_t *nodes = calloc(rank_count, sizeof *nodes);
    uint32_t master = mw_defining_string(defining, "Master thread");

    if (!nodes) {
        defining->out_of_memory = true;
        return;
    }
    define_system_tree(defining, nodes);
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        uint32_t name = format_string(defining, "MPI Rank %" PRIu32, rank);

        mw_defining_note(defining,
                         OTF2_GlobalDefWriter_WriteLocationGroup(
                             defining->writer, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                             nodes[rank], OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (uint32_t rank = 0; rank < rank_count; rank++) {
        define_locations(defining, rank, master);
    }
    free(nodes);
}

/* --- calls ----------------------------------------------------------------------- */

/* Whether some location has events with what only few of them tell. */
struct telling {
    bool waits; /* what an open call waits for */
    bool found; /* what a probe found */
    bool lanes; /* which messages in partitions belong to each other */
    bool unready; /* which partitions an open call waits for */
};

static struct telling what_is_told(const struct mw_merged *merged)
{
    struct telling told = {.waits = false};

    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        for (uint32_t i = 0; i < merged->ranks[rank].location_count; i++) {
            told.waits |= merged->ranks[rank].locations[i].tells_waits;
            told.found |= merged->ranks[rank].locations[i].tells_found;
            told.lanes |= merged->ranks[rank].locations[i].tells_lanes;
            told.unready |= merged->ranks[rank].locations[i].tells_unready;
        }
    }
    return told;
}

/* How many attributes are defined: ids have no gaps, which otf2-print warns of. */
static uint32_t attribute_count(const struct mw_merged *merged)
{
    const struct telling told = what_is_told(merged);

    return told.unready                   ? MW_ATTRIBUTE_COUNT
           : told.lanes                   ? MW_ATTRIBUTE_UNREADY
           : told.found                   ? MW_ATTRIBUTE_LANE
           : merged->sites.are_attributes ? MW_ATTRIBUTE_FOUND_COMM
           : told.waits                   ? MW_ATTRIBUTE_SITE
                                          : MW_ATTRIBUTE_PENDING;
}

static void define_attributes(struct mw_defining *defining)
{
    static const struct {
        const char *description;
        OTF2_Type type;
    } attributes[MW_ATTRIBUTE_COUNT] = {
        [MW_ATTRIBUTE_REPEAT] = {"number of calls that this one record stands for",
                                 OTF2_TYPE_UINT64},
        [MW_ATTRIBUTE_INSIDE] = {"ns spent inside these calls", OTF2_TYPE_UINT64},
        [MW_ATTRIBUTE_OPEN] = {"the call was never left", OTF2_TYPE_UINT8},
        [MW_ATTRIBUTE_ERROR] = {"MPI error class that the call returned", OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_COMM] = {"the communicator that a variable belongs to", OTF2_TYPE_COMM},
        [MW_ATTRIBUTE_FLAGS] = {"what is special about a sample", OTF2_TYPE_UINT8},
        [MW_ATTRIBUTE_OFFSET] = {"where in the file, in bytes", OTF2_TYPE_INT64},
        [MW_ATTRIBUTE_WINDOW] = {"the window that a variable belongs to", OTF2_TYPE_RMA_WIN},
        [MW_ATTRIBUTE_FILE] = {"the open file that a variable belongs to", OTF2_TYPE_IO_HANDLE},
        [MW_ATTRIBUTE_NEIGHBORS] = {"the in-neighbours that the operation waits for",
                                    OTF2_TYPE_GROUP},
        [MW_ATTRIBUTE_SOURCES] = {"the ranks that the operation gets something from",
                                  OTF2_TYPE_GROUP},
        [MW_ATTRIBUTE_WILDCARDS] = {"what a receive was posted with: 1 MPI_ANY_SOURCE, 2 "
                                    "MPI_ANY_TAG, 3 both",
                                    OTF2_TYPE_UINT8},
        [MW_ATTRIBUTE_METRIC] = {"the metric whose variable was reset or has wrapped",
                                 OTF2_TYPE_METRIC},
        [MW_ATTRIBUTE_HELD] = {"how long before this sample the values before it still held, ns",
                               OTF2_TYPE_UINT64},
        [MW_ATTRIBUTE_MEAN_LOWER] = {"the mean since the sample before is not less",
                                     OTF2_TYPE_DOUBLE},
        [MW_ATTRIBUTE_MEAN_UPPER] = {"and not more", OTF2_TYPE_DOUBLE},
        [MW_ATTRIBUTE_LOW] = {"the least value since the sample before", OTF2_TYPE_DOUBLE},
        [MW_ATTRIBUTE_HIGH] = {"and the greatest", OTF2_TYPE_DOUBLE},
        [MW_ATTRIBUTE_UNSEEN] = {"how long nothing was seen of it since the sample before, ns",
                                 OTF2_TYPE_UINT64},
        [MW_ATTRIBUTE_TERMS] = {"what members agree on: MPI_Op, and 16 times the scalar",
                                OTF2_TYPE_UINT16},
        [MW_ATTRIBUTE_PENDING] = {"the request was not complete at the end of the record: 1, and "
                                  "the open call waits for it: 2",
                                  OTF2_TYPE_UINT8},
        [MW_ATTRIBUTE_PEER] = {"whom an open call sends to, or its root or target",
                               OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_TAG] = {"with which tag", OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_BYTES] = {"and how many bytes", OTF2_TYPE_UINT64},
        [MW_ATTRIBUTE_SOURCE] = {"whom an open receive is from, -1: from any", OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_SOURCE_TAG] = {"with which tag, -1: with any", OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_REQUESTS] = {"how many requests an open call completes", OTF2_TYPE_UINT64},
        [MW_ATTRIBUTE_SITE] = {"where the call is made: a region with source file and line",
                               OTF2_TYPE_REGION},
        [MW_ATTRIBUTE_FOUND_COMM] = {"where the message is that a probe found", OTF2_TYPE_COMM},
        [MW_ATTRIBUTE_FOUND_SOURCE] = {"whom it is from", OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_FOUND_TAG] = {"and its tag", OTF2_TYPE_INT32},
        [MW_ATTRIBUTE_LANE] = {"of a message in partitions: which MPI_Psend_init, or "
                               "MPI_Precv_init, of its channel it is of",
                               OTF2_TYPE_UINT32},
        [MW_ATTRIBUTE_UNREADY] = {"how many partitions of a send that an open call completes are "
                                  "not ready",
                                  OTF2_TYPE_UINT32},
        [MW_ATTRIBUTE_UNREADY_WHICH] = {"which of the first 32, a bit for each", OTF2_TYPE_UINT32},
    };
    const uint32_t count = attribute_count(defining->merged);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t name = mw_defining_string(defining, mw_attribute_names[i]);
        uint32_t description = mw_defining_string(defining, attributes[i].description);

        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteAttribute(
                                       defining->writer, i, name, description, attributes[i].type));
    }
}

/* The regions of calls whose ids are from first up to below end. */
static void define_regions(struct mw_defining *defining, const uint32_t ids[MW_CALL_COUNT],
                           uint32_t first, uint32_t end)
{
    uint32_t groups[MW_GROUP_COUNT];

    for (unsigned group = 0; group < MW_GROUP_COUNT; group++) {
        groups[group] = mw_defining_string(defining, mw_group_name(group));
    }
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        if (ids[call] < first || ids[call] >= end) {
            continue;
        }
        uint32_t name = mw_defining_string(defining, mw_call_name(call));

        mw_defining_note(defining,
                         OTF2_GlobalDefWriter_WriteRegion(
                             defining->writer, ids[call], name, name, groups[mw_call_group(call)],
                             mw_region_role(call), OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                             defining->empty, 0, 0));
    }
}

/* --- communicators ------------------------------------------------------------------ */

static void define_fixed_groups(struct mw_defining *defining)
{
    uint32_t count = defining->merged->rank_count;
    uint64_t *locations = malloc(count * sizeof *locations);

    if (!locations) {
        defining->out_of_memory = true;
        return;
    }
    for (uint32_t rank = 0; rank < count; rank++) {
        locations[rank] = mw_location_of(rank, 0);
    }
    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteGroup(
                                   defining->writer, GROUP_LOCATIONS, defining->empty,
                                   OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, count, locations));
    mw_defining_note(defining,
                     OTF2_GlobalDefWriter_WriteGroup(defining->writer, GROUP_SELF, defining->empty,
                                                     OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                                     OTF2_GROUP_FLAG_NONE, 0, NULL));
    free(locations);
}

/*
 * Members of a group are world ranks, since these are indices of the locations' group. A
 * member that is not known can't be written, and to leave it out would renumber those
 * behind it: the group ends there. mpiwatch.json has the others.
 */
static void define_group(struct mw_defining *defining, uint32_t index)
{
    const struct mw_members *group = defining->merged->groups[index];
    uint64_t *members = malloc((group->size > 0 ? group->size : 1) * sizeof *members);
    uint32_t known = 0;

    if (!members) {
        defining->out_of_memory = true;
        return;
    }
    for (; known < group->size; known++) {
        uint32_t member = mw_members_at(group, known);

        if (member == MW_MERGED_NONE) {
            break;
        }
        members[known] = member;
    }
    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteGroup(
                                   defining->writer, MW_GROUP_FIRST + index, defining->empty,
                                   OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, known, members));
    free(members);
}

static void define_comm(struct mw_defining *defining, uint32_t id)
{
    const struct mw_merged_comm *comm = &defining->merged->comms[id];
    uint32_t name = mw_defining_string(defining, comm->name);
    bool has_parent = comm->parent < id && !comm->two_parents;
    uint32_t parent = has_parent ? comm->parent : OTF2_UNDEFINED_COMM;
    bool has_events = !(comm->flags & (MW_COMM_PREDEFINED | MW_COMM_FOREIGN));
    OTF2_CommFlag flags =
        has_events ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE;
    uint32_t group = comm->is_self ? GROUP_SELF : MW_GROUP_FIRST + comm->sides[0].group;

    if (comm->side_count == 2) {
        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteInterComm(
                                       defining->writer, id, name, group,
                                       MW_GROUP_FIRST + comm->sides[1].group, parent, flags));
    } else {
        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteComm(defining->writer, id, name, group,
                                                                  parent, flags));
    }
}

static void define_all(struct mw_defining *defining)
{
    const struct mw_merged *merged = defining->merged;
    const uint32_t first_place = mw_region_count(&merged->used);
    const uint32_t first_user = first_place + merged->sites.place_count;
    uint32_t regions[MW_CALL_COUNT];
    const uint32_t first_function = mw_region_ids(merged, regions);

    define_clock(defining);
    mw_user_texts_write(defining); /* the first strings: their ids are their numbers */
    defining->empty = mw_defining_string(defining, "");
    mw_defining_note(defining,
                     OTF2_GlobalDefWriter_WriteParadigm(defining->writer, OTF2_PARADIGM_MPI,
                                                        mw_defining_string(defining, "MPI"),
                                                        OTF2_PARADIGM_CLASS_PROCESS));
    define_attributes(defining);
    define_ranks(defining);
    define_regions(defining, regions, 0, first_place);
    mw_site_definitions_write(defining, first_place);
    mw_user_definitions_write(defining, first_user);
    if (merged->sites.are_attributes) {
        define_regions(defining, regions, first_user, first_function);
    }
    mw_stack_definitions_write(defining, first_place, first_function);
    define_fixed_groups(defining);
    for (uint32_t i = 0; i < merged->group_count; i++) {
        define_group(defining, i);
    }
    for (uint32_t id = 0; id < merged->comm_count; id++) {
        define_comm(defining, id);
    }
    mw_thread_definitions_write(defining, MW_GROUP_FIRST + merged->group_count);
    mw_global_metrics_write(defining);
    mw_object_definitions_write(defining);
}

enum mw_status mw_global_definitions_write(struct mw_otf2_output *output,
                                           const struct mw_merged *merged,
                                           struct mw_diagnostic *diagnostic)
{
    struct mw_defining defining = {.merged = merged};
    OTF2_ErrorCode closed;

    defining.writer = OTF2_Archive_GetGlobalDefWriter(output->definitions);
    if (!defining.writer) {
        return mw_otf2_check(output, OTF2_ERROR_MEM_ALLOC_FAILED, "write definitions",
                             diagnostic);
    }
    define_all(&defining);
    closed = OTF2_Archive_CloseGlobalDefWriter(output->definitions, defining.writer);
    if (defining.out_of_memory) {
        return mw_no_memory(diagnostic, output->directory, "to write definitions");
    }
    return mw_otf2_check(output, defining.code != OTF2_SUCCESS ? defining.code : closed,
                         "write definitions", diagnostic);
}
