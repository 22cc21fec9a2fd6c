/*
 * A program may lie on the disks of the hosts that it runs on, and on no other: its lines are
 * looked up where it ran, by one process of a host, since debugging information is large. What many
 * hosts have is asked of the first one that had it, so that a thousand of them don't read one file
 * together. What that one can't say the others are asked for, but not many: a list of spools that
 * all can see says nothing of where programs are.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/archive/archive_steps.h"
#include "formats/archive/resolve_sites.h"

#define OTHERS_MAX 16u /* hosts that are asked in the second round */
#define NOBODY UINT32_MAX

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to look up the lines of calls");
}

/* --- who is asked ----------------------------------------------------------------------- */

static bool is_host(const void *context, uint32_t index, const void *key)
{
    return memcmp(&((const struct mw_host_key *)context)[index], key,
                  sizeof(struct mw_host_key)) == 0;
}

/* Finds the first process of each host. False without memory. */
static bool find_leaders(struct mw_lookup *lookup, uint32_t processes)
{
    struct mw_index_table hosts = {0};
    bool enough = true;

    lookup->leaders = calloc(processes, sizeof *lookup->leaders);
    enough = lookup->leaders;
    for (uint32_t i = 0; enough && i < processes; i++) {
        const struct mw_host_key *key = &lookup->keys[i];
        uint64_t hash = mw_hash_bytes(MW_HASH_START, key, sizeof *key);
        uint32_t leader = mw_index_find(&hosts, hash, is_host, lookup->keys, key);

        if (leader == MW_INDEX_NONE) {
            leader = i;
            enough = mw_index_add(&hosts, hash, i);
        }
        lookup->leaders[i] = leader;
    }
    mw_index_fini(&hosts);
    return enough;
}

static void ask_first(struct mw_archiving *archiving, uint32_t spot, uint32_t leader)
{
    uint32_t *asked_first = archiving->lookup.asked_first;

    if (asked_first[spot] == NOBODY && !archiving->merged.sites.spots[spot].function) {
        asked_first[spot] = leader;
    }
}

/* Finds who is asked for each spot: on the host of the lowest rank that was there. */
static bool find_asked(struct mw_archiving *archiving)
{
    const struct mw_merged_sites *sites = &archiving->merged.sites;
    struct mw_lookup *lookup = &archiving->lookup;

    lookup->asked_first = malloc((sites->spot_count + (size_t)1) * sizeof *lookup->asked_first);
    lookup->is_open = calloc(sites->spot_count + (size_t)1, sizeof *lookup->is_open);
    lookup->order = mw_sites_by_file(sites);
    if (!lookup->asked_first || !lookup->is_open || !lookup->order) {
        return false;
    }
    memset(lookup->asked_first, 0xff, sites->spot_count * sizeof *lookup->asked_first);
    for (uint32_t rank = 0; rank < archiving->plan.world_size; rank++) {
        const struct mw_site_map *map = &archiving->merged.ranks[rank].sites;
        uint32_t leader = lookup->leaders[lookup->ranks[rank]];

        for (uint32_t i = 0; i < map->site_count; i++) {
            ask_first(archiving, sites->sites[map->sites[i]].spot, leader);
        }
        for (uint32_t i = 0; i < map->frame_count; i++) {
            ask_first(archiving, sites->frames[map->frames[i]].spot, leader);
        }
    }
    return true;
}

/* Whether the leader of a host, the so manieth, is asked for a spot. */
static bool is_asked(const struct mw_lookup *lookup, uint32_t leader, uint32_t host, uint32_t spot)
{
    if (lookup->round == 0) {
        return lookup->asked_first[spot] == leader;
    }
    return lookup->is_open[spot] && lookup->asked_first[spot] != leader && host <= OTHERS_MAX;
}

/* --- questions and answers ------------------------------------------------------------------ */

/* Takes what a process answered. False without memory. */
static bool take_answers(struct mw_archiving *archiving, uint32_t process, uint32_t host)
{
    struct mw_merged_sites *sites = &archiving->merged.sites;
    struct mw_lookup *lookup = &archiving->lookup;
    uint64_t bytes = lookup->answered.sizes[process];
    char *next = lookup->answered.parts[process];
    enum mw_status status = MW_OK;
    char *answer;

    if (bytes == 0 || next[bytes - 1] != '\0') {
        next = NULL;
    }
    for (uint32_t i = 0; status != MW_ERROR_MEMORY && i < sites->spot_count; i++) {
        const uint32_t spot = lookup->order[i];

        if (!is_asked(lookup, process, host, spot)) {
            continue;
        }
        answer = mw_sites_next_answer(&next);
        if (!answer) {
            lookup->is_cut = true;
            break;
        }
        if (!sites->spots[spot].function) {
            status = mw_sites_take(sites, spot, answer);
        }
    }
    return status != MW_ERROR_MEMORY;
}

bool mw_lookup_take(struct mw_archiving *archiving)
{
    struct mw_lookup *lookup = &archiving->lookup;
    bool enough = true;
    uint32_t host = 0;

    for (uint32_t i = 0; enough && i < lookup->answered.count; i++) {
        if (lookup->leaders[i] == i) {
            enough = take_answers(archiving, i, host++);
        }
    }
    lookup->round++;
    archiving->result.places_given_up = 0;
    for (uint32_t i = 0; i < archiving->merged.sites.spot_count; i++) {
        lookup->is_open[i] = !archiving->merged.sites.spots[i].function;
        archiving->result.places_given_up +=
            archiving->job->resolver && lookup->is_cut && lookup->is_open[i];
    }
    mw_parts_fini(&lookup->answered);
    return enough;
}

/* Makes what is to be scattered of what is asked. */
static enum mw_status write_questions(struct mw_archiving *archiving,
                                      struct mw_diagnostic *diagnostic)
{
    const struct mw_merged_sites *sites = &archiving->merged.sites;
    const struct mw_lookup *lookup = &archiving->lookup;
    struct mw_parts *scattered = &archiving->scattered;
    uint32_t count = archiving->transport->size;
    struct mw_buffer questions = {0};
    uint32_t host = 0;
    uint64_t offset = 0;

    scattered->count = count;
    scattered->sizes = calloc(count, sizeof *scattered->sizes);
    scattered->parts = calloc(count, sizeof *scattered->parts);
    for (uint32_t i = 0; scattered->sizes && i < count; i++) {
        size_t before = questions.bytes;

        for (uint32_t each = 0; lookup->leaders[i] == i && each < sites->spot_count; each++) {
            if (is_asked(lookup, i, host, lookup->order[each])) {
                (void)mw_sites_question(sites, lookup->order[each], &questions);
            }
        }
        host += lookup->leaders[i] == i;
        scattered->sizes[i] = questions.bytes - before;
    }
    scattered->data = questions.data;
    if (!scattered->sizes || !scattered->parts || questions.failed) {
        return no_memory(diagnostic);
    }
    for (uint32_t i = 0; i < count; i++) {
        scattered->parts[i] = scattered->data + offset;
        offset += scattered->sizes[i];
    }
    return MW_OK;
}

/* --- the steps ---------------------------------------------------------------------------- */

enum mw_status mw_step_ask(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    struct mw_lookup *lookup = &archiving->lookup;

    if (archiving->transport->rank != 0) {
        return MW_OK;
    }
    if (lookup->leaders ? !mw_lookup_take(archiving)
                        : !find_leaders(lookup, archiving->transport->size) ||
                              !find_asked(archiving)) {
        return no_memory(diagnostic);
    }
    return write_questions(archiving, diagnostic);
}

enum mw_status mw_step_send_questions(struct mw_archiving *archiving,
                                      struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    struct mw_lookup *lookup = &archiving->lookup;
    enum mw_status status =
        transport->scatter(transport->context, &archiving->scattered, &lookup->questions,
                           &lookup->question_bytes, diagnostic);

    mw_parts_fini(&archiving->scattered);
    return status;
}

/* A host that can't answer is no failure. */
enum mw_status mw_step_look_up(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    const struct mw_archive_job *job = archiving->job;
    const struct mw_sites_resolver resolver = {job->resolver, job->debug_directory, job->paths};
    struct mw_lookup *lookup = &archiving->lookup;

    if (lookup->question_bytes > 0) {
        lookup->answers = mw_sites_ask(lookup->questions, lookup->question_bytes, &resolver,
                                       archiving->pack.scratch.path);
    }
    free(lookup->questions);
    lookup->questions = NULL;
    return MW_OK;
}

enum mw_status mw_step_gather_answers(struct mw_archiving *archiving,
                                      struct mw_diagnostic *diagnostic)
{
    const struct mw_transport *transport = archiving->transport;
    struct mw_lookup *lookup = &archiving->lookup;
    uint64_t bytes = lookup->answers ? strlen(lookup->answers) + 1 : 0;
    enum mw_status status = transport->gather(transport->context, lookup->answers, bytes,
                                              &lookup->answered, diagnostic);

    free(lookup->answers);
    lookup->answers = NULL;
    return status;
}

void mw_lookup_fini(struct mw_lookup *lookup)
{
    mw_parts_fini(&lookup->answered);
    free(lookup->questions);
    free(lookup->answers);
    free(lookup->keys);
    free(lookup->leaders);
    free(lookup->ranks);
    free(lookup->asked_first);
    free(lookup->order);
    free(lookup->is_open);
}
