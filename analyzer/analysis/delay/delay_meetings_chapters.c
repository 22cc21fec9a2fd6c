/* What is remembered of meetings is the same in chapters as in the run, unless it is too much. */
#include "analyzer/analysis/delay/delay_meetings_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

bool mwa_meetings_have_forgotten(const struct mwa_meetings *meetings)
{
    return meetings->have_forgotten;
}

/* That a rank remembers a meeting with another one, or on a communicator. */
struct met {
    uint32_t rank;
    uint32_t with;
    uint64_t is_group;
};

/* Counts one of a rank, unless it was counted. False if those are too many, or without memory. */
static bool count_once(struct mwa_map *counted, uint32_t rank, uint64_t what, uint64_t most)
{
    const struct mwa_key key = { UINT64_C(1) + rank, what };
    uint64_t *count;

    if (mwa_map_get(counted, key) != MWA_MAP_ABSENT) {
        return true;
    }
    if (!mwa_map_put(counted, key, 0)) {
        return false;
    }
    count = mwa_map_put(counted, (struct mwa_key){ 0, rank }, 0);
    return count && ++*count <= most;
}

void mwa_meetings_pack_keys(const struct mwa_meetings *meetings, struct mw_buffer *to)
{
    for (uint64_t i = 0; i < meetings->known.capacity; i++) {
        const struct mwa_map_slot *slot = &meetings->known.slots[i];
        const struct met met = { mwa_pair_rank(&(struct pair){ .key = slot->key }, 0),
                                 mwa_pair_rank(&(struct pair){ .key = slot->key }, 1), false };

        if (slot->value != MWA_MAP_ABSENT) {
            mw_buffer_append(to, &met, sizeof met);
        }
    }
    for (uint32_t rank = 0; rank < meetings->ranks; rank++) {
        const struct part *parts = mwa_meetings_parts(meetings, rank);

        for (uint32_t i = OF_ALL + 1; i < PARTS; i++) {
            const struct met met = { rank, parts[i].in.comm, true };

            if (parts[i].standing) {
                mw_buffer_append(to, &met, sizeof met);
            }
        }
    }
}

enum mw_status mwa_meetings_keys_fit(struct mw_cursor *from, bool *fit)
{
    struct mwa_map pairs = { .count = 0 }, groups = { .count = 0 };
    enum mw_status status = MW_OK;
    struct met met;

    *fit = true;
    while (from->left > 0 && *fit && status == MW_OK) {
        if (!mw_cursor_take(from, &met, sizeof met)) {
            status = MW_ERROR_FORMAT;
        } else if (met.is_group) {
            *fit = count_once(&groups, met.rank, met.with, MWA_DELAY_GROUPS);
        } else {
            *fit = count_once(&pairs, met.rank, met.with, MWA_DELAY_PAIRS) &&
                   (met.rank == met.with ||
                    count_once(&pairs, met.with, met.rank, MWA_DELAY_PAIRS));
        }
    }
    mwa_map_fini(&pairs);
    mwa_map_fini(&groups);
    return status;
}

static enum mw_status inherit_pair(struct mwa_meetings *meetings, const struct pair *from,
                                   mwa_standing_carry carry, void *user)
{
    struct pair *pair = mwa_meetings_find_pair(meetings, from->key);

    if (!pair) {
        return MW_ERROR_MEMORY;
    }
    if (pair->standings[0]) {
        return MW_OK; /* they have met since */
    }
    pair->time = from->time;
    pair->is_at_leave = from->is_at_leave;
    for (unsigned side = 0; side < 2; side++) {
        if (side == 0 || mwa_pair_rank(pair, 0) != mwa_pair_rank(pair, 1)) {
            mwa_meetings_put_last(meetings, pair, side);
        }
        if (from->standings[side]) {
            pair->standings[side] = carry(user, mwa_pair_rank(pair, side), from->standings[side]);
            if (!pair->standings[side]) {
                return MW_ERROR_MEMORY;
            }
        }
    }
    return MW_OK;
}

/* The place of what was remembered there before in a rank's parts; null: there is something. */
static struct part *place_of(struct part *parts, uint32_t at, uint32_t comm)
{
    struct part *part = at == OF_ALL ? &parts[OF_ALL] : mwa_meetings_part_for(parts, comm);

    return part->standing ? NULL : part;
}

static enum mw_status inherit_parts(struct mwa_meetings *meetings,
                                    const struct mwa_meetings *earlier, uint32_t rank,
                                    mwa_standing_carry carry, void *user)
{
    const struct part *from = mwa_meetings_parts(earlier, rank);

    for (uint32_t i = 0; i < PARTS; i++) {
        struct part *parts = mwa_meetings_parts(meetings, rank);
        struct part *part = from[i].standing ? place_of(parts, i, from[i].in.comm) : NULL;

        if (part) {
            part->in = from[i].in;
            part->standing = carry(user, rank, from[i].standing);
            if (!part->standing) {
                return MW_ERROR_MEMORY;
            }
        }
    }
    if (earlier->grouped[rank] > meetings->grouped[rank]) {
        meetings->grouped[rank] = earlier->grouped[rank];
    }
    return MW_OK;
}

enum mw_status mwa_meetings_inherit(struct mwa_meetings *meetings,
                                    const struct mwa_meetings *earlier, mwa_standing_carry carry,
                                    void *user)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < earlier->known.capacity && status == MW_OK; i++) {
        const uint64_t pair = earlier->known.slots[i].value;

        if (pair != MWA_MAP_ABSENT) {
            status = inherit_pair(meetings, (const struct pair *)(uintptr_t)pair, carry, user);
        }
    }
    for (uint32_t rank = 0; rank < earlier->ranks && status == MW_OK; rank++) {
        status = inherit_parts(meetings, earlier, rank, carry, user);
    }
    return status;
}

/* --- for another process ---------------------------------------------------------------------- */

struct packed_standing {
    uint64_t time, leave; /* the mark's */
    uint64_t logged, waited;
    uint64_t activity;
};

static void pack_standing(const struct mwa_standing *standing, struct mw_buffer *to)
{
    const struct packed_standing packed = { standing->mark->time, standing->mark->leave,
                                            standing->logged, standing->waited,
                                            standing->mark->activity };

    mwa_pack_array(to, &packed, 1, sizeof packed);
    mwa_pack_array(to, standing->spent, standing->count, sizeof *standing->spent);
}

static enum mw_status unpack_standing(struct mwa_activities *activities, struct mw_cursor *from,
                                      struct mwa_standing **standing)
{
    struct packed_standing packed = { 0 };
    struct mwa_mark seen = { 0 };
    uint64_t *spent = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_into(from, &packed, 1, sizeof packed);

    if (status == MW_OK) {
        status = mwa_unpack_array(from, &spent, &count, sizeof *spent);
    }
    if (status == MW_OK && (packed.activity >= MWA_ACTIVITIES || count > MWA_ACTIVITIES)) {
        status = MW_ERROR_FORMAT;
    }
    *standing = status == MW_OK ? calloc(1, sizeof **standing + count * sizeof *spent) : NULL;
    if (*standing) {
        seen.time = packed.time;
        seen.leave = packed.leave;
        seen.activity = (uint32_t)packed.activity;
        (*standing)->mark = mwa_activities_make_mark(activities, &seen, NULL, 0);
        (*standing)->logged = packed.logged;
        (*standing)->waited = packed.waited;
        (*standing)->count = (uint32_t)count;
        memcpy((*standing)->spent, spent, count * sizeof *spent);
    }
    free(spent);
    return status == MW_OK && (!*standing || !(*standing)->mark) ? MW_ERROR_MEMORY : status;
}

struct packed_pair {
    uint64_t key;
    uint64_t time;
    uint64_t is_at_leave;
};

struct packed_part {
    struct mwa_gathering in;
    uint32_t rank;
    uint32_t at;
};

void mwa_meetings_pack(const struct mwa_meetings *meetings, struct mw_buffer *to)
{
    uint64_t parts = 0;

    mwa_pack_array(to, &meetings->known.count, 1, sizeof meetings->known.count);
    for (uint64_t i = 0; i < meetings->known.capacity; i++) {
        const struct mwa_map_slot *slot = &meetings->known.slots[i];
        const struct pair *pair = slot->value == MWA_MAP_ABSENT
                                      ? NULL
                                      : (const struct pair *)(uintptr_t)slot->value;

        if (pair) {
            const struct packed_pair packed = { pair->key.low, pair->time, pair->is_at_leave };

            mwa_pack_array(to, &packed, 1, sizeof packed);
            pack_standing(pair->standings[0], to);
            pack_standing(pair->standings[1], to);
        }
    }
    for (uint64_t i = 0; i < meetings->ranks * PARTS; i++) {
        parts += meetings->parts[i].standing != NULL;
    }
    mwa_pack_array(to, &parts, 1, sizeof parts);
    for (uint64_t i = 0; i < meetings->ranks * PARTS; i++) {
        struct packed_part packed;

        if (meetings->parts[i].standing) {
            memset(&packed, 0, sizeof packed);
            packed.in = meetings->parts[i].in;
            packed.rank = (uint32_t)(i / PARTS);
            packed.at = (uint32_t)(i % PARTS);
            mwa_pack_array(to, &packed, 1, sizeof packed);
            pack_standing(meetings->parts[i].standing, to);
        }
    }
    mwa_pack_array(to, meetings->grouped, meetings->ranks, sizeof *meetings->grouped);
}

static enum mw_status unpack_pair(struct mwa_meetings *meetings, struct mwa_activities *activities,
                                  struct mw_cursor *from)
{
    struct packed_pair packed = { 0 };
    enum mw_status status = mwa_unpack_into(from, &packed, 1, sizeof packed);
    struct pair *pair;

    if (status != MW_OK || packed.key >> 32 >= meetings->ranks ||
        (packed.key & UINT32_MAX) >= meetings->ranks ||
        mwa_map_get(&meetings->known, (struct mwa_key){ 0, packed.key }) != MWA_MAP_ABSENT) {
        return MW_ERROR_FORMAT;
    }
    pair = mwa_meetings_find_pair(meetings, (struct mwa_key){ 0, packed.key });
    if (!pair) {
        return MW_ERROR_MEMORY;
    }
    pair->time = packed.time;
    pair->is_at_leave = packed.is_at_leave != 0;
    for (unsigned side = 0; side < 2 && status == MW_OK; side++) {
        status = unpack_standing(activities, from, &pair->standings[side]);
    }
    for (unsigned side = 0; side < 2 && status == MW_OK; side++) {
        if (side == 0 || mwa_pair_rank(pair, 0) != mwa_pair_rank(pair, 1)) {
            mwa_meetings_put_last(meetings, pair, side);
        }
    }
    return status == MW_OK && meetings->have_forgotten ? MW_ERROR_FORMAT : status;
}

static enum mw_status unpack_part(struct mwa_meetings *meetings, struct mwa_activities *activities,
                                  struct mw_cursor *from)
{
    struct packed_part packed;
    enum mw_status status = mwa_unpack_into(from, &packed, 1, sizeof packed);
    struct part *part;

    if (status != MW_OK || packed.rank >= meetings->ranks || packed.at >= PARTS) {
        return MW_ERROR_FORMAT;
    }
    part = &mwa_meetings_parts(meetings, packed.rank)[packed.at];
    if (part->standing) {
        return MW_ERROR_FORMAT;
    }
    part->in = packed.in;
    return unpack_standing(activities, from, &part->standing);
}

enum mw_status mwa_meetings_unpack(struct mwa_meetings *meetings,
                                   struct mwa_activities *activities, struct mw_cursor *from)
{
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_into(from, &count, 1, sizeof count);

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = unpack_pair(meetings, activities, from);
    }
    if (status == MW_OK) {
        status = mwa_unpack_into(from, &count, 1, sizeof count);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = unpack_part(meetings, activities, from);
    }
    return status == MW_OK ? mwa_unpack_into(from, meetings->grouped, meetings->ranks,
                                             sizeof *meetings->grouped)
                           : status;
}
