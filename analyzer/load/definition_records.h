#ifndef MWA_LOAD_DEFINITION_RECORDS_H
#define MWA_LOAD_DEFINITION_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "analyzer/model/trace.h"

/*
 * What OTF2's records of definitions tell, as they come: what of it is the model's is in trace, the
 * rest here, until ranks can be told (definitions.h).
 */

struct mwa_tree_node {
    const char *name;
    const char *class_name;
    uint32_t parent;
};

struct mwa_process {
    const char *name;
    uint32_t creator; /* OTF2's id of the group that made it, or OTF2_UNDEFINED_UINT32 */
    uint32_t node; /* OTF2's id of the system tree node, or OTF2_UNDEFINED_UINT32 */
    bool is_process;
    uint32_t rank;
};

/* An instance of a metric class: values of something else than the location that they are with. */
struct mwa_instance {
    uint32_t id;
    uint32_t class;
    OTF2_MetricScope scope_type;
    uint64_t scope; /* OTF2's id of a location, a group of them, a node, or a group */
};

/* OTF2's SourceCodeLocation. */
struct mwa_source_place {
    const char *file;
    uint32_t line;
};

/* The user pointer of all callbacks. */
struct mwa_loading {
    struct mwa_trace *trace;
    bool no_memory;
    struct mwa_map strings;   /* id to position in trace->strings */
    struct mwa_map nodes;     /* id to index */
    struct mwa_map processes; /* id of a location group to index */
    struct mwa_map locations; /* id to index */
    struct mwa_map members;   /* id of a location to its position in COMM_LOCATIONS */
    struct mwa_map groups;    /* id to index */
    struct mwa_map other_comms; /* ids of those that are not MPI's, to nothing */
    struct mwa_map other_files; /* the same of OTF2's IoParadigm */
    struct mwa_map dimensions;  /* id to index */
    struct mwa_map topologies;  /* id to index */
    struct mwa_map source_places; /* id of a SourceCodeLocation to index */
    struct mwa_map contexts;    /* id of a CallingContext to the index of a frame */
    struct mwa_source_place *source_place;
    uint64_t source_place_count, source_place_capacity, frame_capacity;
    struct mwa_dimension *dimension;
    uint64_t dimension_count, dimension_capacity, topology_capacity;
    struct mwa_tree_node *tree;
    uint64_t tree_count, tree_capacity;
    struct mwa_process *process;
    uint64_t process_count, process_capacity;
    uint32_t *location_process; /* per location, index or MWA_NONE */
    uint64_t location_process_capacity;
    uint64_t *world; /* locations of the ranks, from COMM_LOCATIONS */
    uint64_t world_count;
    uint32_t region_of_call[MW_CALL_COUNT]; /* indices, and 1; 0: none so far */
    struct mwa_instance *instances;
    uint64_t instance_count, instance_capacity;
    uint64_t site_capacity, region_capacity, group_capacity, comm_capacity, location_capacity;
};

static inline struct mwa_key mwa_loading_key(uint64_t id)
{
    return (struct mwa_key){ 0, id };
}

/* The text that OTF2 knows by id; "" if it is not defined. */
const char *mwa_loading_text(const struct mwa_loading *loading, OTF2_StringRef id);

/* Callbacks that fill a struct mwa_loading; null: no memory. */
OTF2_GlobalDefReaderCallbacks *mwa_definition_callbacks(void);

#endif
