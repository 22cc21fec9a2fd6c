#include "formats/archive/archive_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/archive/archive_json.h"
#include "formats/archive/global_definitions.h"
#include "formats/base/output_name.h"

/* --- definitions ------------------------------------------------------------------- */

/* Packs the file of a location's definitions and removes it. */
static enum mw_status pack_definitions(struct mw_archiving *archiving, uint64_t location,
                                       struct mw_diagnostic *diagnostic)
{
    char name[64];
    char path[4096];
    enum mw_status status;

    snprintf(name, sizeof name, "traces/%" PRIu64 ".def", location);
    status = mw_path_join(path, archiving->output.directory, name, diagnostic);
    return status == MW_OK ? mw_pack_file(&archiving->pack, path, name, false, diagnostic)
                           : status;
}

/* Writes and packs the definitions of all threads of a spool. */
static enum mw_status define_spool(struct mw_archiving *archiving,
                                   const struct mw_spool_directory *directory,
                                   const uint32_t regions[MW_CALL_COUNT],
                                   const struct mw_location_maps *maps,
                                   const struct mw_clock_point *clock, size_t clock_count,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; status == MW_OK && i < directory->thread_count; i++) {
        uint64_t location = mw_location_of(directory->rank, directory->threads[i]);

        status = mw_local_definitions_write(&archiving->output, location, maps, regions,
                                            clock, clock_count, diagnostic);
        if (status == MW_OK) {
            status = pack_definitions(archiving, location, diagnostic);
        }
    }
    return status;
}

static enum mw_status misunderstood(struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "rank 0 sent what can't be understood");
}

/* Takes a list of a spool's ids; malloc'd in *ids. */
static enum mw_status take_ids(struct mw_cursor *cursor, uint32_t **ids, uint32_t *count,
                               struct mw_diagnostic *diagnostic)
{
    *ids = NULL;
    if (!mw_cursor_take(cursor, count, sizeof *count) || *count > cursor->left / sizeof **ids) {
        return misunderstood(diagnostic);
    }
    *ids = malloc(*count > 0 ? *count * sizeof **ids : 1);
    if (!*ids) {
        return mw_no_memory(diagnostic, NULL, "to write definitions");
    }
    (void)mw_cursor_take(cursor, *ids, *count * sizeof **ids);
    return MW_OK;
}

/*
 * Takes the id of the threads' contingent and gives it a number in the map of communicators:
 * the first one that no communicator of the directory has.
 */
static enum mw_status take_contingent(struct mw_cursor *cursor,
                                      const struct mw_spool_directory *directory,
                                      uint32_t **ids, uint32_t *count,
                                      struct mw_diagnostic *diagnostic)
{
    uint32_t number = directory->known.comm_count;
    uint32_t contingent;
    uint32_t *grown;

    if (!mw_cursor_take(cursor, &contingent, sizeof contingent)) {
        return misunderstood(diagnostic);
    }
    if (contingent == MW_MERGED_NONE) {
        return MW_OK;
    }
    if (number >= *count) {
        grown = realloc(*ids, (number + 1) * sizeof *grown);
        if (!grown) {
            return mw_no_memory(diagnostic, NULL, "to write definitions");
        }
        memset(grown + *count, 0xff, (number + 1 - *count) * sizeof *grown);
        *ids = grown;
        *count = number + 1;
    }
    (*ids)[number] = contingent;
    return MW_OK;
}

/* Takes the points of the host's clock; malloc'd in *clock. */
static enum mw_status take_clock(struct mw_cursor *cursor, struct mw_clock_point **clock,
                                 size_t *count, struct mw_diagnostic *diagnostic)
{
    if (!mw_cursor_take(cursor, count, sizeof *count) || *count > cursor->left / sizeof **clock) {
        return misunderstood(diagnostic);
    }
    *clock = calloc(*count + 1, sizeof **clock);
    if (!*clock) {
        return mw_no_memory(diagnostic, NULL, "to write definitions");
    }
    (void)mw_cursor_take(cursor, *clock, *count * sizeof **clock);
    return MW_OK;
}

/* Takes what rank 0 sent for a directory and defines its locations. */
static enum mw_status define_next(struct mw_archiving *archiving, struct mw_cursor *cursor,
                                  const struct mw_spool_directory *directory,
                                  const uint32_t regions[MW_CALL_COUNT],
                                  struct mw_diagnostic *diagnostic)
{
    struct mw_location_maps maps = {0};
    uint32_t *comms = NULL;
    uint32_t *metrics = NULL;
    uint32_t *sites = NULL;
    struct mw_clock_point *clock = NULL;
    size_t clock_count = 0;
    enum mw_status status = take_ids(cursor, &comms, &maps.comm_count, diagnostic);

    if (status == MW_OK) {
        status = take_contingent(cursor, directory, &comms, &maps.comm_count, diagnostic);
    }
    if (status == MW_OK) {
        status = take_ids(cursor, &metrics, &maps.metric_count, diagnostic);
    }
    if (status == MW_OK && !mw_object_map_take(cursor, &maps.objects)) {
        status = misunderstood(diagnostic);
    }
    if (status == MW_OK) {
        status = take_ids(cursor, &sites, &maps.site_count, diagnostic);
    }
    if (status == MW_OK && (!mw_user_map_take(cursor, &maps.user) ||
                            !mw_source_map_take(cursor, &maps.sources))) {
        status = misunderstood(diagnostic);
    }
    if (status == MW_OK) {
        status = take_clock(cursor, &clock, &clock_count, diagnostic);
    }
    if (status == MW_OK) {
        maps.comms = comms;
        maps.metrics = metrics;
        maps.sites = sites;
        status = define_spool(archiving, directory, regions, &maps, clock, clock_count,
                              diagnostic);
    }
    free(clock);
    free(comms);
    free(metrics);
    free(sites);
    mw_object_map_fini(&maps.objects);
    mw_user_map_fini(&maps.user);
    mw_source_map_fini(&maps.sources);
    return status;
}

static enum mw_status define_spools(struct mw_archiving *archiving,
                                    struct mw_diagnostic *diagnostic)
{
    struct mw_cursor cursor = {archiving->numbers, archiving->number_bytes};
    uint32_t regions[MW_CALL_COUNT];
    enum mw_status status = MW_OK;

    if (!mw_cursor_take(&cursor, regions, sizeof regions)) {
        return misunderstood(diagnostic);
    }
    for (uint32_t i = 0; status == MW_OK && i < archiving->directory_count; i++) {
        status = define_next(archiving, &cursor, &archiving->directories[i], regions, diagnostic);
    }
    return status;
}

static enum mw_status write_definitions(struct mw_archiving *archiving,
                                        struct mw_diagnostic *diagnostic)
{
    struct mw_otf2_output *output = &archiving->output;
    enum mw_status status = mw_otf2_check(output, OTF2_Archive_OpenDefFiles(output->definitions),
                                          "open definition files", diagnostic);

    if (status == MW_OK) {
        status = define_spools(archiving, diagnostic);
    }
    if (status == MW_OK) {
        status = mw_otf2_check(output, OTF2_Archive_CloseDefFiles(output->definitions),
                               "close definition files", diagnostic);
    }
    if (status == MW_OK && archiving->transport->rank == 0) {
        status = mw_global_definitions_write(output, &archiving->merged, diagnostic);
    }
    return status;
}

/* --- the global members ---------------------------------------------------------------- */

/* Whether something of the rank's spool could not be read. */
static bool is_damaged(const struct mw_merged_rank *rank)
{
    bool damaged = rank->damaged;

    for (uint32_t i = 0; i < rank->location_count; i++) {
        damaged |= rank->locations[i].damaged != 0;
    }
    return damaged;
}

/* Whether all ranks are in the archive from their beginning to their end. */
static bool is_complete(const struct mw_archiving *archiving)
{
    const struct mw_merged *merged = &archiving->merged;
    bool complete = !archiving->job->incomplete;

    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_merged_rank *rank = &merged->ranks[i];

        complete &= rank->recorded && !is_damaged(rank) && mw_merged_is_finalized(rank);
    }
    return complete;
}

static enum mw_status write_json(struct mw_archiving *archiving,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_archive_about about = {
        .nonce = archiving->job->nonce,
        .ended = archiving->job->ended ? archiving->job->ended : "finalized",
        .complete = is_complete(archiving),
    };
    char path[4096];
    enum mw_status status =
        mw_path_join(path, archiving->pack.scratch.path, "json", diagnostic);

    if (status == MW_OK) {
        status = mw_archive_json_write(path, &archiving->merged, &about, diagnostic);
    }
    return status == MW_OK ? mw_pack_file(&archiving->pack, path, "mpiwatch.json", true, diagnostic)
                           : status;
}

static enum mw_status pack_global(struct mw_archiving *archiving,
                                  struct mw_diagnostic *diagnostic)
{
    static const char *const names[] = {"traces.def", "traces.otf2"};
    char path[4096];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        enum mw_status status =
            mw_path_join(path, archiving->output.directory, names[i], diagnostic);

        if (status == MW_OK) {
            status = mw_pack_file(&archiving->pack, path, names[i], true, diagnostic);
        }
        if (status != MW_OK) {
            return status;
        }
    }
    return write_json(archiving, diagnostic);
}

/* The names of the run in the anchor, which every OTF2 reader shows. */
static enum mw_status describe(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    struct mw_otf2_output *output = &archiving->output;
    const struct mw_define_process *process = &archiving->merged.ranks[0].process;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (archiving->merged.ranks[0].has_process) {
        code = OTF2_Archive_SetDescription(output->definitions, process->program);
        if (code == OTF2_SUCCESS) {
            code = OTF2_Archive_SetCreator(output->definitions, process->recorder);
        }
    }
    return mw_otf2_check(output, code, "describe the archive", diagnostic);
}

enum mw_status mw_step_define(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    bool first = archiving->transport->rank == 0;
    enum mw_status status = write_definitions(archiving, diagnostic);

    if (status == MW_OK && first) {
        status = describe(archiving, diagnostic);
    }
    enum mw_status closed =
        mw_otf2_close(&archiving->output, status == MW_OK ? diagnostic : NULL);

    status = status == MW_OK ? closed : status;
    return status == MW_OK && first ? pack_global(archiving, diagnostic) : status;
}

/* --- the output ------------------------------------------------------------------------ */

enum mw_status mw_step_collect(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    return archiving->pack.operations->collect(&archiving->pack, diagnostic);
}

enum mw_status mw_step_seal(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    return archiving->transport->rank == 0
               ? archiving->pack.operations->seal(&archiving->pack, diagnostic)
               : MW_OK;
}

enum mw_status mw_step_write(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    return archiving->pack.operations->write(&archiving->pack, diagnostic);
}

enum mw_status mw_step_verify(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    return archiving->pack.operations->verify(&archiving->pack, diagnostic);
}

static void sum_up(struct mw_archiving *archiving)
{
    const struct mw_merged *merged = &archiving->merged;
    struct mw_archive_result *result = &archiving->result;

    result->bytes = archiving->pack.total;
    result->ranks_expected = merged->rank_count;
    result->complete = is_complete(archiving);
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        const struct mw_merged_rank *rank = &merged->ranks[i];

        result->ranks += rank->recorded;
        result->ranks_damaged += is_damaged(rank);
        result->ranks_unheard += !rank->recorded && rank->lost[MW_LOSS_SPACE] == 0;
        for (unsigned reason = MW_LOSS_SPACE; reason < MW_LOSS_REASON_COUNT; reason++) {
            result->lost += reason == MW_LOSS_PAUSED ? 0 : rank->lost[reason];
        }
        for (uint32_t j = 0; j < rank->location_count; j++) {
            result->events += rank->locations[j].events;
            result->calls += rank->locations[j].calls;
        }
    }
}

enum mw_status mw_step_publish(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_archive_job *job = archiving->job;
    enum mw_status status;

    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    sum_up(archiving);
    status = mw_output_publish(archiving->pack.partial, job->output, job->replace,
                               archiving->result.path, diagnostic);
    archiving->pack.made = status != MW_OK;
    return status;
}

enum mw_status mw_step_broadcast_result(struct mw_archiving *archiving,
                                        struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;

    return transport->broadcast(transport->context, &archiving->result,
                                sizeof archiving->result, diagnostic);
}

void mw_archiving_fini(struct mw_archiving *archiving, bool failed)
{
    struct mw_scratch scratch = archiving->pack.scratch;

    /* What closing still has to say comes after a failure that was told already. */
    (void)!mw_otf2_close(&archiving->output, NULL);
    if (failed) {
        mw_pack_abandon(&archiving->pack);
    }
    mw_pack_fini(&archiving->pack);
    mw_scratch_remove(&scratch);
    mw_merged_fini(&archiving->merged);
    mw_parts_fini(&archiving->parts);
    mw_parts_fini(&archiving->scattered);
    mw_lookup_fini(&archiving->lookup);
    mw_bundle_fini(&archiving->bundle);
    free(archiving->spool_ranks);
    free(archiving->spool_ends);
    mw_buffer_fini(&archiving->message);
    for (uint32_t i = 0; i < archiving->directory_count; i++) {
        mw_spool_directory_fini(&archiving->directories[i]);
    }
    free(archiving->directories);
    free(archiving->absent);
    free(archiving->stats);
    free(archiving->numbers);
}
