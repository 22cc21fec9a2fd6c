#include "formats/merge/merge_user.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/order.h"
#include "formats/merge/merge.h"
#include "formats/spool/record.h"
#include "formats/spool/tallies.h"

/* --- words -------------------------------------------------------------------- */

static bool word_is(const void *context, uint32_t index, const void *key)
{
    return strcmp(((const char *const *)context)[index], key) == 0;
}

/* The index of word among words, where it is added if need be; MW_MERGED_NONE: no memory. */
static uint32_t share_word(const char ***words, uint32_t *count, struct mw_index_table *index,
                           const char *word)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, word, strlen(word));
    uint32_t id = mw_index_find(index, hash, word_is, *words, word);

    if (id != MW_INDEX_NONE) {
        return id;
    }
    id = *count;
    if (!mw_array_grow((void **)words, id, sizeof **words) || !mw_index_add(index, hash, id)) {
        return MW_MERGED_NONE;
    }
    (*words)[(*count)++] = word;
    return id;
}

/* The next of a process's own numbers is id. */
static bool add_id(uint32_t **ids, uint32_t *count, uint32_t id)
{
    if (id == MW_MERGED_NONE || !mw_array_grow((void **)ids, *count, sizeof **ids)) {
        return false;
    }
    (*ids)[(*count)++] = id;
    return true;
}

static bool add_region(struct mw_merged_user *user, struct mw_user_map *map,
                       const struct mw_define_region *region)
{
    return add_id(&map->regions, &map->region_count,
                  share_word(&user->regions, &user->region_count, &user->by_region,
                             region->name));
}

static bool add_text(struct mw_merged_user *user, struct mw_user_map *map,
                     const struct mw_define_text *text)
{
    return add_id(&map->texts, &map->text_count,
                  share_word(&user->texts, &user->text_count, &user->by_text, text->value));
}

/* --- filtered calls --------------------------------------------------------------- */

static bool filtered_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_filtered *one = &((const struct mw_merged_filtered *)context)[index];
    const struct mw_merged_filtered *other = key;

    return one->comm == other->comm && one->call == other->call;
}

/* The sum for the communicator and call of added, which may be new; null without memory. */
static struct mw_merged_filtered *filtered_of(struct mw_merged_user *user,
                                              const struct mw_merged_filtered *added)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, &added->comm, sizeof added->comm);
    uint32_t index;

    hash = mw_hash_bytes(hash, &added->call, sizeof added->call);
    index = mw_index_find(&user->by_filtered, hash, filtered_is, user->filtered, added);
    if (index == MW_INDEX_NONE) {
        index = user->filtered_count;
        if (!mw_array_grow((void **)&user->filtered, index, sizeof *user->filtered) ||
            !mw_index_add(&user->by_filtered, hash, index)) {
            return NULL;
        }
        user->filtered[user->filtered_count++] =
            (struct mw_merged_filtered){.comm = added->comm, .call = added->call};
    }
    return &user->filtered[index];
}

static bool add_filtered(struct mw_merged *merged, struct mw_merged_rank *rank,
                         const struct mw_define_filtered *define)
{
    struct mw_merged_filtered added = {
        .comm = mw_merged_comm_of(rank, define->comm),
        .call = define->call,
    };
    struct mw_merged_filtered *sum;

    if (define->call >= MW_CALL_COUNT) {
        return true;
    }
    rank->filtered.calls += define->calls;
    rank->filtered.bytes_sent += define->bytes_sent;
    rank->filtered.bytes_received += define->bytes_received;
    sum = filtered_of(&merged->user, &added);
    if (sum) {
        sum->calls += define->calls;
        sum->bytes_sent += define->bytes_sent;
        sum->bytes_received += define->bytes_received;
    }
    return sum != NULL;
}

bool mw_merge_tallies(struct mw_merged *merged, const struct mw_merge_part *part)
{
    bool enough = true;

    for (uint32_t i = 0; enough && i < part->tally_count; i++) {
        struct mw_tally tally;

        memcpy(&tally, (const char *)part->tallies + i * sizeof tally, sizeof tally);
        enough = add_filtered(merged, &merged->ranks[part->rank],
                              &(struct mw_define_filtered){.comm = tally.comm,
                                                           .call = tally.call - 1,
                                                           .calls = tally.calls,
                                                           .bytes_sent = tally.sent,
                                                           .bytes_received = tally.received});
    }
    return enough;
}

static int by_comm_and_call(const void *left, const void *right)
{
    const struct mw_merged_filtered *a = left;
    const struct mw_merged_filtered *b = right;

    return mw_order(a->comm, b->comm) ?: mw_order(a->call, b->call);
}

void mw_merge_sort_filtered(struct mw_merged *merged)
{
    if (merged->user.filtered_count > 0) {
        qsort(merged->user.filtered, merged->user.filtered_count,
              sizeof *merged->user.filtered, by_comm_and_call);
    }
}

bool mw_merge_user(struct mw_merged *merged, uint32_t rank,
                   const struct mw_definition *definition)
{
    struct mw_merged_rank *of = &merged->ranks[rank];

    switch (definition->kind) {
    case MW_DEFINE_REGION:
        return add_region(&merged->user, &of->user, &definition->of.region);
    case MW_DEFINE_TEXT:
        return add_text(&merged->user, &of->user, &definition->of.text);
    case MW_DEFINE_FILTERED:
        return add_filtered(merged, of, &definition->of.filtered);
    case MW_DEFINE_MISUSE:
        of->misuse = definition->of.misuse;
        return true;
    default:
        return true;
    }
}

/* --- registrations ------------------------------------------------------------------ */

bool mw_merge_registered(struct mw_merged *merged, const struct mw_merged_name *given)
{
    struct mw_merged_user *user = &merged->user;
    struct mw_merged_comm *comm = &merged->comms[given->comm];
    uint32_t index = user->registration_count;

    if (given->source == MW_NAME_MPI) {
        return true;
    }
    if (comm->last_registration != MW_MERGED_NONE) {
        struct mw_merged_registration *last = &user->registrations[comm->last_registration];

        if (last->rank == given->rank && last->to == 0) {
            last->to = given->time;
        }
    }
    if (given->source != MW_NAME_REGISTERED) {
        return true;
    }
    if (!mw_array_grow((void **)&user->registrations, index, sizeof *user->registrations)) {
        return false;
    }
    user->registrations[user->registration_count++] = (struct mw_merged_registration){
        .rank = given->rank,
        .next = MW_MERGED_NONE,
        .name = given->name,
        .from = given->time,
    };
    if (comm->last_registration == MW_MERGED_NONE) {
        comm->first_registration = index;
    } else {
        user->registrations[comm->last_registration].next = index;
    }
    comm->last_registration = index;
    return true;
}

/* --- the end ---------------------------------------------------------------------- */

void mw_merged_user_fini(struct mw_merged_user *user)
{
    free(user->regions);
    free(user->texts);
    free(user->registrations);
    free(user->filtered);
    mw_index_fini(&user->by_region);
    mw_index_fini(&user->by_text);
    mw_index_fini(&user->by_filtered);
    memset(user, 0, sizeof *user);
}

void mw_user_map_fini(struct mw_user_map *map)
{
    free(map->regions);
    free(map->texts);
    memset(map, 0, sizeof *map);
}

void mw_user_map_append(const struct mw_user_map *map, uint32_t first_region,
                        struct mw_buffer *buffer)
{
    mw_buffer_append(buffer, &map->region_count, sizeof map->region_count);
    for (uint32_t i = 0; i < map->region_count; i++) {
        uint32_t id = first_region + map->regions[i];

        mw_buffer_append(buffer, &id, sizeof id);
    }
    mw_buffer_append(buffer, &map->text_count, sizeof map->text_count);
    mw_buffer_append(buffer, map->texts, map->text_count * sizeof *map->texts);
}

static bool take_ids(struct mw_cursor *cursor, uint32_t **ids, uint32_t *count)
{
    if (!mw_cursor_take(cursor, count, sizeof *count) ||
        *count > cursor->left / sizeof(uint32_t)) {
        *count = 0;
        return false;
    }
    *ids = malloc((*count > 0 ? *count : 1) * sizeof **ids);
    return *ids && mw_cursor_take(cursor, *ids, *count * sizeof **ids);
}

bool mw_user_map_take(struct mw_cursor *cursor, struct mw_user_map *map)
{
    memset(map, 0, sizeof *map);
    return take_ids(cursor, &map->regions, &map->region_count) &&
           take_ids(cursor, &map->texts, &map->text_count);
}
