#ifndef MWA_LOAD_LOCATION_DEFINITIONS_H
#define MWA_LOAD_LOCATION_DEFINITIONS_H

#include <otf2/otf2.h>

#include "analyzer/load/clock_correction.h"
#include "analyzer/load/input.h"

/* What a location's own definitions say of its events: tables that translate the numbers of
 * definitions, and its clock's offsets. */
struct mwa_local_definitions {
    const OTF2_IdMap *tables[OTF2_MAPPING_MAX]; /* by OTF2_MappingType, null: none; libotf2's */
    bool has_tables;
    struct mwa_clock_correction clock;
};

/*
 * Reads those of the location with OTF2's id. libotf2 applies them from then on to what it reads of
 * the location's events itself, so that this is for once in the life of input.
 *
 * \return MW_OK, local to be freed with mwa_local_definitions_fini before input is closed; a
 * location without a file of definitions has none.
 * \return MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY; local needs no freeing then.
 */
enum mw_status mwa_local_definitions_read(struct mwa_input *input, OTF2_LocationRef location,
                                          struct mwa_local_definitions *local,
                                          struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_local_definitions_fini(struct mwa_local_definitions *local);

/* The number that the definition id of that kind has in all locations; a mwa_translate. */
uint64_t mwa_local_translate(const void *local, OTF2_MappingType kind, uint64_t id);

#endif
