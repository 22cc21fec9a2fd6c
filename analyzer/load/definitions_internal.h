#ifndef MWA_LOAD_DEFINITIONS_INTERNAL_H
#define MWA_LOAD_DEFINITIONS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "analyzer/model/trace.h"

/* What the parts of analyzer/load/definitions share while definitions are read. */

struct tree_node {
    const char *name;
    const char *class_name;
    uint32_t parent;
};

struct process {
    uint32_t node; /* OTF2's id of the system tree node, or OTF2_UNDEFINED_UINT32 */
    bool is_process;
    uint32_t rank;
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
    struct tree_node *tree;
    uint64_t tree_count, tree_capacity;
    struct process *process;
    uint64_t process_count, process_capacity;
    uint32_t *location_process; /* per location, index or MWA_NONE */
    uint64_t location_process_capacity;
    uint64_t *world; /* locations of the ranks, from COMM_LOCATIONS */
    uint64_t world_count;
    uint64_t region_capacity, group_capacity, comm_capacity, location_capacity;
};

static inline struct mwa_key mwa_loading_key(uint64_t id)
{
    return (struct mwa_key){ 0, id };
}

/* What a callback returns. */
static inline OTF2_CallbackCode mwa_loading_result(const struct mwa_loading *loading)
{
    return loading->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* The text that OTF2 knows by id; "" if it is not defined. */
static inline const char *mwa_loading_text(const struct mwa_loading *loading, OTF2_StringRef id)
{
    uint64_t index = mwa_map_get(&loading->strings, mwa_loading_key(id));

    return index == MWA_MAP_ABSENT ? "" : loading->trace->strings[index];
}

/* Callbacks that fill a struct mwa_loading; null: no memory. */
OTF2_GlobalDefReaderCallbacks *mwa_definition_callbacks(void);

/* Sets the callbacks of metrics and of what they are bound to. */
void mwa_metric_definitions_register(OTF2_GlobalDefReaderCallbacks *callbacks);

#endif
