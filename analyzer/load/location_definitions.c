/*
 * libotf2 clears a buffer of a definition chunk's size, 4 MiB in mpiwatch's archives, for each
 * location that it reads the definitions of; as a rule these are two offsets. Here is read what is
 * of use to events, chunk by chunk; all records are checked as they are before libotf2 gets them.
 */
#include "analyzer/load/location_definitions.h"

#include <stdlib.h>

#include <otf2/OTF2_IdMap.h>

#include "analyzer/load/chunk.h"
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_layout.h"
#include "analyzer/model/map.h"

#define MAPPING_TABLE  5u
#define CLOCK_OFFSET   6u

/* A chunk on the way, checked so that fields are within their records and these within it. */
struct reading {
    struct mwa_local_definitions *local;
    const unsigned char *at;
    const unsigned char *end;
    bool big_endian;
    bool no_memory;
    const char *wrong;
};

static bool put(struct mwa_id_table *table, uint64_t *capacity, uint64_t id)
{
    if (!mwa_grow(&table->ids, capacity, table->count + 1, sizeof *table->ids)) {
        return false;
    }
    table->ids[table->count++] = id;
    return true;
}

/* Of an id that comes twice, the last is meant. */
static bool put_pair(struct mwa_id_table *table, uint64_t *capacity, uint64_t id, uint64_t global)
{
    if (table->count > 0 && table->ids[table->count - 2] == id) {
        table->ids[table->count - 1] = global;
        return true;
    }
    return put(table, capacity, id) && put(table, capacity, global);
}

static void take_table(struct reading *reading, const unsigned char *at, const unsigned char *end)
{
    const unsigned type = *at++;
    struct mwa_id_table unknown = { 0 };
    struct mwa_id_table *table =
        type < OTF2_MAPPING_MAX ? &reading->local->tables[type] : &unknown;
    uint64_t count = 0, capacity = 0, id = 0, global = 0;
    unsigned mode;

    at = mwa_otf2_take(at, end, reading->big_endian, &count);
    mode = *at++;
    if (table->count > 0 || count == 0 || mode > OTF2_ID_MAP_SPARSE) {
        reading->wrong = table->count > 0 ? "a table of numbers comes twice"
                                          : "a table of numbers has none, or is of no kind";
        return;
    }
    table->is_sparse = mode == OTF2_ID_MAP_SPARSE;
    for (uint64_t i = 0; i < count && !reading->no_memory; i++) {
        at = mwa_otf2_take(at, end, reading->big_endian, &id);
        if (table->is_sparse) {
            at = mwa_otf2_take(at, end, reading->big_endian, &global);
            reading->no_memory = !put_pair(table, &capacity, id, global);
        } else {
            reading->no_memory = !put(table, &capacity, id);
        }
    }
    reading->local->has_tables |= table != &unknown;
    free(unknown.ids);
}

static void take_offset(struct reading *reading, const unsigned char *at, const unsigned char *end)
{
    struct mwa_clock_correction *clock = &reading->local->clock;
    uint64_t time = mwa_otf2_value(at, 8, reading->big_endian);
    uint64_t offset = 0;

    mwa_otf2_take(at + 8, end, reading->big_endian, &offset);
    if (clock->is_open && time <= clock->open.begin) {
        reading->wrong = "an offset of the clock is not later than the one before";
    } else {
        reading->no_memory = !mwa_clock_correction_add(clock, time, (int64_t)offset);
    }
}

/* All records; at stays at one that is wrong, or at what ends them. */
static void take_records(struct reading *reading)
{
    while (!reading->wrong && !reading->no_memory && *reading->at != MWA_FILE_END &&
           *reading->at != MWA_CHUNK_END) {
        const unsigned type = reading->at[0];
        uint64_t length;
        const unsigned char *fields =
            mwa_otf2_length(reading->at + 1, reading->end, reading->big_endian, &length);

        if (type == MAPPING_TABLE) {
            take_table(reading, fields, fields + length);
        } else if (type == CLOCK_OFFSET) {
            take_offset(reading, fields, fields + length);
        }
        reading->at = reading->wrong ? reading->at : fields + length;
    }
}

/* What is read of a file, a chunk at a time. */
struct source {
    FILE *stream;
    const struct mwa_stream_log *log;
    struct mwa_chunk_state state;
    unsigned char *bytes;
    size_t chunk;    /* bytes of each but the last */
    uint64_t offset; /* of the next one in the file */
};

/* The chunk that follows. \return MW_OK; MW_END: it was the last one. */
static enum mw_status take_chunk(struct source *source, struct mwa_local_definitions *local,
                                 struct mw_diagnostic *diagnostic)
{
    struct reading reading = { .local = local };
    const unsigned char *bytes = source->bytes;
    const size_t got = fread(source->bytes, 1, source->chunk, source->stream);
    size_t at = 0;

    if (source->log->fault.status != MW_OK) {
        return mwa_otf2_fail(source->log, "the local definitions can't be read", diagnostic);
    }
    reading.wrong =
        mwa_chunk_check(MWA_CHUNK_LOCAL_DEFINITIONS, &source->state, bytes, got, &at);
    if (!reading.wrong && bytes[1] != MWA_LITTLE_ENDIAN && bytes[1] != MWA_BIG_ENDIAN) {
        at = 0;
        reading.wrong = "the byte order of a chunk is none";
    }
    if (!reading.wrong) {
        reading.at = bytes + MWA_CHUNK_HEAD;
        reading.end = bytes + got;
        reading.big_endian = bytes[1] == MWA_BIG_ENDIAN;
        take_records(&reading);
        at = (size_t)(reading.at - bytes);
    }
    if (reading.no_memory) {
        return mw_no_memory(diagnostic, source->log->last, "for the definitions of a location");
    }
    if (reading.wrong) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, source->log->last, source->offset + at, "%s",
                       reading.wrong);
    }
    source->offset += source->chunk;
    return *reading.at == MWA_FILE_END ? MW_END : MW_OK;
}

enum mw_status mwa_local_definitions_read(struct mwa_files *files, uint64_t location,
                                          uint64_t chunk, struct mwa_local_definitions *local,
                                          struct mw_diagnostic *diagnostic)
{
    struct source source = { .log = mwa_files_log(files) };
    enum mw_status status = MW_OK;
    char name[512];
    uint64_t size;

    *local = (struct mwa_local_definitions){ 0 };
    mwa_files_local_name(files, location, "def", name, sizeof name);
    if (!mwa_files_size(files, name, &size)) {
        return MW_OK; /* odd, but readable */
    }
    source.chunk = (size_t)(size < chunk ? size : chunk);
    source.bytes = malloc(source.chunk + 1);
    if (!source.bytes) {
        return mw_no_memory(diagnostic, mwa_files_path(files), "for the definitions of a location");
    }
    source.stream = mwa_files_stream(files, name);
    if (!source.stream) {
        status = mwa_otf2_fail(source.log, "the local definitions can't be read", diagnostic);
    }
    while (status == MW_OK) {
        status = take_chunk(&source, local, diagnostic);
    }
    if (source.stream) {
        fclose(source.stream);
    }
    free(source.bytes);
    if (status != MW_END) {
        mwa_local_definitions_fini(local);
        return status;
    }
    return MW_OK;
}

void mwa_local_definitions_fini(struct mwa_local_definitions *local)
{
    for (unsigned i = 0; i < OTF2_MAPPING_MAX; i++) {
        free(local->tables[i].ids);
    }
    mwa_clock_correction_fini(&local->clock);
    *local = (struct mwa_local_definitions){ 0 };
}

uint64_t mwa_local_translate(const void *local, OTF2_MappingType kind, uint64_t id)
{
    const struct mwa_id_table *table =
        &((const struct mwa_local_definitions *)local)->tables[kind];
    uint64_t low = 0, high = table->count / 2;

    if (!table->is_sparse) {
        return id < table->count ? table->ids[id] : id;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (table->ids[2 * middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < table->count / 2 && table->ids[2 * low] == id ? table->ids[2 * low + 1] : id;
}
