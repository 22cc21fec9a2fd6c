/*
 * The definitions of all processes, put together up a tree in a form that keeps what is equal once,
 * are taken out and merged one by one: rank 0 never has all of them as they were.
 */
#include "formats/archive/archive_steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/archive/global_definitions.h"
#include "formats/archive/resolve_sites.h"
#include "formats/spool/tallies.h"

#define SCATTERED_BYTES ((size_t)16 << 20) /* at a time, but one process's at least */
#define NO_PROCESS UINT32_MAX              /* in the place of the next one: it ends here */

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to merge the definitions of all ranks");
}

/* --- up the tree --------------------------------------------------------------------- */

static void give_bundle(void *of, struct mw_buffer *to)
{
    mw_bundle_give(of, to);
}

static enum mw_status take_bundle(void *of, const char *given, uint64_t bytes)
{
    return mw_bundle_take(of, given, bytes);
}

enum mw_status mw_step_combine(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    const struct mw_combined combined = {&archiving->bundle, give_bundle, take_bundle};
    enum mw_status status = transport->combine(transport->context, &combined, diagnostic);

    if (transport->rank != 0) {
        mw_bundle_fini(&archiving->bundle);
    }
    return status;
}

/* --- reports ------------------------------------------------------------------------- */

static enum mw_status misunderstood(uint32_t process, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "process %" PRIu32 " sent what can't be understood", process);
}

/* A message in the buffer, which it begins anew, and its beginning in head; false without it. */
static bool take_message(const struct mw_bundle *bundle, uint32_t message,
                         struct mw_buffer *buffer, void *head, size_t bytes)
{
    struct mw_cursor cursor;

    buffer->bytes = 0;
    if (message >= bundle->message_count) {
        return false;
    }
    mw_bundle_message(bundle, message, buffer);
    cursor = (struct mw_cursor){buffer->data, buffer->bytes};
    return !buffer->failed && mw_cursor_take(&cursor, head, bytes);
}

/* What is being found out of the messages. */
struct sorting {
    uint32_t *messages; /* by rank: its spool's; MW_MERGED_NONE: there is none */
    uint32_t next;
    struct mw_buffer buffer;
};

/* Takes what a process reported, and whose spools it has; used is added up. */
static bool sort_process(struct mw_archiving *archiving, uint32_t number, struct sorting *sorting)
{
    const struct mw_bundle *bundle = &archiving->bundle;
    struct mw_process_report process;
    uint32_t *end = &archiving->spool_ends[number];

    if (!take_message(bundle, sorting->next++, &sorting->buffer, &process, sizeof process)) {
        return false;
    }
    archiving->lookup.keys[number] = process.host;
    for (size_t i = 0; i < sizeof process.used.bits; i++) {
        archiving->merged.used.bits[i] =
            (uint8_t)(archiving->merged.used.bits[i] | process.used.bits[i]);
    }
    *end = number > 0 ? end[-1] : 0;
    for (uint32_t i = 0; i < process.spool_count; i++) {
        struct mw_spool_report report;

        if (!take_message(bundle, sorting->next, &sorting->buffer, &report, sizeof report) ||
            report.rank >= archiving->plan.world_size) {
            return false;
        }
        archiving->lookup.ranks[report.rank] = number;
        archiving->spool_ranks[(*end)++] = report.rank;
        sorting->messages[report.rank] = sorting->next++;
    }
    return true;
}

/* Merges the spool whose message is in the buffer. */
static enum mw_status merge_message(struct mw_archiving *archiving, struct mw_buffer *buffer,
                                    struct mw_diagnostic *diagnostic)
{
    struct mw_spool_report report;
    struct mw_cursor cursor = {buffer->data, buffer->bytes};
    uint64_t stats_bytes;

    if (!mw_cursor_take(&cursor, &report, sizeof report)) {
        return misunderstood(0, diagnostic);
    }
    stats_bytes = report.location_count * (uint64_t)sizeof *archiving->stats;
    if (cursor.left != stats_bytes + report.tally_bytes + report.image_bytes) {
        return misunderstood(archiving->lookup.ranks[report.rank], diagnostic);
    }
    char *stats = buffer->data + sizeof report;
    char *tallies = stats + stats_bytes;
    const struct mw_merge_part part = {
        .rank = report.rank,
        .image = report.image_bytes > 0 ? tallies + report.tally_bytes : NULL,
        .image_bytes = report.image_bytes,
        .salvage = archiving->job->salvage,
        .where = "definitions",
        .locations = stats,
        .location_count = report.location_count,
        .damaged = report.damaged != 0,
        .tallies = tallies,
        .tally_count = (uint32_t)(report.tally_bytes / sizeof(struct mw_tally)),
    };

    return mw_merge_add(&archiving->merged, &part, diagnostic);
}

/* Merges all spools in the order of ranks; messages tells whose message is whose. */
static enum mw_status merge_messages(struct mw_archiving *archiving, struct sorting *sorting,
                                     struct mw_diagnostic *diagnostic)
{
    struct mw_spool_report report;
    enum mw_status status = MW_OK;

    for (uint32_t rank = 0; status == MW_OK && rank < archiving->plan.world_size; rank++) {
        if (!take_message(&archiving->bundle, sorting->messages[rank], &sorting->buffer, &report,
                          sizeof report)) {
            return sorting->buffer.failed ? no_memory(diagnostic)
                                          : misunderstood(rank, diagnostic);
        }
        status = merge_message(archiving, &sorting->buffer, diagnostic);
        if (status != MW_OK && diagnostic) {
            diagnostic->rank = (int)rank;
        }
    }
    mw_bundle_fini(&archiving->bundle);
    return status == MW_OK ? mw_merge_finish(&archiving->merged, diagnostic) : status;
}

static enum mw_status merge_all(struct mw_archiving *archiving, struct sorting *sorting,
                                struct mw_diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < archiving->transport->size; i++) {
        if (!sort_process(archiving, i, sorting)) {
            return sorting->buffer.failed ? no_memory(diagnostic) : misunderstood(i, diagnostic);
        }
    }
    return merge_messages(archiving, sorting, diagnostic);
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

enum mw_status mw_step_merge(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    struct mw_lookup *lookup = &archiving->lookup;
    uint32_t world_size = archiving->plan.world_size;
    uint32_t processes = archiving->transport->size;
    struct sorting sorting = {0};
    enum mw_status status;

    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    status = mw_merged_init(&archiving->merged, world_size, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    archiving->merged.sites.are_attributes = archiving->plan.site_form == MW_SITES_ATTRIBUTE;
    lookup->keys = calloc(processes, sizeof *lookup->keys);
    lookup->ranks = calloc(world_size, sizeof *lookup->ranks);
    archiving->spool_ranks =
        calloc(archiving->bundle.message_count + (size_t)1, sizeof *archiving->spool_ranks);
    archiving->spool_ends = calloc(processes, sizeof *archiving->spool_ends);
    sorting.messages = malloc(world_size * sizeof *sorting.messages);
    if (lookup->keys && lookup->ranks && archiving->spool_ranks && archiving->spool_ends &&
        sorting.messages) {
        memset(sorting.messages, 0xff, world_size * sizeof *sorting.messages);
        status = merge_all(archiving, &sorting, diagnostic);
    } else {
        status = no_memory(diagnostic);
    }
    free(sorting.messages);
    mw_buffer_fini(&sorting.buffer);
    take_lost_hosts(&archiving->merged, archiving->job);
    return status;
}

/* --- numbers ------------------------------------------------------------------------- */

/* What a spool's locations are numbered by. */
static void append_rank(const struct mw_archiving *archiving, uint32_t number,
                        struct mw_buffer *numbers)
{
    const struct mw_merged_rank *rank = &archiving->merged.ranks[number];
    uint32_t first_site = mw_region_count(&archiving->merged.used);
    uint32_t first_region = first_site + archiving->merged.sites.place_count;

    mw_buffer_append(numbers, &rank->comm_count, sizeof rank->comm_count);
    for (uint32_t i = 0; i < rank->comm_count; i++) {
        uint32_t id = mw_merged_comm_of(rank, i);

        mw_buffer_append(numbers, &id, sizeof id);
    }
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

/*
 * What a process needs to define: regions; communicators, the threads' contingent, metrics,
 * objects, sites, the program's own words, sets of sources, and its host's clock, of each spool.
 */
static void append_numbers(const struct mw_archiving *archiving, uint32_t process,
                           const uint32_t regions[MW_CALL_COUNT], struct mw_buffer *numbers)
{
    uint32_t spool = process > 0 ? archiving->spool_ends[process - 1] : 0;

    mw_buffer_append(numbers, regions, MW_CALL_COUNT * sizeof *regions);
    for (; spool < archiving->spool_ends[process]; spool++) {
        append_rank(archiving, archiving->spool_ranks[spool], numbers);
    }
}

/*
 * Prepares what is to be scattered: nothing to processes before first, then each one's numbers,
 * until it comes to more than is scattered at a time. *next: the first that is left; NO_PROCESS on
 * failure.
 */
static enum mw_status number_some(struct mw_archiving *archiving, uint32_t first, uint32_t *next,
                                  struct mw_diagnostic *diagnostic)
{
    struct mw_parts *scattered = &archiving->scattered;
    uint32_t count = archiving->transport->size;
    uint32_t regions[MW_CALL_COUNT];
    struct mw_buffer numbers = {0};
    uint64_t offset = 0;

    (void)mw_region_ids(&archiving->merged, regions);
    scattered->count = count;
    scattered->sizes = calloc(count, sizeof *scattered->sizes);
    scattered->parts = calloc(count, sizeof *scattered->parts);
    for (*next = first; scattered->sizes && *next < count && numbers.bytes < SCATTERED_BYTES;
         (*next)++) {
        size_t before = numbers.bytes;

        append_numbers(archiving, *next, regions, &numbers);
        scattered->sizes[*next] = numbers.bytes - before;
    }
    scattered->data = numbers.data; /* ours to free through the parts from here on */
    if (!scattered->sizes || !scattered->parts || numbers.failed) {
        *next = NO_PROCESS;
        return no_memory(diagnostic);
    }
    for (uint32_t i = 0; i < count; i++) {
        scattered->parts[i] = scattered->data + offset;
        offset += scattered->sizes[i];
    }
    return MW_OK;
}

enum mw_status mw_step_number(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    return mw_lookup_take(archiving) ? mw_sites_finish(&archiving->merged.sites, diagnostic)
                                     : no_memory(diagnostic);
}

/* Scatters to the processes from *next on, as far as it goes, and moves it to those left. */
static enum mw_status scatter_some(struct mw_archiving *archiving, uint32_t *next,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    uint32_t own = transport->rank;
    uint32_t first = *next;
    enum mw_status failure = MW_OK;
    enum mw_status status;
    uint64_t bytes;
    char *data;

    if (own == 0) {
        failure = number_some(archiving, first, next, diagnostic);
    }
    status = transport->broadcast(transport->context, next, sizeof *next,
                                  failure == MW_OK ? diagnostic : NULL);
    if (status != MW_OK || *next == NO_PROCESS) {
        mw_parts_fini(&archiving->scattered);
        return failure != MW_OK ? failure : status;
    }
    status = transport->scatter(transport->context, &archiving->scattered, &data, &bytes,
                                diagnostic);
    mw_parts_fini(&archiving->scattered);
    if (status == MW_OK && own >= first && own < *next) {
        archiving->numbers = data;
        archiving->number_bytes = bytes;
    }
    return status;
}

/* A failure of one process has the others stop at the same time, as far as they must know of it. */
enum mw_status mw_step_scatter(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    uint32_t next = 0;
    enum mw_status status = MW_OK;

    while (status == MW_OK && next < archiving->transport->size) {
        status = scatter_some(archiving, &next, diagnostic);
    }
    return status;
}
