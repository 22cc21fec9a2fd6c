/*
 * Events are made of spools by each process alone. What is to be known of its definitions goes into
 * a bundle record by record, since most records of a rank are those of others as well.
 */
#include "formats/archive/archive_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"
#include "formats/spool/definition_layout.h"
#include "formats/spool/tallies.h"

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

/* Adds the definitions file of a spool to its message, record by record. */
static enum mw_status bundle_image(struct mw_bundle *bundle, int descriptor, uint64_t bytes,
                                   const char *path, struct mw_diagnostic *diagnostic)
{
    char *image = malloc(bytes);
    enum mw_status status = image ? mw_file_read(descriptor, image, bytes, 0, path, diagnostic)
                                  : no_memory(diagnostic);
    uint64_t offset = 0;

    while (status == MW_OK && offset < bytes) {
        uint64_t piece = mw_definition_piece(image + offset, bytes - offset, offset == 0);

        mw_bundle_add(bundle, image + offset, piece);
        offset += piece;
    }
    free(image);
    return status;
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
    struct mw_spool_report report = {.rank = directory->rank,
                                     .location_count = directory->thread_count};
    struct mw_bundle *bundle = &archiving->bundle;
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
    mw_bundle_begin(bundle);
    mw_bundle_add(bundle, &report, sizeof report);
    mw_bundle_add(bundle, stats, directory->thread_count * sizeof *stats);
    mw_bundle_add(bundle, tallies.data, tallies.bytes);
    if (report.image_bytes > 0) {
        status = bundle_image(bundle, descriptor, report.image_bytes, path, diagnostic);
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

    struct mw_process_report report = {.used = archiving->used,
                                       .spool_count = archiving->directory_count};

    mw_host_key_own(&report.host);
    mw_bundle_begin(&archiving->bundle);
    mw_bundle_add(&archiving->bundle, &report, sizeof report);
    for (uint32_t i = 0; i < archiving->directory_count; i++) {
        const struct mw_spool_directory *directory = &archiving->directories[i];
        enum mw_status status = report_spool(archiving, directory, stats, diagnostic);

        if (status != MW_OK) {
            return status;
        }
        stats += directory->thread_count;
    }
    return archiving->bundle.failed ? no_memory(diagnostic) : MW_OK;
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
