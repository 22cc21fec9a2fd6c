#ifndef MWA_LOAD_LOCATION_DEFINITIONS_H
#define MWA_LOAD_LOCATION_DEFINITIONS_H

#include <otf2/OTF2_GeneralDefinitions.h>

#include "analyzer/load/clock_correction.h"
#include "analyzer/load/files.h"

/* The numbers that all locations have for the definitions of one. */
struct mwa_id_table {
    uint64_t *ids;  /* owned; by the location's number, or pairs of that and the other, ascending */
    uint64_t count; /* of ids; 0: there is no table */
    bool is_sparse; /* they are pairs */
};

/* What a location's own definitions say of its events: tables that translate the numbers of
 * definitions, and its clock's offsets. */
struct mwa_local_definitions {
    struct mwa_id_table tables[OTF2_MAPPING_MAX]; /* by OTF2_MappingType */
    bool has_tables;
    struct mwa_clock_correction clock;
};

/*
 * Reads those of the location with OTF2's id; chunk: the bytes of a chunk of definitions, as the
 * anchor file says, of which one is in memory.
 *
 * \return MW_OK, local to be freed with mwa_local_definitions_fini; a location without a file of
 * definitions has none.
 * \return MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY; local needs no freeing then.
 */
enum mw_status mwa_local_definitions_read(struct mwa_files *files, uint64_t location,
                                          uint64_t chunk, struct mwa_local_definitions *local,
                                          struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_local_definitions_fini(struct mwa_local_definitions *local);

/* The number that the definition id of that kind has in all locations; a mwa_translate. */
uint64_t mwa_local_translate(const void *local, OTF2_MappingType kind, uint64_t id);

#endif
