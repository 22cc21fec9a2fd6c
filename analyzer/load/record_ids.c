/*
 * Which numbers of a record are those of definitions follows from its row of the table. That is
 * asked when a record has been read, and only where locations have numbers of their own: to read
 * one nothing is called then.
 */
#include "analyzer/load/record_ids.h"

#include "formats/base/status.h"

/* What table a letter's numbers are translated by; OTF2_MAPPING_MAX: by none. */
MW_INLINE OTF2_MappingType mapping_of(char letter)
{
    switch (letter) {
    case 's':
        return OTF2_MAPPING_STRING;
    case 'r':
        return OTF2_MAPPING_REGION;
    case 'g':
        return OTF2_MAPPING_GROUP;
    case 'm':
        return OTF2_MAPPING_METRIC;
    case 'c':
        return OTF2_MAPPING_COMM;
    case 'p':
        return OTF2_MAPPING_PARAMETER;
    case 'w':
        return OTF2_MAPPING_RMA_WIN;
    case 'x':
        return OTF2_MAPPING_CALLING_CONTEXT;
    case 'i':
        return OTF2_MAPPING_INTERRUPT_GENERATOR;
    case 'f':
        return OTF2_MAPPING_IO_FILE;
    case 'h':
        return OTF2_MAPPING_IO_HANDLE;
    default:
        return OTF2_MAPPING_MAX;
    }
}

MW_INLINE void translate_fields(struct mwa_record *record, mwa_translate translate,
                                const void *tables, const char *fields, unsigned count)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < count; i++) {
        const OTF2_MappingType kind = mapping_of(fields[i]);

        if (kind != OTF2_MAPPING_MAX) {
            record->fields[i] = (uint32_t)translate(tables, kind, record->fields[i]);
        }
    }
}

void mwa_ids_translate(struct mwa_record *record, mwa_translate translate, const void *tables)
{
    switch (record->type) {
#define MWA_RECORD(number, NAME, name, form, fields)                                               \
    case number:                                                                                   \
        translate_fields(record, translate, tables, fields, sizeof fields - 1);                    \
        break;
#include "analyzer/load/event_records.def"
    default:
        break;
    }
}

OTF2_MappingType mwa_ids_of_type(unsigned type)
{
    static const uint8_t mappings[] = {
        [OTF2_TYPE_STRING] = OTF2_MAPPING_STRING,
        [OTF2_TYPE_ATTRIBUTE] = OTF2_MAPPING_ATTRIBUTE,
        [OTF2_TYPE_LOCATION] = OTF2_MAPPING_LOCATION,
        [OTF2_TYPE_REGION] = OTF2_MAPPING_REGION,
        [OTF2_TYPE_GROUP] = OTF2_MAPPING_GROUP,
        [OTF2_TYPE_METRIC] = OTF2_MAPPING_METRIC,
        [OTF2_TYPE_COMM] = OTF2_MAPPING_COMM,
        [OTF2_TYPE_PARAMETER] = OTF2_MAPPING_PARAMETER,
        [OTF2_TYPE_RMA_WIN] = OTF2_MAPPING_RMA_WIN,
        [OTF2_TYPE_SOURCE_CODE_LOCATION] = OTF2_MAPPING_SOURCE_CODE_LOCATION,
        [OTF2_TYPE_CALLING_CONTEXT] = OTF2_MAPPING_CALLING_CONTEXT,
        [OTF2_TYPE_INTERRUPT_GENERATOR] = OTF2_MAPPING_INTERRUPT_GENERATOR,
        [OTF2_TYPE_IO_FILE] = OTF2_MAPPING_IO_FILE,
        [OTF2_TYPE_IO_HANDLE] = OTF2_MAPPING_IO_HANDLE,
        [OTF2_TYPE_LOCATION_GROUP] = OTF2_MAPPING_LOCATION_GROUP
    };

    return type >= OTF2_TYPE_STRING && type < sizeof mappings ? mappings[type] : OTF2_MAPPING_MAX;
}
