/*
 * Runs grow at their end only, since that is how members come: the first one lists all, or each
 * tells its own place in the order of ranks. What comes otherwise makes a list of it.
 */
#include "formats/merge/merge_members.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"

/* More runs than that take more than the list would. */
static bool is_worth_runs(const struct mw_members *members, uint32_t run_count)
{
    return run_count <= members->size / 4 + 1;
}

/* Index of the first run that begins behind place. */
static uint32_t run_behind(const struct mw_members *members, uint32_t place)
{
    uint32_t low = 0;
    uint32_t high = members->run_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (members->runs[middle].place > place) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

uint32_t mw_members_at(const struct mw_members *members, uint32_t place)
{
    uint32_t behind;
    const struct mw_member_run *run;

    if (members->list) {
        return members->list[place];
    }
    behind = run_behind(members, place);
    if (behind == 0) {
        return MW_MEMBER_UNKNOWN;
    }
    run = &members->runs[behind - 1];
    return place - run->place < run->count ? run->first + (place - run->place) * run->stride
                                           : MW_MEMBER_UNKNOWN;
}

uint32_t mw_members_lowest(const struct mw_members *members)
{
    uint32_t lowest = MW_MEMBER_UNKNOWN;

    for (uint32_t i = 0; i < members->size; i++) {
        uint32_t member = mw_members_at(members, i);

        lowest = member < lowest ? member : lowest;
    }
    return lowest;
}

/* Whether place is behind all that is known. */
static bool is_last(const struct mw_members *members, uint32_t place)
{
    const struct mw_member_run *last;

    if (members->run_count == 0) {
        return true;
    }
    last = &members->runs[members->run_count - 1];
    return place >= last->place + last->count;
}

/* Adds a member behind all others, to the last run or as one of its own. False without memory. */
static bool append(struct mw_members *members, uint32_t place, uint32_t rank)
{
    struct mw_member_run *last =
        members->run_count > 0 ? &members->runs[members->run_count - 1] : NULL;

    if (last && place == last->place + last->count) {
        if (last->count == 1) {
            last->stride = rank - last->first;
        }
        if (rank == last->first + last->count * last->stride) {
            last->count++;
            return true;
        }
    }
    if (!mw_array_grow((void **)&members->runs, members->run_count, sizeof *members->runs)) {
        return false;
    }
    members->runs[members->run_count++] = (struct mw_member_run){place, 1, rank, 0};
    return true;
}

/* Makes a list of the runs. False without memory. */
static bool make_list(struct mw_members *members)
{
    uint32_t *list = malloc((members->size + (size_t)1) * sizeof *list);

    if (!list) {
        return false;
    }
    for (uint32_t i = 0; i < members->size; i++) {
        list[i] = mw_members_at(members, i);
    }
    free(members->runs);
    members->runs = NULL;
    members->run_count = 0;
    members->list = list;
    return true;
}

bool mw_members_set(struct mw_members *members, uint32_t place, uint32_t rank, bool *agrees)
{
    uint32_t known = mw_members_at(members, place);

    *agrees = known == MW_MEMBER_UNKNOWN || known == rank;
    if (known != MW_MEMBER_UNKNOWN || rank == MW_MEMBER_UNKNOWN) {
        return true;
    }
    if (!members->list &&
        !(is_last(members, place) && is_worth_runs(members, members->run_count + 1)) &&
        !make_list(members)) {
        return false;
    }
    if (members->list) {
        members->list[place] = rank;
    } else if (!append(members, place, rank)) {
        return false;
    }
    members->known++;
    return true;
}

bool mw_members_settle(struct mw_members *members)
{
    struct mw_members runs = {.size = members->size, .known = members->known};

    if (!members->list) {
        return true;
    }
    for (uint32_t i = 0; i < members->size; i++) {
        if (members->list[i] == MW_MEMBER_UNKNOWN) {
            continue;
        }
        if (!append(&runs, i, members->list[i])) {
            free(runs.runs);
            return false;
        }
        if (!is_worth_runs(members, runs.run_count)) {
            free(runs.runs);
            return true; /* stays a list */
        }
    }
    free(members->list);
    *members = runs;
    return true;
}

uint64_t mw_members_hash(const struct mw_members *members)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, &members->size, sizeof members->size);

    return members->list
               ? mw_hash_bytes(hash, members->list, members->size * sizeof *members->list)
               : mw_hash_bytes(hash, members->runs, members->run_count * sizeof *members->runs);
}

bool mw_members_equal(const struct mw_members *one, const struct mw_members *other)
{
    if (one->size != other->size || one->known != other->known ||
        one->run_count != other->run_count || !one->list != !other->list) {
        return false;
    }
    if (one->list) {
        return memcmp(one->list, other->list, one->size * sizeof *one->list) == 0;
    }
    return one->run_count == 0 ||
           memcmp(one->runs, other->runs, one->run_count * sizeof *one->runs) == 0;
}

void mw_members_fini(struct mw_members *members)
{
    free(members->runs);
    free(members->list);
    memset(members, 0, sizeof *members);
}
