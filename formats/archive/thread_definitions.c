/*
 * OTF2's ThreadBegin refers to a contingent, a communicator of threads, which MPI
 * knows nothing of. Ids of contingents were given when the definitions were
 * merged, since locations map theirs by the same numbers.
 */
#include "formats/archive/thread_definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/archive/otf2_output.h"

static void define_group(struct mw_defining *defining, uint32_t id, OTF2_GroupType type,
                         uint32_t count, const uint64_t *members)
{
    uint32_t name = mw_defining_string(defining, "");

    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteGroup(
                                   defining->writer, id, name, type, OTF2_PARADIGM_PTHREAD,
                                   OTF2_GROUP_FLAG_NONE, count, members));
}

/* How many locations there are in processes that have a contingent. */
static uint32_t count_members(const struct mw_merged *merged)
{
    uint32_t count = 0;

    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        if (merged->ranks[rank].contingent != MW_MERGED_NONE) {
            count += merged->ranks[rank].location_count;
        }
    }
    return count;
}

/* The group of all; members has room for it. */
static void define_locations(struct mw_defining *defining, uint32_t group, uint64_t *members)
{
    const struct mw_merged *merged = defining->merged;
    uint32_t count = 0;

    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        const struct mw_merged_rank *of = &merged->ranks[rank];

        for (uint32_t i = 0; of->contingent != MW_MERGED_NONE && i < of->location_count; i++) {
            members[count++] = mw_location_of(rank, of->locations[i].thread);
        }
    }
    define_group(defining, group, OTF2_GROUP_TYPE_COMM_LOCATIONS, count, members);
}

/* A process's contingent: its locations are from index first on in the group of all. */
static void define_contingent(struct mw_defining *defining, uint32_t rank, uint32_t group,
                              uint32_t first, uint64_t *members)
{
    const struct mw_merged_rank *of = &defining->merged->ranks[rank];
    char text[64];
    uint32_t name;

    for (uint32_t i = 0; i < of->location_count; i++) {
        members[i] = first + i;
    }
    define_group(defining, group, OTF2_GROUP_TYPE_COMM_GROUP, of->location_count, members);
    snprintf(text, sizeof text, "threads of MPI Rank %" PRIu32, rank);
    name = mw_defining_string(defining, text);
    mw_defining_note(defining,
                     OTF2_GlobalDefWriter_WriteComm(defining->writer, of->contingent, name, group,
                                                    OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

void mw_thread_definitions_write(struct mw_defining *defining, uint32_t first_group)
{
    const struct mw_merged *merged = defining->merged;
    uint32_t count = count_members(merged);
    uint32_t group = first_group + 1;
    uint32_t first = 0;
    uint64_t *members;

    if (count == 0) {
        return;
    }
    members = malloc(count * sizeof *members);
    if (!members) {
        defining->out_of_memory = true;
        return;
    }
    mw_defining_note(
        defining, OTF2_GlobalDefWriter_WriteParadigm(defining->writer, OTF2_PARADIGM_PTHREAD,
                                                     mw_defining_string(defining, "POSIX threads"),
                                                     OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT));
    define_locations(defining, first_group, members);
    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        if (merged->ranks[rank].contingent != MW_MERGED_NONE) {
            define_contingent(defining, rank, group++, first, members);
            first += merged->ranks[rank].location_count;
        }
    }
    free(members);
}
