#include "formats/archive/archive_steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/output_name.h"

/* What is told to rank 0 of each spool. */
struct spool_summary {
    uint32_t rank;
    uint32_t world_size;
    uint32_t thread_count;
    uint32_t comm_count;
    uint64_t gone; /* not 0: there is no spool, but so many calls were in it */
};

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to plan the archive");
}

enum mw_status mw_step_look(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_archive_job *job = archiving->job;
    uint32_t count = job->spool_count;

    archiving->directories = calloc(count > 0 ? count : 1, sizeof *archiving->directories);
    if (!archiving->directories) {
        return no_memory(diagnostic);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct mw_spool_directory *directory = &archiving->directories[i];
        enum mw_status status =
            mw_spool_directory_load(directory, job->spools[i], job->nonce, job->salvage,
                                    diagnostic);

        if (status != MW_OK) {
            return status;
        }
        archiving->directory_count++;
        archiving->location_count += directory->thread_count;
        struct spool_summary summary = {directory->rank, directory->world_size,
                                        directory->thread_count, directory->known.comm_count, 0};

        mw_buffer_append(&archiving->message, &summary, sizeof summary);
    }
    if (job->gone > 0) {
        struct spool_summary summary = {.rank = job->rank, .gone = job->gone};

        mw_buffer_append(&archiving->message, &summary, sizeof summary);
    }
    return archiving->message.failed ? no_memory(diagnostic) : MW_OK;
}

enum mw_status mw_step_gather(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    enum mw_status status =
        transport->gather(transport->context, archiving->message.data,
                          archiving->message.bytes, &archiving->parts, diagnostic);

    mw_buffer_fini(&archiving->message);
    return status;
}

/* Calls with each summary that was gathered; stops at the first that is not MW_OK. */
static enum mw_status each_summary(const struct mw_parts *parts,
                                   enum mw_status (*visit)(const struct spool_summary *summary,
                                                           void *context,
                                                           struct mw_diagnostic *diagnostic),
                                   void *context, struct mw_diagnostic *diagnostic)
{
    struct spool_summary summary;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; status == MW_OK && i < parts->count; i++) {
        struct mw_cursor cursor = {parts->parts[i], parts->sizes[i]};

        while (status == MW_OK && mw_cursor_take(&cursor, &summary, sizeof summary)) {
            status = visit(&summary, context, diagnostic);
        }
    }
    return status;
}

struct census {
    uint32_t world_size;
    uint64_t locations;
    uint32_t comm_count_max;
    struct presence {
        bool is_there;
        uint64_t gone;
    } *ranks;
};

static enum mw_status count_spool(const struct spool_summary *summary, void *context,
                                  struct mw_diagnostic *diagnostic)
{
    struct census *census = context;

    if (summary->gone > 0) {
        return MW_OK;
    }
    if (summary->world_size > census->world_size) {
        census->world_size = summary->world_size;
    }
    if (summary->world_size == 0 && summary->rank >= census->world_size) {
        census->world_size = summary->rank + 1; /* it died before it knew */
    }
    census->locations += summary->thread_count;
    if (summary->comm_count > census->comm_count_max) {
        census->comm_count_max = summary->comm_count;
    }
    return MW_OK;
}

static enum mw_status check_spool(const struct spool_summary *summary, void *context,
                                  struct mw_diagnostic *diagnostic)
{
    struct census *census = context;

    if (summary->world_size != 0 && summary->world_size != census->world_size) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "spools of runs with %" PRIu32 " and with %" PRIu32 " ranks",
                       summary->world_size, census->world_size);
    }
    if (summary->rank >= census->world_size || census->ranks[summary->rank].is_there) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "%s spool of rank %" PRIu32,
                       summary->rank < census->world_size ? "a second" : "an impossible",
                       summary->rank);
    }
    census->ranks[summary->rank] =
        (struct presence){.is_there = summary->gone == 0, .gone = summary->gone};
    return MW_OK;
}

/* The ranks that left no spool get empty locations, so that every rank has its place. */
static enum mw_status list_absent(struct mw_archiving *archiving, const struct census *census,
                                  struct mw_diagnostic *diagnostic)
{
    archiving->absent = malloc(census->world_size * sizeof *archiving->absent);
    if (!archiving->absent) {
        return no_memory(diagnostic);
    }
    for (uint32_t rank = 0; rank < census->world_size; rank++) {
        if (!census->ranks[rank].is_there) {
            archiving->absent[archiving->absent_count++] =
                (struct mw_absent_rank){.rank = rank, .gone = census->ranks[rank].gone};
        }
    }
    return MW_OK;
}

/*
 * A record has to fit into a chunk: a group has up to 9 bytes for each member, the
 * mapping table of a location up to 5 for each communicator.
 */
static uint64_t definition_chunk_bytes(const struct census *census, uint32_t absent)
{
    uint64_t locations = 10 * (census->locations + absent);
    uint64_t comms = 10 * (uint64_t)census->comm_count_max;
    uint64_t bytes = MW_DEFINITION_CHUNK_BYTES_MIN;

    bytes = locations > bytes ? locations : bytes;
    bytes = comms > bytes ? comms : bytes;
    return bytes < MW_DEFINITION_CHUNK_BYTES_MAX ? bytes : MW_DEFINITION_CHUNK_BYTES_MAX;
}

enum mw_status mw_step_plan(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_archive_job *job = archiving->job;
    struct census census = {0};
    enum mw_status status;

    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    status = each_summary(&archiving->parts, count_spool, &census, diagnostic);
    if (status != MW_OK || census.world_size == 0) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there are no spools to make an archive of");
    }
    census.ranks = calloc(census.world_size, sizeof *census.ranks);
    status = census.ranks ? each_summary(&archiving->parts, check_spool, &census, diagnostic)
                          : no_memory(diagnostic);
    if (status == MW_OK) {
        status = list_absent(archiving, &census, diagnostic);
    }
    if (status == MW_OK) {
        archiving->plan.world_size = census.world_size;
        archiving->plan.site_form = job->site_form;
        archiving->plan.definition_chunk_bytes =
            definition_chunk_bytes(&census, archiving->absent_count);
        status =
            mw_output_choose(job->output, job->nonce, archiving->plan.partial, diagnostic);
    }
    free(census.ranks);
    mw_parts_fini(&archiving->parts);
    return status;
}

enum mw_status mw_step_broadcast_plan(struct mw_archiving *archiving,
                                      struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;

    return transport->broadcast(transport->context, &archiving->plan, sizeof archiving->plan,
                                diagnostic);
}

/* Adds the ranks without a spool to rank 0's directories. */
static enum mw_status adopt_absent(struct mw_archiving *archiving,
                                   struct mw_diagnostic *diagnostic)
{
    size_t count = archiving->directory_count + (size_t)archiving->absent_count;
    struct mw_spool_directory *grown =
        realloc(archiving->directories, (count > 0 ? count : 1) * sizeof *grown);

    if (!grown) {
        return no_memory(diagnostic);
    }
    archiving->directories = grown;
    for (uint32_t i = 0; i < archiving->absent_count; i++) {
        enum mw_status status =
            mw_spool_directory_absent(&grown[archiving->directory_count],
                                      archiving->absent[i].rank, archiving->absent[i].gone,
                                      diagnostic);

        if (status != MW_OK) {
            return status;
        }
        archiving->directory_count++;
        archiving->location_count++;
    }
    return MW_OK;
}

enum mw_status mw_step_begin(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_archive_job *job = archiving->job;
    struct mw_pack *pack = &archiving->pack;
    uint32_t count = archiving->location_count + archiving->absent_count;
    char path[4096];
    enum mw_status status;

    pack->operations = job->format == MW_ARCHIVE_ZIP ? &mw_pack_zip : &mw_pack_directory;
    pack->transport = archiving->transport;
    pack->nonce = job->nonce;
    pack->level = job->level;
    memcpy(pack->partial, archiving->plan.partial, sizeof pack->partial);
    archiving->stats = calloc(count > 0 ? count : 1, sizeof *archiving->stats);
    if (!archiving->stats) {
        return no_memory(diagnostic);
    }
    status = adopt_absent(archiving, diagnostic);
    if (status == MW_OK) {
        status = mw_scratch_create(&pack->scratch, job->scratch, diagnostic);
    }
    if (status == MW_OK) {
        status = mw_path_join(path, pack->scratch.path, "otf2", diagnostic);
    }
    if (status == MW_OK) {
        status = mw_otf2_init(&archiving->output, path,
                              archiving->plan.definition_chunk_bytes, mw_pack_take, pack,
                              diagnostic);
    }
    return status == MW_OK ? pack->operations->begin(pack, diagnostic) : status;
}

enum mw_status mw_step_join(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    return archiving->pack.operations->join(&archiving->pack, diagnostic);
}
