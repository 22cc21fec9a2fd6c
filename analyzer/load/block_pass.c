/* What is found is small next to the events, and is written when all of it is known to be right. */
#include "analyzer/load/block_pass.h"

#include <stdlib.h>

#include "analyzer/load/archive_key.h"
#include "analyzer/load/block_layout.h"
#include "analyzer/load/each_location.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/load/quiet_places.h"
#include "analyzer/model/map.h"
#include "analyzer/sidecar/sidecar_writer.h"
#include "analyzer/team/packing.h"
#include "analyzer/team/rank_share.h"

#define BATCH_EVENTS 4096u
#define DEPTH_KEPT   256u    /* a block inside of more is no place to begin */

/* Of places that may be quiet; of many locations each has less. */
#define QUIET_MOST   1024u
#define QUIET_LEAST  32u
#define QUIET_IN_ALL 1048576u

#define PARTS_ENOUGH 8u /* of a run that is cut where all meet */

/* What is found of a location. */
struct found_blocks {
    struct mwa_block_entry *entries;
    uint64_t count, capacity;
    struct mwa_open_call *calls;
    uint64_t call_count, call_capacity;
};

/* All locations. */
struct found_all {
    struct found_blocks *blocks;       /* of each */
    struct mwa_quiet_tries *tries;     /* likewise */
    struct mwa_quiet_tries *lulls;     /* likewise, of which one is kept */
    struct mwa_quiet_tries *moments;   /* likewise */
    struct mwa_quiet_common *commons;  /* of each thread */
    bool *share;                       /* a flag for each that is read here; null: all are */
    uint64_t location_count;
    bool are_mains_read; /* the ranks' main threads; then all others are, by those of their ranks */
};

/* A location that is read. */
struct block_walk {
    struct found_blocks *found;
    const struct mwa_event_reader *reader;
    struct mwa_quiet_walk quiet;
    struct mwa_open_calls open;
    uint64_t last_time;
    bool has_events;
    bool has_no_memory;
};

/* --- one location ----------------------------------------------------------------------------- */

static bool keep_calls(struct block_walk *walk)
{
    struct found_blocks *found = walk->found;

    if (!mwa_grow(&found->calls, &found->call_capacity, found->call_count + walk->open.depth,
                  sizeof *found->calls)) {
        return false;
    }
    for (uint32_t i = 0; i < walk->open.depth; i++) {
        found->calls[found->call_count++] = walk->open.stack[i];
    }
    return true;
}

static void on_block(void *user, const struct mwa_record_reader *reader)
{
    struct block_walk *walk = user;
    struct found_blocks *found = walk->found;
    const uint64_t block = reader->offset / reader->size - 1;
    const struct mwa_block_entry entry = { .block = block,
                                           .events = reader->block.record.position,
                                           .time = reader->block.time,
                                           .last_time = walk->last_time,
                                           .first_call = found->call_count,
                                           .calls = walk->open.depth,
                                           .is_through = walk->open.is_through,
                                           .crc = mwa_record_reader_crc(reader) };

    /* Before a place to begin at there is something. An event may have attributes in the block
       before. */
    if (!walk->has_events || reader->block.attributes > 0 || walk->open.depth > DEPTH_KEPT) {
        return;
    }
    if (!mwa_grow(&found->entries, &found->capacity, found->count + 1, sizeof *found->entries) ||
        !keep_calls(walk)) {
        walk->has_no_memory = true;
        return;
    }
    found->entries[found->count++] = entry;
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    struct block_walk *walk = user;

    walk->last_time = event->time;
    walk->has_events = true;
    walk->has_no_memory |= !mwa_quiet_walk_take(&walk->quiet, event, &walk->open,
                                                mwa_event_reader_count(walk->reader) - 1);
    return walk->has_no_memory ? MW_ERROR_MEMORY : mwa_open_calls_take(&walk->open, event);
}

static uint64_t quiet_most(const struct mwa_trace *trace)
{
    const uint64_t share = QUIET_IN_ALL / (trace->location_count + 1);

    return share > QUIET_MOST ? QUIET_MOST : share > QUIET_LEAST ? share : QUIET_LEAST;
}

static enum mw_status read_location(struct mwa_input *input, uint32_t location,
                                    struct mwa_quiet_common *common, const struct found_all *all,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    const uint32_t rank = trace->locations[location].rank;
    struct block_walk walk = { .found = &all->blocks[location],
                               .quiet = { .common = common,
                                          .location = location,
                                          .tries = &all->tries[location],
                                          .rests = { .lulls = &all->lulls[location],
                                                     .moments = &all->moments[location] } },
                               .open.trace = trace };
    const struct mwa_block_listener listener = { on_block, &walk };
    struct mwa_event_reader *reader = NULL;
    enum mw_status status = mwa_event_reader_open(input, location, &reader, diagnostic);
    uint64_t events;

    all->tries[location].most = quiet_most(trace);
    all->lulls[location].most = quiet_most(trace);
    all->moments[location].most = quiet_most(trace);
    mwa_quiet_rests_init(&walk.quiet.rests, trace);
    if (all->are_mains_read && rank != MWA_NONE && trace->ranks[rank].master != MWA_NONE) {
        walk.quiet.main = &all->tries[trace->ranks[rank].master];
    }
    walk.reader = reader;
    if (status == MW_OK) {
        mwa_event_reader_watch(reader, &listener);
    }
    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, BATCH_EVENTS, take_event, &walk, diagnostic);
    }
    events = reader ? mwa_event_reader_count(reader) : 0;
    mwa_event_reader_close(reader);
    walk.has_no_memory |=
        status == MW_END && !mwa_quiet_walk_end(&walk.quiet, &walk.open, events, walk.last_time);
    mwa_quiet_walk_fini(&walk.quiet);
    mwa_open_calls_fini(&walk.open);
    return status == MW_END ? walk.has_no_memory ? MW_ERROR_MEMORY : MW_OK : status;
}

/* --- each location ---------------------------------------------------------------------------- */

static enum mw_status visit(void *user, uint32_t worker, struct mwa_input *input,
                            uint32_t location, struct mw_diagnostic *diagnostic)
{
    const struct found_all *all = user;
    struct mwa_quiet_common *common = &all->commons[worker];

    if ((all->share && !all->share[location]) ||
        mwa_is_main_thread(mwa_input_trace(input), location) == all->are_mains_read) {
        return MW_OK;
    }
    if (!common->trace && !mwa_quiet_common_init(common, mwa_input_trace(input))) {
        return mw_no_memory(diagnostic, NULL, "for the communicators");
    }
    return read_location(input, location, common, all, diagnostic);
}

static enum mw_status write_section(struct mwa_sidecar_writer *writer, const char *name,
                                    uint64_t id, const void *from, uint64_t bytes,
                                    struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_sidecar_begin(writer, name, id, diagnostic);

    return status == MW_OK && bytes > 0 ? mwa_sidecar_write(writer, from, bytes, diagnostic)
                                        : status;
}

/* What of a location is quiet, or a lull. */
static enum mw_status write_places(struct mwa_sidecar_writer *writer, const char *name,
                                   uint64_t id, const struct mwa_quiet_tries *tries,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_sidecar_begin(writer, name, id, diagnostic);

    for (uint64_t i = 0; status == MW_OK && i < tries->count; i++) {
        status = mwa_sidecar_write(writer, &tries->list[i].place, sizeof tries->list[i].place,
                                   diagnostic);
    }
    return status;
}

static enum mw_status write_all(struct mwa_sidecar_writer *writer, const struct mwa_trace *trace,
                                const struct found_all *all, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; status == MW_OK && i < trace->location_count; i++) {
        const struct found_blocks *found = &all->blocks[i];
        const uint64_t id = trace->locations[i].id;
        const struct mwa_quiet_tries *kept =
            all->lulls[i].count > 0 ? &all->lulls[i] : &all->tries[i];

        status = write_section(writer, MWA_BLOCKS_ENTRIES, id, found->entries,
                               found->count * sizeof *found->entries, diagnostic);
        if (status == MW_OK) {
            status = write_section(writer, MWA_BLOCKS_CALLS, id, found->calls,
                                   found->call_count * sizeof *found->calls, diagnostic);
        }
        if (status == MW_OK) {
            status = write_places(writer, MWA_BLOCKS_QUIET, id, &all->tries[i], diagnostic);
        }
        if (status == MW_OK) {
            status = write_places(writer, MWA_BLOCKS_LULLS, id, &all->lulls[i], diagnostic);
        }
        if (status == MW_OK) {
            status = write_section(writer, MWA_BLOCKS_CARRIED, id, kept->carried,
                                   kept->carried_count * sizeof *kept->carried, diagnostic);
        }
    }
    return status;
}

/* --- by several processes --------------------------------------------------------------------- */

static void pack_tries(const struct mwa_quiet_tries *tries, struct mw_buffer *to)
{
    mw_buffer_append(to, tries, sizeof *tries);
    mwa_pack_array(to, tries->list, tries->count, sizeof *tries->list);
    mwa_pack_array(to, tries->carried, tries->carried_count, sizeof *tries->carried);
    mwa_pack_array(to, tries->channels.list, tries->channels.count, sizeof *tries->channels.list);
}

/* What of a location is told to the first process, behind its number. */
static void pack_location(const struct found_all *all, uint32_t location, struct mw_buffer *to)
{
    const struct found_blocks *found = &all->blocks[location];

    mw_buffer_u32(to, location);
    mwa_pack_array(to, found->entries, found->count, sizeof *found->entries);
    mwa_pack_array(to, found->calls, found->call_count, sizeof *found->calls);
    pack_tries(&all->tries[location], to);
    pack_tries(&all->lulls[location], to);
    pack_tries(&all->moments[location], to);
}

static enum mw_status unpack_tries(struct mwa_quiet_tries *tries, struct mw_cursor *from)
{
    enum mw_status status;

    if (!mw_cursor_take(from, tries, sizeof *tries)) {
        return MW_ERROR_FORMAT;
    }
    tries->list = NULL;
    tries->carried = NULL;
    tries->channels = (struct mwa_quiet_channels){ .are_more = tries->channels.are_more };
    status = mwa_unpack_array(from, &tries->list, &tries->count, sizeof *tries->list);
    if (status == MW_OK) {
        status = mwa_unpack_array(from, &tries->carried, &tries->carried_count,
                                  sizeof *tries->carried);
    }
    return status == MW_OK ? mwa_unpack_array(from, &tries->channels.list, &tries->channels.count,
                                              sizeof *tries->channels.list)
                           : status;
}

/* Takes in what another process has read (a function for mwa_team_give). */
static enum mw_status take_locations(void *user, struct mw_cursor *from)
{
    const struct found_all *all = user;
    enum mw_status status = MW_OK;

    while (from->left > 0 && status == MW_OK) {
        struct found_blocks *found;
        char number[4];

        if (!mw_cursor_take(from, number, sizeof number) ||
            mw_get_u32(number) >= all->location_count || all->share[mw_get_u32(number)]) {
            return MW_ERROR_FORMAT;
        }
        all->share[mw_get_u32(number)] = true; /* it comes once */
        found = &all->blocks[mw_get_u32(number)];
        status = mwa_unpack_array(from, &found->entries, &found->count, sizeof *found->entries);
        if (status == MW_OK) {
            status = mwa_unpack_array(from, &found->calls, &found->call_count,
                                      sizeof *found->calls);
        }
        status = status == MW_OK ? unpack_tries(&all->tries[mw_get_u32(number)], from) : status;
        status = status == MW_OK ? unpack_tries(&all->lulls[mw_get_u32(number)], from) : status;
        status = status == MW_OK ? unpack_tries(&all->moments[mw_get_u32(number)], from) : status;
    }
    return status;
}

static enum mw_status gather(struct found_all *all, const struct mwa_team *team,
                             struct mw_diagnostic *diagnostic)
{
    struct mw_buffer packed = { 0 };
    enum mw_status status;

    for (uint32_t i = 0; !mwa_team_is_first(team) && i < all->location_count; i++) {
        if (all->share[i]) {
            pack_location(all, i, &packed);
        }
    }
    status = mwa_team_give(team, &packed, take_locations, all, diagnostic);
    mw_buffer_fini(&packed);
    return status;
}

/* --- all of them ------------------------------------------------------------------------------ */

static void free_all(const struct found_all *all, const struct mwa_trace *trace, uint32_t threads)
{
    for (uint64_t i = 0; all->blocks && i < trace->location_count; i++) {
        free(all->blocks[i].entries);
        free(all->blocks[i].calls);
    }
    for (uint64_t i = 0; all->tries && i < trace->location_count; i++) {
        mwa_quiet_tries_fini(&all->tries[i]);
    }
    for (uint64_t i = 0; all->lulls && i < trace->location_count; i++) {
        mwa_quiet_tries_fini(&all->lulls[i]);
    }
    for (uint64_t i = 0; all->moments && i < trace->location_count; i++) {
        mwa_quiet_tries_fini(&all->moments[i]);
    }
    for (uint32_t i = 0; all->commons && i < threads; i++) {
        mwa_quiet_common_fini(&all->commons[i]);
    }
    free(all->blocks);
    free(all->tries);
    free(all->lulls);
    free(all->moments);
    free(all->commons);
    free(all->share);
}

/* Makes what all locations are read into. */
static enum mw_status make_all(const struct mwa_trace *trace, const struct mwa_team *team,
                               uint32_t threads, struct found_all *all,
                               struct mw_diagnostic *diagnostic)
{
    *all = (struct found_all){ calloc(trace->location_count + 1, sizeof *all->blocks),
                               calloc(trace->location_count + 1, sizeof *all->tries),
                               calloc(trace->location_count + 1, sizeof *all->lulls),
                               calloc(trace->location_count + 1, sizeof *all->moments),
                               calloc(threads, sizeof *all->commons),
                               team ? mwa_rank_share(trace, team->transport.rank,
                                                     team->transport.size)
                                    : NULL,
                               trace->location_count,
                               false };
    return all->blocks && all->tries && all->lulls && all->moments && all->commons &&
                   (!team || all->share)
               ? MW_OK
               : mw_no_memory(diagnostic, NULL, "for what blocks begin with");
}

/* Reads all locations, by all processes. */
static enum mw_status read_all(struct mwa_input *input, const struct mwa_team *team,
                               uint32_t threads, struct found_all *all,
                               struct mw_diagnostic *diagnostic)
{
    enum mw_status status = make_all(mwa_input_trace(input), team, threads, all, diagnostic);

    if (status == MW_OK) {
        status = mwa_each_location(input, threads, visit, all, diagnostic);
    }
    all->are_mains_read = true;
    if (status == MW_OK) {
        status = mwa_each_location(input, threads, visit, all, diagnostic);
    }
    if (team) {
        status = mwa_team_agree(team, status, 0, diagnostic);
        status = status == MW_OK ? gather(all, team, diagnostic) : status;
    }
    return status;
}

/* Whether a run can be cut at place number k, as far as its locations know: a lull always, another
 * one if its call is such that all main threads wait for all (chapters.h). */
static bool can_be_cut(const struct mwa_quiet_tries *tries, const struct mwa_trace *trace,
                       uint64_t k, bool is_lull)
{
    bool do_all_meet = true;

    for (uint64_t i = 0; i < trace->location_count && !is_lull && do_all_meet; i++) {
        do_all_meet = k >= tries[i].count || !mwa_is_main_thread(trace, (uint32_t)i) ||
                      tries[i].list[k].met != 0;
    }
    return do_all_meet;
}

/* How many events of all locations are between two places that follow each other and at which the
 * run can be cut, at most, or before the first, or behind the last. */
static uint64_t largest_part(const struct mwa_quiet_tries *tries, const struct mwa_trace *trace,
                             bool are_lulls)
{
    const uint64_t all = mwa_defined_events(trace);
    uint64_t before = 0, largest = 0, places = 0;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        places = tries[i].count > places ? tries[i].count : places;
    }
    for (uint64_t k = 0; k < places; k++) {
        uint64_t events = 0;

        for (uint64_t i = 0; i < trace->location_count; i++) {
            events += k < tries[i].count ? tries[i].list[k].place.events : 0;
        }
        if (!can_be_cut(tries, trace, k, are_lulls)) {
            continue;
        }
        largest = events - before > largest ? events - before : largest;
        before = events;
    }
    return all > before && all - before > largest ? all - before : largest;
}

static void forget_places(struct mwa_quiet_tries *tries, const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < trace->location_count; i++) {
        mwa_quiet_tries_fini(&tries[i]);
    }
}

/* What all locations together make of their tries: those are kept by which the run is cut into the
 * smallest parts, quiet ones if these are small enough. False without memory. */
static bool agree(struct found_all *all, const struct mwa_trace *trace)
{
    uint64_t quiet, rests, moments;

    if (!mwa_quiet_tries_agree(all->tries, trace) || !mwa_quiet_tries_agree(all->lulls, trace) ||
        !mwa_quiet_tries_agree(all->moments, trace)) {
        return false;
    }
    quiet = largest_part(all->tries, trace, false);
    rests = largest_part(all->lulls, trace, true);
    moments = largest_part(all->moments, trace, true);
    if (moments < rests) {
        struct mwa_quiet_tries *const larger = all->lulls;

        all->lulls = all->moments;
        all->moments = larger;
        rests = moments;
    }
    forget_places(quiet <= mwa_defined_events(trace) / PARTS_ENOUGH || quiet <= rests
                      ? all->lulls
                      : all->tries,
                  trace);
    return true;
}

/* Reads all, and the first process writes what is found; writer is ended by who called. */
static enum mw_status read_and_write(struct mwa_input *input, const struct mwa_team *team,
                                     struct mwa_sidecar_writer *writer,
                                     struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    const uint32_t threads = mwa_input_threads(input);
    struct found_all all;
    enum mw_status status = read_all(input, team, threads, &all, diagnostic);

    if (status == MW_OK && writer && !agree(&all, trace)) {
        status = mw_no_memory(diagnostic, NULL, "for what is quiet");
    }
    if (status == MW_OK && writer) {
        status = write_all(writer, trace, &all, diagnostic);
    }
    free_all(&all, trace, threads);
    return status;
}

/* First of all: without a place to write to, reading would be for nothing. */
static enum mw_status begin_writing(struct mwa_input *input, struct mwa_sidecar_writer **writer,
                                    struct mw_diagnostic *diagnostic)
{
    struct mwa_archive_key key;

    return mwa_archive_key(mwa_input_files(input), &key)
               ? mwa_sidecar_create(&key, MWA_BLOCKS_PART, MWA_BLOCKS_VERSION, writer, diagnostic)
               : mw_fail(diagnostic, MW_ERROR_SYSTEM, mwa_files_path(mwa_input_files(input)),
                         MW_DIAGNOSTIC_OFFSET_NONE, "a file of it can't be looked at");
}

enum mw_status mwa_block_pass(struct mwa_input *input, const struct mwa_team *team,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_sidecar_writer *writer = NULL;
    enum mw_status status = !team || mwa_team_is_first(team)
                                ? begin_writing(input, &writer, diagnostic)
                                : MW_OK;

    if (team) {
        status = mwa_team_agree(team, status, 0, diagnostic);
    }
    if (status == MW_OK) {
        status = read_and_write(input, team, writer, diagnostic);
    }
    if (status == MW_OK && writer) {
        return mwa_sidecar_commit(writer, diagnostic);
    }
    mwa_sidecar_discard(writer);
    return status;
}
