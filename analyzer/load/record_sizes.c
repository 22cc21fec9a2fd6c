#include "analyzer/load/record_sizes.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/anchor.h"
#include "analyzer/load/chunk.h"
#include "analyzer/load/event_record.h"
#include "analyzer/load/files.h"

#define SUFFIX ".evt"

/* Counts the events of one file, chunk by chunk. */
static enum mw_status read_events(struct mwa_files *files, const char *name, unsigned char *chunk,
                                  size_t chunk_bytes, struct mwa_chunk_counts *counts)
{
    struct mwa_chunk_state state = { .counts = counts };
    FILE *stream = mwa_files_stream(files, name);
    const char *wrong = NULL;
    size_t offset;
    size_t got;

    if (!stream) {
        return mwa_files_log(files)->fault.status;
    }
    while (!wrong && (got = fread(chunk, 1, chunk_bytes, stream)) > 0) {
        wrong = mwa_chunk_check(MWA_CHUNK_EVENTS, &state, chunk, got, &offset);
    }
    fclose(stream);
    return wrong ? MW_ERROR_FORMAT : mwa_files_log(files)->fault.status;
}

/* The bytes of all files, told one by one. */
struct adding {
    const struct mwa_files *files;
    struct mwa_record_sizes *sizes;
};

static void add_file(struct mwa_record_sizes *sizes, const char *name, uint64_t bytes,
                     uint64_t stored)
{
    size_t length = strlen(name);
    bool is_of_events = length > strlen(SUFFIX) &&
                        strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0;

    *(is_of_events ? &sizes->event_bytes : &sizes->other_bytes) += bytes;
    *(is_of_events ? &sizes->event_stored_bytes : &sizes->other_stored_bytes) += stored;
}

static void add_plain(void *user, const char *name)
{
    const struct adding *adding = user;
    uint64_t bytes = 0;

    (void)mwa_files_size(adding->files, name, &bytes);
    add_file(adding->sizes, name, bytes, bytes);
}

static void add_files(const struct mwa_files *files, struct mwa_record_sizes *sizes)
{
    const struct mwa_zip *zip = mwa_files_zip(files);
    struct adding adding = { files, sizes };

    if (!zip) {
        mwa_files_walk(files, add_plain, &adding);
        return;
    }
    for (uint64_t i = 0; i < mwa_zip_count(zip); i++) {
        const struct mwa_zip_member *member = mwa_zip_member(zip, i);

        add_file(sizes, member->name, member->size, member->compressed_size);
    }
}

/* The kinds that there are; what no record has is left. */
static enum mw_status list(const struct mwa_chunk_counts *counts, struct mwa_record_sizes *sizes)
{
    sizes->records = calloc(MWA_CHUNK_TYPES, sizeof *sizes->records);
    if (!sizes->records) {
        return MW_ERROR_MEMORY;
    }
    sizes->rest_bytes = sizes->event_bytes;
    for (unsigned type = 0; type < MWA_CHUNK_TYPES; type++) {
        const char *name = mwa_record_name(type);

        if (counts->records[type] > 0) {
            sizes->records[sizes->count++] = (struct mwa_record_size){
                name ? name : "of no known kind", counts->records[type], counts->bytes[type]
            };
            sizes->rest_bytes -= counts->bytes[type];
        }
    }
    return MW_OK;
}

/* Those of locations; a file of events that no location has, libotf2 does not read either. */
static enum mw_status read_locations(const struct mwa_trace *trace, struct mwa_files *files,
                                     struct mwa_record_sizes *sizes)
{
    struct mwa_chunk_counts counts = { { 0 }, { 0 } };
    size_t chunk_bytes = (size_t)mwa_anchor_event_chunk(files);
    unsigned char *chunk = malloc(chunk_bytes + 1);
    enum mw_status status = chunk ? MW_OK : MW_ERROR_MEMORY;
    char name[4096];
    uint64_t bytes;

    for (uint64_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        mwa_files_local_name(files, trace->locations[i].id, &SUFFIX[1], name, sizeof name);
        if (mwa_files_size(files, name, &bytes)) {
            status = read_events(files, name, chunk, chunk_bytes, &counts);
        }
    }
    free(chunk);
    return status == MW_OK ? list(&counts, sizes) : status;
}

enum mw_status mwa_record_sizes_read(const struct mwa_trace *trace, const char *path,
                                     struct mwa_record_sizes *sizes)
{
    struct mwa_files *files;
    enum mw_status status = mwa_files_open(path, &files, NULL);

    *sizes = (struct mwa_record_sizes){ .records = NULL };
    if (status != MW_OK) {
        return status;
    }
    add_files(files, sizes);
    status = read_locations(trace, files, sizes);
    mwa_files_close(files);
    return status;
}

void mwa_record_sizes_fini(struct mwa_record_sizes *sizes)
{
    free(sizes->records);
    *sizes = (struct mwa_record_sizes){ .records = NULL };
}
