#include "formats/archive/archive_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/archive/global_definitions.h"
#include "formats/archive/resolve_sites.h"
#include "formats/base/file.h"
#include "formats/spool/tallies.h"

/* What goes to rank 0 of each process, before what is of its spools. */
struct process_report {
    struct mw_host_key host;
    struct mw_call_set used;
};

/* What goes to rank 0 of each spool: this, the locations' stats, tallies, the definitions. */
struct spool_report {
    uint32_t rank;
    uint32_t location_count;
    uint32_t damaged;     /* 1: some tallies can't be read */
    uint64_t tally_bytes; /* of what the definitions should have told and don't */
    uint64_t image_bytes; /* 0: there is no spool */
};

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to write the archive");
}

/* --- events --------------------------------------------------------------------- */

/* Makes the events of a thread a member of the archive. */
static enum mw_status replay_location(struct mw_archiving *archiving,
                                      const struct mw_spool_directory *directory,
                                      uint32_t thread, struct mw_location_stats *stats,
                                      struct mw_diagnostic *diagnostic)
{
    char name[64];
    enum mw_status status;

    snprintf(name, sizeof name, "traces/%" PRIu64 ".evt",
             mw_location_of(directory->rank, directory->threads[thread]));
    status = archiving->pack.operations->open(&archiving->pack, name, false, diagnostic);
    return status == MW_OK ? mw_replay(&archiving->output, directory, thread,
                                       archiving->plan.site_form, stats, &archiving->used,
                                       diagnostic)
                           : status;
}

static enum mw_status replay_locations(struct mw_archiving *archiving,
                                       struct mw_diagnostic *diagnostic)
{
    struct mw_location_stats *stats = archiving->stats;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < archiving->directory_count; i++) {
        const struct mw_spool_directory *directory = &archiving->directories[i];

        for (uint32_t thread = 0; status == MW_OK && thread < directory->thread_count; thread++) {
            status = replay_location(archiving, directory, thread, stats++, diagnostic);
        }
    }
    return status;
}

/* Puts the definitions file of a spool at the end of the message as it is. */
static enum mw_status append_image(struct mw_buffer *message, int descriptor, uint64_t bytes,
                                   const char *path, struct mw_diagnostic *diagnostic)
{
    char *image = mw_buffer_extend(message, bytes);

    return image ? mw_file_read(descriptor, image, bytes, 0, path, diagnostic)
                 : no_memory(diagnostic);
}

/*
 * Counts of filtered calls that only their own files have, since the process was killed.
 * Damaged ones are left out in a spool that is to be salvaged.
 */
static enum mw_status gather_tallies(const struct mw_archiving *archiving,
                                     const struct mw_spool_directory *directory,
                                     struct mw_buffer *tallies, uint32_t *damaged,
                                     struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;
    char path[4096];

    if (!directory->path || directory->tells_filtered) {
        return MW_OK;
    }
    for (uint32_t i = 0; status == MW_OK && i < directory->thread_count; i++) {
        snprintf(path, sizeof path, "%s/%" PRIu32 ".filtered", directory->path,
                 directory->threads[i]);
        status = mw_tallies_read(path, archiving->job->nonce, tallies, diagnostic);
        if (status == MW_ERROR_FORMAT && directory->salvage) {
            *damaged = 1;
            status = MW_OK;
        }
    }
    return status;
}

static enum mw_status report_spool(struct mw_archiving *archiving,
                                   const struct mw_spool_directory *directory,
                                   const struct mw_location_stats *stats,
                                   struct mw_diagnostic *diagnostic)
{
    struct spool_report report = {.rank = directory->rank,
                                  .location_count = directory->thread_count};
    struct mw_buffer tallies = {0};
    char path[4096];
    int descriptor = -1;
    enum mw_status status = gather_tallies(archiving, directory, &tallies, &report.damaged,
                                           diagnostic);

    if (status != MW_OK) {
        goto out;
    }
    report.tally_bytes = tallies.bytes;
    if (directory->path) {
        snprintf(path, sizeof path, "%s/definitions", directory->path);
        status = mw_file_open_regular(path, "the definitions", &descriptor, diagnostic);
        if (status != MW_OK) {
            goto out;
        }
        report.image_bytes = mw_file_bytes_without_hole(descriptor);
    }
    mw_buffer_append(&archiving->message, &report, sizeof report);
    mw_buffer_append(&archiving->message, stats, directory->thread_count * sizeof *stats);
    mw_buffer_append(&archiving->message, tallies.data, tallies.bytes);
    if (report.image_bytes > 0) {
        status = append_image(&archiving->message, descriptor, report.image_bytes, path,
                              diagnostic);
    }
out:
    if (descriptor >= 0) {
        close(descriptor);
    }
    mw_buffer_fini(&tallies);
    return status;
}

static enum mw_status report_spools(struct mw_archiving *archiving,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mw_location_stats *stats = archiving->stats;

    struct process_report report = {.used = archiving->used};

    mw_host_key_own(&report.host);
    mw_buffer_append(&archiving->message, &report, sizeof report);
    for (uint32_t i = 0; i < archiving->directory_count; i++) {
        const struct mw_spool_directory *directory = &archiving->directories[i];
        enum mw_status status = report_spool(archiving, directory, stats, diagnostic);

        if (status != MW_OK) {
            return status;
        }
        stats += directory->thread_count;
    }
    return archiving->message.failed ? no_memory(diagnostic) : MW_OK;
}

enum mw_status mw_step_replay(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    struct mw_otf2_output *output = &archiving->output;
    enum mw_status status = mw_otf2_check(output, OTF2_Archive_OpenEvtFiles(output->events),
                                          "open event files", diagnostic);

    if (status == MW_OK) {
        status = replay_locations(archiving, diagnostic);
    }
    if (status == MW_OK) {
        status = mw_otf2_check(output, OTF2_Archive_CloseEvtFiles(output->events),
                               "close event files", diagnostic);
    }
    return status == MW_OK ? report_spools(archiving, diagnostic) : status;
}

/* --- definitions ------------------------------------------------------------------ */

enum mw_status mw_step_gather(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    enum mw_status status =
        transport->gather(transport->context, archiving->message.data,
                          archiving->message.bytes, &archiving->parts, diagnostic);

    mw_buffer_fini(&archiving->message);
    return status;
}

/* Takes the next spool's report and goes past what follows it. */
static bool take_report(struct mw_cursor *cursor, struct spool_report *report,
                        const char **stats)
{
    size_t bytes;

    if (!mw_cursor_take(cursor, report, sizeof *report)) {
        return false;
    }
    bytes = report->location_count * sizeof(struct mw_location_stats) + report->tally_bytes +
            report->image_bytes;
    *stats = cursor->next;
    if (cursor->left < bytes) {
        return false;
    }
    cursor->next += bytes;
    cursor->left -= bytes;
    return true;
}

/* Finds the spools in what a process reported; used is added up. */
static bool take_reports(struct mw_archiving *archiving, uint32_t number,
                         struct mw_merge_part *parts)
{
    char *data = archiving->parts.parts[number];
    struct mw_cursor cursor = {data, archiving->parts.sizes[number]};
    struct process_report process;
    struct spool_report report;
    const char *stats;

    if (!mw_cursor_take(&cursor, &process, sizeof process)) {
        return false;
    }
    archiving->lookup.keys[number] = process.host;
    for (size_t i = 0; i < sizeof process.used.bits; i++) {
        archiving->merged.used.bits[i] =
            (uint8_t)(archiving->merged.used.bits[i] | process.used.bits[i]);
    }
    while (take_report(&cursor, &report, &stats)) {
        const char *tallies = stats + report.location_count * sizeof *archiving->stats;
        char *image = data + (tallies - data) + report.tally_bytes;

        if (report.rank >= archiving->plan.world_size) {
            return false;
        }
        archiving->lookup.ranks[report.rank] = number;
        parts[report.rank] = (struct mw_merge_part){
            .rank = report.rank,
            .image = report.image_bytes > 0 ? image : NULL,
            .image_bytes = report.image_bytes,
            .salvage = archiving->job->salvage,
            .where = "definitions",
            .locations = stats,
            .location_count = report.location_count,
            .damaged = report.damaged != 0,
            .tallies = tallies,
            .tally_count = (uint32_t)(report.tally_bytes / sizeof(struct mw_tally)),
        };
    }
    return cursor.left == 0;
}

static enum mw_status merge_parts(struct mw_archiving *archiving, struct mw_merge_part *parts,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < archiving->parts.count; i++) {
        if (!take_reports(archiving, i, parts)) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                           "process %" PRIu32 " sent what can't be understood", i);
        }
    }
    for (uint32_t rank = 0; status == MW_OK && rank < archiving->plan.world_size; rank++) {
        status = mw_merge_add(&archiving->merged, &parts[rank], diagnostic);
        if (status != MW_OK && diagnostic) {
            diagnostic->rank = (int)rank;
        }
    }
    return status == MW_OK ? mw_merge_finish(&archiving->merged, diagnostic) : status;
}

/* Of ranks without a word of their own, what is known by others. */
static void take_lost_hosts(struct mw_merged *merged, const struct mw_archive_job *job)
{
    for (uint32_t rank = 0; rank < merged->rank_count && rank < job->host_count; rank++) {
        if (!merged->ranks[rank].has_process) {
            merged->ranks[rank].lost_host = job->hosts[rank];
        }
    }
}

/*
 * What a process needs to define: regions; communicators, the threads' contingent, metrics,
 * objects, sites, the program's own words, sets of sources, and its host's clock, of each spool.
 */
static void append_numbers(const struct mw_archiving *archiving, uint32_t process,
                           const uint32_t regions[MW_CALL_COUNT], struct mw_buffer *numbers)
{
    struct mw_cursor cursor = {archiving->parts.parts[process],
                               archiving->parts.sizes[process]};
    uint32_t first_site = mw_region_count(&archiving->merged.used);
    uint32_t first_region = first_site + archiving->merged.sites.place_count;
    struct process_report process_report;
    struct spool_report report;
    const char *stats;

    mw_buffer_append(numbers, regions, MW_CALL_COUNT * sizeof *regions);
    if (!mw_cursor_take(&cursor, &process_report, sizeof process_report)) {
        return;
    }
    while (take_report(&cursor, &report, &stats)) {
        const struct mw_merged_rank *rank = &archiving->merged.ranks[report.rank];

        mw_buffer_append(numbers, &rank->comm_count, sizeof rank->comm_count);
        mw_buffer_append(numbers, rank->comms, rank->comm_count * sizeof *rank->comms);
        mw_buffer_append(numbers, &rank->contingent, sizeof rank->contingent);
        mw_buffer_append(numbers, &rank->metric_count, sizeof rank->metric_count);
        mw_buffer_append(numbers, rank->metrics, rank->metric_count * sizeof *rank->metrics);
        mw_object_map_append(&rank->objects, numbers);
        mw_site_map_append(&rank->sites, &archiving->merged.sites, first_site, numbers);
        mw_user_map_append(&rank->user, first_region, numbers);
        mw_source_map_append(&rank->sources, MW_GROUP_FIRST, numbers);
        mw_buffer_append(numbers, &rank->clock_count, sizeof rank->clock_count);
        mw_buffer_append(numbers, rank->clock, rank->clock_count * sizeof *rank->clock);
    }
}

/* Prepares what is to be scattered. */
static enum mw_status number_all(struct mw_archiving *archiving,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_parts *scattered = &archiving->scattered;
    uint32_t count = archiving->parts.count;
    uint32_t regions[MW_CALL_COUNT];
    struct mw_buffer numbers = {0};
    uint64_t offset = 0;

    (void)mw_region_ids(&archiving->merged, regions);
    scattered->count = count;
    scattered->sizes = calloc(count, sizeof *scattered->sizes);
    scattered->parts = calloc(count, sizeof *scattered->parts);
    for (uint32_t i = 0; scattered->sizes && i < count; i++) {
        size_t before = numbers.bytes;

        append_numbers(archiving, i, regions, &numbers);
        scattered->sizes[i] = numbers.bytes - before;
    }
    scattered->data = numbers.data; /* ours to free through the parts from here on */
    if (!scattered->sizes || !scattered->parts || numbers.failed) {
        return no_memory(diagnostic);
    }
    for (uint32_t i = 0; i < count; i++) {
        scattered->parts[i] = scattered->data + offset;
        offset += scattered->sizes[i];
    }
    return MW_OK;
}

enum mw_status mw_step_merge(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    struct mw_lookup *lookup = &archiving->lookup;
    struct mw_merge_part *parts;
    enum mw_status status;

    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    status = mw_merged_init(&archiving->merged, archiving->plan.world_size, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    archiving->merged.sites.are_attributes = archiving->plan.site_form == MW_SITES_ATTRIBUTE;
    lookup->keys = calloc(archiving->parts.count, sizeof *lookup->keys);
    lookup->ranks = calloc(archiving->plan.world_size, sizeof *lookup->ranks);
    parts = calloc(archiving->plan.world_size, sizeof *parts);
    status = parts && lookup->keys && lookup->ranks ? merge_parts(archiving, parts, diagnostic)
                                                    : no_memory(diagnostic);
    free(parts);
    take_lost_hosts(&archiving->merged, archiving->job);
    return status;
}

enum mw_status mw_step_number(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    if (!mw_lookup_take(archiving)) {
        return no_memory(diagnostic);
    }
    status = mw_sites_finish(&archiving->merged.sites, diagnostic);
    return status == MW_OK ? number_all(archiving, diagnostic) : status;
}

enum mw_status mw_step_scatter(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    enum mw_status status =
        transport->scatter(transport->context, &archiving->scattered, &archiving->numbers,
                           &archiving->number_bytes, diagnostic);

    mw_parts_fini(&archiving->scattered);
    return status;
}
