#ifndef MWA_LOAD_RECORD_IDS_H
#define MWA_LOAD_RECORD_IDS_H

#include <stdint.h>

#include <otf2/OTF2_GeneralDefinitions.h>

#include "analyzer/load/event_record.h"

/* Numbers of definitions in events, of which each location may have its own. */

/* What all locations have as the number of the definition that is id to one of them. */
typedef uint64_t (*mwa_translate)(const void *tables, OTF2_MappingType kind, uint64_t id);

/* Translates those of the record's fields that are one number each (event_records.def). */
void mwa_ids_translate(struct mwa_record *record, mwa_translate translate, const void *tables);

/* What the values of an attribute's type (OTF2_Type) are numbers of; OTF2_MAPPING_MAX: of none. */
OTF2_MappingType mwa_ids_of_type(unsigned type);

#endif
