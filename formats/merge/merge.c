/*
 * Processes number communicators as they meet them and know only their own place
 * in each. By uid they become one; what none of them has told stays unknown, and
 * what they contradict each other in is marked and not decided.
 */
#include "formats/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/merge/merge_clocks.h"
#include "formats/merge/merge_meetings.h"
#include "formats/merge/merge_names.h"
#include "formats/merge/merge_variables.h"
#include "formats/spool/definition_reader.h"
#include "formats/spool/known.h"
#include "formats/spool/record.h"

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to merge definitions");
}

/* --- sides ------------------------------------------------------------------ */

static void free_side(struct mw_merged_side *side)
{
    mw_members_fini(&side->members);
    free(side->created);
    free(side->freed);
}

/*
 * Sets who member is; *agrees is false when somebody else was there already. World ranks that this
 * world does not have are those of another (MPI_Comm_spawn): they stay unknown. False without
 * memory.
 */
static bool set_member(struct mw_merged_side *side, uint32_t member, uint32_t world_rank,
                       uint32_t world_size, bool *agrees)
{
    bool agrees_here = member < side->members.size;
    bool enough = !agrees_here || world_rank >= world_size ||
                  mw_members_set(&side->members, member, world_rank, &agrees_here);

    *agrees = *agrees && agrees_here;
    return enough;
}

/* Sets a member's time, of whose 0 nothing is kept. False without memory. */
static bool set_time(const struct mw_merged_side *side, uint64_t **times, uint32_t member,
                     uint64_t time)
{
    if (!*times && time != 0) {
        *times = calloc(side->members.size, sizeof **times);
        if (!*times) {
            return false;
        }
    }
    if (*times) {
        (*times)[member] = time;
    }
    return true;
}

/* The side that a process, which defined the communicator as define, belongs to. */
static struct mw_merged_side *side_of(struct mw_merged_comm *comm,
                                      const struct mw_define_comm *define)
{
    bool second =
        comm->side_count == 2 && !mw_uid_equal(comm->sides[0].hash, define->local_group);

    return &comm->sides[second];
}

/* --- communicators ------------------------------------------------------------ */

static bool uid_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_comm *comms = context;
    const struct mw_merged_comm *comm = &comms[index];

    /* The uids of MPI_COMM_SELF differ between processes: their hash has to do. */
    return index <= MW_COMM_SELF || mw_uid_equal(comm->uid, *(const struct mw_uid *)key);
}

uint32_t mw_merged_find_comm(const struct mw_merged *merged, struct mw_uid uid)
{
    return mw_uid_is_none(uid) ? MW_MERGED_NONE
                               : mw_index_find(&merged->by_uid, uid.high ^ uid.low, uid_is,
                                               merged->comms, &uid);
}

static struct mw_merged_comm *append_comm(struct mw_merged *merged)
{
    if (!mw_array_grow((void **)&merged->comms, merged->comm_count, sizeof *merged->comms)) {
        return NULL;
    }
    struct mw_merged_comm *comm = &merged->comms[merged->comm_count++];

    memset(comm, 0, sizeof *comm);
    comm->parent = MW_MERGED_NONE;
    comm->call = MW_CALL_COUNT;
    comm->meeting = MW_MERGED_NONE;
    comm->first_name = MW_MERGED_NONE;
    comm->last_name = MW_MERGED_NONE;
    comm->first_registration = MW_MERGED_NONE;
    comm->last_registration = MW_MERGED_NONE;
    comm->side_count = 1;
    return comm;
}

/* A communicator that no process before has defined. */
static bool add_new_comm(struct mw_merged *merged, const struct mw_define_comm *define)
{
    struct mw_merged_comm *comm = append_comm(merged);

    if (!comm) {
        return false;
    }
    comm->uid = define->uid;
    comm->parent_uid = define->parent;
    comm->parent = mw_merged_find_comm(merged, define->parent);
    comm->call = define->call < MW_CALL_COUNT ? define->call : MW_CALL_COUNT;
    comm->sequence = define->sequence;
    comm->flags = define->flags;
    comm->side_count = define->flags & MW_COMM_INTER ? 2 : 1;
    comm->sides[0].hash = define->local_group;
    comm->sides[0].members.size = define->size;
    comm->sides[1].hash = define->remote_group;
    comm->sides[1].members.size = define->remote_size;
    return mw_index_add(&merged->by_uid, define->uid.high ^ define->uid.low,
                        merged->comm_count - 1);
}

/* MPI_COMM_WORLD and MPI_COMM_SELF are there from the start; a process brings their uid. */
static bool meet_predefined(struct mw_merged *merged, const struct mw_define_comm *define)
{
    struct mw_merged_comm *comm = &merged->comms[define->comm];

    if (mw_uid_is_none(define->uid) || mw_merged_find_comm(merged, define->uid) == define->comm) {
        return true;
    }
    if (mw_uid_is_none(comm->uid)) {
        comm->uid = define->uid;
    }
    return mw_index_add(&merged->by_uid, define->uid.high ^ define->uid.low, define->comm);
}

/* What a process knows of its side: its own place, member 0, perhaps all. */
static bool add_members(const struct mw_merged *merged, struct mw_merged_comm *comm,
                        struct mw_merged_side *side, const struct mw_define_comm *define,
                        uint32_t rank)
{
    uint32_t world_size = merged->rank_count;
    bool agrees = true;
    bool enough = set_member(side, 0, define->leader, world_size, &agrees);

    for (uint32_t i = 0; enough && i < define->member_count; i++) {
        enough = set_member(side, i, define->members[i], world_size, &agrees);
    }
    enough = enough && set_member(side, define->rank, rank, world_size, &agrees);
    comm->contradicted |= !agrees;
    return enough;
}

static bool map_comm(struct mw_merged_rank *rank, uint32_t number, uint32_t id)
{
    if (!mw_array_widen((void **)&rank->comms, &rank->comm_count, number, sizeof *rank->comms,
                        0xff)) {
        return false;
    }
    rank->comms[number] = id;
    return true;
}

/* Packs the map of a rank to which nothing more is added. False without memory. */
static bool pack_comms(struct mw_merged_rank *rank)
{
    bool agrees;

    while (rank->comm_count > 0 && rank->comms[rank->comm_count - 1] == MW_MERGED_NONE) {
        rank->comm_count--;
    }
    rank->packed_comms.size = rank->comm_count;
    for (uint32_t i = 0; i < rank->comm_count; i++) {
        if (!mw_members_set(&rank->packed_comms, i, rank->comms[i], &agrees)) {
            return false;
        }
    }
    free(rank->comms);
    rank->comms = NULL;
    return true;
}

static bool add_comm(struct mw_merged *merged, uint32_t rank,
                     const struct mw_define_comm *define)
{
    struct mw_merged_rank *of = &merged->ranks[rank];
    uint64_t created = mw_merged_told(of, define->created);
    uint32_t id;

    if (define->comm <= MW_COMM_SELF) {
        return meet_predefined(merged, define);
    }
    id = mw_merged_find_comm(merged, define->uid);
    if (id == MW_MERGED_NONE) {
        id = merged->comm_count;
        if (!add_new_comm(merged, define)) {
            return false;
        }
    }
    struct mw_merged_comm *comm = &merged->comms[id];
    struct mw_merged_side *side = side_of(comm, define);

    if (id <= MW_COMM_SELF || side->members.size != define->size) {
        comm->contradicted = true;
        return map_comm(of, define->comm, MW_MERGED_NONE); /* as if its definition had been lost */
    }
    if (!add_members(merged, comm, side, define, rank)) {
        return false;
    }
    comm->flags |= define->flags & MW_COMM_OTHER_JOB;
    comm->two_parents |= !mw_uid_equal(comm->parent_uid, define->parent);
    if (define->rank < side->members.size &&
        !set_time(side, &side->created, define->rank, created)) {
        return false;
    }
    return map_comm(of, define->comm, id);
}

/* Says when the rank, which has a place in communicator id, freed it. False without memory. */
static bool set_freed(const struct mw_merged *merged, uint32_t rank, uint32_t id, uint32_t place,
                      uint64_t time)
{
    struct mw_merged_comm *comm = &merged->comms[id];

    for (uint32_t i = 0; i < comm->side_count; i++) {
        struct mw_merged_side *side = &comm->sides[i];

        if (place < side->members.size && mw_members_at(&side->members, place) == rank) {
            return set_time(side, &side->freed, place, time);
        }
    }
    return true;
}

/* --- a process ------------------------------------------------------------------ */

/* A process while it is added. */
struct adding {
    struct mw_merged *merged;
    struct mw_merged_rank *rank;
    uint32_t number;
    uint32_t *places; /* its rank in each of its communicators, by its own number */
    uint32_t place_count;
};

static bool remember_place(struct adding *adding, const struct mw_define_comm *define)
{
    if (!mw_array_widen((void **)&adding->places, &adding->place_count, define->comm,
                        sizeof *adding->places, 0xff)) {
        return false;
    }
    adding->places[define->comm] = define->rank;
    return true;
}

static bool add_freed(struct adding *adding, const struct mw_define_comm_freed *freed)
{
    struct mw_merged_rank *rank = adding->rank;

    uint32_t id = mw_merged_comm_of(rank, freed->comm);

    return id == MW_MERGED_NONE || freed->comm >= adding->place_count ||
           set_freed(adding->merged, adding->number, id, adding->places[freed->comm],
                     mw_merged_told(rank, freed->time));
}

static bool add_name(struct adding *adding, const struct mw_define_comm_name *name)
{
    struct mw_merged_rank *rank = adding->rank;

    uint32_t id = mw_merged_comm_of(rank, name->comm);

    if (id == MW_MERGED_NONE) {
        return true; /* of a communicator whose definition was lost */
    }
    struct mw_merged_name given = {
        .comm = id,
        .source = name->source,
        .rank = adding->number,
        .next = MW_MERGED_NONE,
        .time = mw_merged_told(rank, name->time),
        .name = name->name,
    };

    return mw_merge_registered(adding->merged, &given) && mw_merge_name(adding->merged, &given);
}

static bool add_setting(struct adding *adding, const struct mw_define_setting *setting)
{
    struct mw_merged *merged = adding->merged;

    if (strcmp(setting->name, "time-unit") == 0) {
        adding->rank->time_unit = mw_clock_unit(setting->value);
    }
    if (merged->setting_count > 0 && merged->setting_rank != adding->number) {
        return true; /* the launcher gives all processes the same */
    }
    if (!mw_array_grow((void **)&merged->settings, merged->setting_count,
                       sizeof *merged->settings)) {
        return false;
    }
    merged->setting_rank = adding->number;
    merged->settings[merged->setting_count++] =
        (struct mw_merged_setting){setting->name, setting->value};
    return true;
}

static bool add_circumstance(struct mw_merged_rank *rank,
                             const struct mw_define_circumstance *circumstance)
{
    if (!mw_array_grow((void **)&rank->circumstances, rank->circumstance_count,
                       sizeof *rank->circumstances)) {
        return false;
    }
    rank->circumstances[rank->circumstance_count++] = *circumstance;
    return true;
}

/* Takes in one definition; false without memory. */
static bool add_definition(struct adding *adding, const struct mw_definition *definition)
{
    struct mw_merged_rank *rank = adding->rank;

    switch (definition->kind) {
    case MW_DEFINE_PROCESS:
        rank->process = definition->of.process;
        rank->has_process = true;
        return true;
    case MW_DEFINE_THREAD:
        if (definition->of.thread.is_main) {
            rank->main_thread = definition->of.thread.thread;
        }
        return true;
    case MW_DEFINE_COMM:
        return remember_place(adding, &definition->of.comm) &&
               add_comm(adding->merged, adding->number, &definition->of.comm);
    case MW_DEFINE_COMM_LIKE: /* comes as MW_DEFINE_COMM */
        return true;
    case MW_DEFINE_MEETING:
        return mw_merge_meeting(adding->merged, adding->number, &definition->of.meeting);
    case MW_DEFINE_COMM_NAME:
        return add_name(adding, &definition->of.comm_name);
    case MW_DEFINE_COMM_FREED:
        return add_freed(adding, &definition->of.comm_freed);
    case MW_DEFINE_CLOCK:
        return mw_clock_add(&rank->clock, &rank->clock_count, &definition->of.clock,
                            rank->process.time_resolution);
    case MW_DEFINE_SETTING:
        return add_setting(adding, &definition->of.setting);
    case MW_DEFINE_LOSS:
        if (definition->of.loss.reason < MW_LOSS_REASON_COUNT) {
            rank->lost[definition->of.loss.reason] += definition->of.loss.count;
        }
        return true;
    case MW_DEFINE_METRIC:
    case MW_DEFINE_BASELINE:
    case MW_DEFINE_CVAR:
    case MW_DEFINE_OFFER:
    case MW_DEFINE_OWN_TRAFFIC:
        return mw_merge_variable(adding->merged, adding->number, definition);
    case MW_DEFINE_END:
        rank->has_end = true;
        rank->end = definition->of.end;
        return true;
    case MW_DEFINE_OBJECT:
        return mw_objects_add(&adding->merged->objects, &rank->objects, &definition->of.object);
    case MW_DEFINE_OBJECT_NAME:
        mw_objects_name(&adding->merged->objects, &rank->objects, &definition->of.object_name);
        return true;
    case MW_DEFINE_SOURCES:
        return mw_merge_sources(&rank->sources, &definition->of.sources);
    case MW_DEFINE_FILTERED:
    case MW_DEFINE_REGION:
    case MW_DEFINE_TEXT:
    case MW_DEFINE_MISUSE:
        return mw_merge_user(adding->merged, adding->number, definition);
    case MW_DEFINE_MODULE ... MW_DEFINE_STACK:
    case MW_DEFINE_LINE:
    case MW_DEFINE_LINE_FRAME:
        return mw_merge_site(&adding->merged->sites, &rank->sites, definition);
    case MW_DEFINE_CIRCUMSTANCE:
        return add_circumstance(rank, &definition->of.circumstance);
    case MW_DEFINE_SAMPLED ... MW_DEFINE_CREW:
        return mw_merge_samples(adding->merged, adding->number, definition);
    }
    return true;
}

static enum mw_status add_definitions(struct adding *adding, const struct mw_merge_part *part,
                                      struct mw_diagnostic *diagnostic)
{
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    struct mw_known known;
    enum mw_status status = mw_definition_reader_create_image(
        part->where, part->image, part->image_bytes, &reader, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    if (!mw_known_init(&known)) {
        status = no_memory(diagnostic);
    }
    while (status == MW_OK) {
        bool is_taken = true;

        status = mw_definition_reader_next(reader, &definition, diagnostic);
        if (status == MW_OK && definition.kind == MW_DEFINE_FILTERED && part->tally_count > 0) {
            continue;
        }
        if (status == MW_OK &&
            (!mw_known_add(&known, &definition, &is_taken) ||
             (is_taken && !(mw_merge_keep_texts(&adding->merged->texts, &definition) &&
                            add_definition(adding, &definition))))) {
            status = no_memory(diagnostic);
        }
        adding->rank->damaged |= !is_taken;
    }
    mw_known_fini(&known);
    mw_definition_reader_destroy(reader);
    if (status == MW_ERROR_FORMAT && part->salvage) {
        adding->rank->damaged = true;
        status = MW_OK;
    }
    return status == MW_END ? MW_OK : status;
}

enum mw_status mw_merge_add(struct mw_merged *merged, const struct mw_merge_part *part,
                            struct mw_diagnostic *diagnostic)
{
    struct mw_merged_rank *rank = &merged->ranks[part->rank];
    struct adding adding = {.merged = merged, .rank = rank, .number = part->rank};
    size_t bytes = part->location_count * sizeof *rank->locations;
    enum mw_status status;

    rank->locations = malloc(bytes > 0 ? bytes : 1);
    if (!rank->locations || !map_comm(rank, MW_COMM_WORLD, MW_COMM_WORLD) ||
        !map_comm(rank, MW_COMM_SELF, MW_COMM_SELF)) {
        return no_memory(diagnostic);
    }
    memcpy(rank->locations, part->locations, bytes);
    rank->location_count = part->location_count;
    for (uint32_t i = 0; i < rank->location_count; i++) {
        rank->lost[MW_LOSS_SPACE] += rank->locations[i].gone + rank->locations[i].lost;
        rank->lost[MW_LOSS_LIMIT] += rank->locations[i].overwritten;
        rank->lost[MW_LOSS_DAMAGE] += rank->locations[i].untold;
    }
    if (!part->image) {
        return MW_OK; /* a rank without a spool */
    }
    rank->recorded = true;
    rank->damaged = part->damaged;
    status = add_definitions(&adding, part, diagnostic);
    if (status == MW_OK && (!mw_merge_tallies(merged, part) || !pack_comms(rank))) {
        status = no_memory(diagnostic);
    }
    free(adding.places);
    return status;
}

/* --- all of them ------------------------------------------------------------------ */

/* MPI_COMM_WORLD, whose members need no one's word, and MPI_COMM_SELF. */
static bool add_predefined(struct mw_merged *merged)
{
    struct mw_merged_comm *comm = append_comm(merged);

    if (!comm) {
        return false;
    }
    comm->flags = MW_COMM_PREDEFINED;
    comm->sides[0].members.size = merged->rank_count;
    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        bool agrees;

        if (!mw_members_set(&comm->sides[0].members, rank, rank, &agrees)) {
            return false;
        }
    }
    comm = append_comm(merged);
    if (!comm) {
        return false;
    }
    comm->flags = MW_COMM_PREDEFINED;
    comm->is_self = true;
    comm->side_count = 0;
    return true;
}

enum mw_status mw_merged_init(struct mw_merged *merged, uint32_t rank_count,
                              struct mw_diagnostic *diagnostic)
{
    memset(merged, 0, sizeof *merged);
    merged->rank_count = rank_count;
    merged->ranks = calloc(rank_count, sizeof *merged->ranks);
    if (!merged->ranks || !add_predefined(merged)) {
        return no_memory(diagnostic);
    }
    return MW_OK;
}

/* Group A of an inter-communicator is the one with the lowest world rank. */
static void order_sides(struct mw_merged_comm *comm)
{
    if (comm->side_count == 2 &&
        mw_members_lowest(&comm->sides[1].members) < mw_members_lowest(&comm->sides[0].members)) {
        struct mw_merged_side first = comm->sides[0];

        comm->sides[0] = comm->sides[1];
        comm->sides[1] = first;
    }
}

enum mw_status mw_merge_finish(struct mw_merged *merged, struct mw_diagnostic *diagnostic)
{
    for (uint32_t id = 0; id < merged->comm_count; id++) {
        struct mw_merged_comm *comm = &merged->comms[id];

        order_sides(comm);
        for (uint32_t i = 0; i < comm->side_count; i++) {
            struct mw_merged_side *side = &comm->sides[i];

            if (!mw_members_settle(&side->members) ||
                !mw_merge_share_group(merged, &side->members, &side->group)) {
                return no_memory(diagnostic);
            }
        }
        if (comm->parent == MW_MERGED_NONE) {
            comm->parent = mw_merged_find_comm(merged, comm->parent_uid);
        }
    }
    if (!mw_merge_source_groups(merged)) {
        return no_memory(diagnostic);
    }
    mw_merge_number_contingents(merged);
    mw_merge_sort_filtered(merged);
    return mw_merge_clocks(merged) && mw_merge_choose_names(merged) ? MW_OK : no_memory(diagnostic);
}

void mw_merged_fini(struct mw_merged *merged)
{
    for (uint32_t i = 0; merged->ranks && i < merged->rank_count; i++) {
        free(merged->ranks[i].clock);
        free(merged->ranks[i].locations);
        free(merged->ranks[i].comms);
        mw_members_fini(&merged->ranks[i].packed_comms);
        free(merged->ranks[i].metrics);
        free(merged->ranks[i].circumstances);
        mw_object_map_fini(&merged->ranks[i].objects);
        mw_user_map_fini(&merged->ranks[i].user);
        mw_site_map_fini(&merged->ranks[i].sites);
        mw_source_map_fini(&merged->ranks[i].sources);
    }
    for (uint32_t i = 0; i < merged->comm_count; i++) {
        free_side(&merged->comms[i].sides[0]);
        free_side(&merged->comms[i].sides[1]);
        free(merged->comms[i].default_name);
    }
    free(merged->ranks);
    free(merged->comms);
    free(merged->meetings);
    free(merged->names);
    free(merged->groups);
    mw_merged_source_groups_fini(merged);
    free(merged->settings);
    mw_merged_variables_fini(&merged->variables);
    mw_objects_fini(&merged->objects);
    mw_merged_samples_fini(&merged->samples);
    mw_merged_sites_fini(&merged->sites);
    mw_merged_user_fini(&merged->user);
    mw_index_fini(&merged->by_uid);
    mw_index_fini(&merged->by_name);
    mw_index_fini(&merged->by_members);
    mw_merged_texts_fini(&merged->texts);
    memset(merged, 0, sizeof *merged);
}

uint64_t mw_merged_time(const struct mw_merged *merged, uint32_t rank, uint64_t time)
{
    const struct mw_merged_rank *of = &merged->ranks[rank];

    return mw_clock_correct(of->clock, of->clock_count, time);
}
