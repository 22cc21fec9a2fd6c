/*
 * OTF2 has no place for how a run was recorded, what was lost, and where a
 * communicator comes from: mpiwatch.json tells it. Written record by record
 * without a library, since jansson is not in the recorder and a document of a
 * hundred thousand communicators should not stand in memory.
 */
#include "formats/archive/archive_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/archive/archive_json_samples.h"
#include "formats/archive/archive_json_sites.h"
#include "formats/archive/archive_json_user.h"
#include "formats/archive/global_definitions.h"
#include "formats/archive/archive_json_variables.h"
#include "formats/archive/archive_words.h"
#include "formats/base/json_writer.h"
#include "formats/table/calls.h"

/* Of all communicators that tell more than their names: with their times it is some 16 MB. */
#define LISTED_MEMBERS ((uint64_t)1000000)

static const char *const loss_names[MW_LOSS_REASON_COUNT] = {
    [MW_LOSS_SPACE] = "space",   [MW_LOSS_LIMIT] = "limit",     [MW_LOSS_MEMORY] = "memory",
    [MW_LOSS_PAUSED] = "paused", [MW_LOSS_REQUEST] = "request",
    [MW_LOSS_DAMAGE] = "damage",
};

static void write_uid(struct mw_json *json, const char *key, struct mw_uid uid)
{
    char text[33];

    if (mw_uid_is_none(uid)) {
        mw_json_null(json, key);
        return;
    }
    snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, uid.high, uid.low);
    mw_json_text(json, key, text);
}

/* A time of rank, on rank 0's clock; 0 stands for one that is not known. */
static void write_time(struct mw_json *json, const char *key, const struct mw_merged *merged,
                       uint32_t rank, uint64_t time)
{
    uint64_t corrected = mw_merged_time(merged, rank, time);

    if (time == 0 || time > MW_TIME_MAX || corrected > MW_TIME_MAX) {
        mw_json_null(json, key);
    } else {
        mw_json_unsigned(json, key, corrected);
    }
}

/* --- the run --------------------------------------------------------------------- */

static void write_settings(struct mw_json *json, const struct mw_merged *merged)
{
    mw_json_object(json, "settings");
    for (uint32_t i = 0; i < merged->setting_count; i++) {
        mw_json_text(json, merged->settings[i].name, merged->settings[i].value);
    }
    mw_json_object_end(json);
}

/* Circumstances of a kind, and of a thread if it is that, by their names. */
static void write_circumstances(struct mw_json *json, const struct mw_merged_rank *rank,
                                enum mw_circumstance_of of, uint32_t thread)
{
    for (uint32_t i = 0; i < rank->circumstance_count; i++) {
        const struct mw_define_circumstance *circumstance = &rank->circumstances[i];

        if (circumstance->of == of &&
            (of != MW_CIRCUMSTANCE_OF_THREAD || circumstance->thread == thread)) {
            mw_json_text(json, circumstance->name, circumstance->value);
        }
    }
}

/* What all processes have in common: rank 0 tells it. */
static void write_common_circumstances(struct mw_json *json, const struct mw_merged *merged)
{
    const struct mw_merged_rank *rank = &merged->ranks[0];

    mw_json_object(json, "job");
    write_circumstances(json, rank, MW_CIRCUMSTANCE_OF_JOB, 0);
    mw_json_object_end(json);
    mw_json_object(json, "mpi_environment");
    write_circumstances(json, rank, MW_CIRCUMSTANCE_OF_MPI, 0);
    mw_json_object_end(json);
    mw_json_object(json, "circumstances");
    write_circumstances(json, rank, MW_CIRCUMSTANCE_OF_RUN, 0);
    mw_json_object_end(json);
}

/* The program is that of the lowest rank that told one. */
static void write_run(struct mw_json *json, const struct mw_merged *merged,
                      const struct mw_archive_about *about)
{
    static const struct mw_define_process unknown;
    const struct mw_define_process *process = &unknown;
    char nonce[17];

    for (uint32_t i = merged->rank_count; i-- > 0;) {
        process = merged->ranks[i].has_process ? &merged->ranks[i].process : process;
    }
    snprintf(nonce, sizeof nonce, "%016" PRIx64, about->nonce);
    mw_json_text(json, "schema", "mpiwatch-archive/1");
    mw_json_text(json, "nonce", nonce);
    mw_json_text(json, "program", process->program);
    mw_json_text(json, "arguments", process->arguments);
    mw_json_text(json, "working_directory", process->working_directory);
    mw_json_text(json, "recorder", process->recorder);
    mw_json_text(json, "mpi_library", process->mpi_library);
    mw_json_bool(json, "complete", about->complete);
    mw_json_text(json, "ended", about->ended);
    write_settings(json, merged);
    write_common_circumstances(json, merged);
    mw_json_unsigned(json, "ranks_expected", merged->rank_count);
}

/* --- ranks ------------------------------------------------------------------------- */

/* What the location's times were read from; all are those of CLOCK_MONOTONIC. */
static const char *clock_of(const struct mw_location_stats *location)
{
    if (location->clock_points == 0) {
        return "CLOCK_MONOTONIC";
    }
    return location->clock_given_up ? "TSC, then CLOCK_MONOTONIC" : "TSC";
}

static void write_location(struct mw_json *json, const struct mw_merged *merged,
                           const struct mw_location_stats *location)
{
    const struct mw_merged_rank *rank = &merged->ranks[location->rank];

    mw_json_object(json, NULL);
    mw_json_unsigned(json, "thread", location->thread);
    mw_json_bool(json, "main", location->thread == rank->main_thread);
    mw_json_unsigned(json, "calls", location->calls);
    mw_json_unsigned(json, "events", location->events);
    write_time(json, "first_ns", merged, location->rank, location->first);
    write_time(json, "last_ns", merged, location->rank, location->last);
    mw_json_unsigned(json, "clamped_times", location->clamped);
    mw_json_text(json, "clock", clock_of(location));
    mw_json_unsigned(json, "clock_error_ns", location->clock_error);
    mw_json_bool(json, "damaged", location->damaged);
    mw_json_object(json, "circumstances");
    write_circumstances(json, rank, MW_CIRCUMSTANCE_OF_THREAD, location->thread);
    mw_json_object_end(json);
    if (location->open_call < MW_CALL_COUNT) {
        mw_json_object(json, "open_call");
        mw_json_text(json, "name", mw_call_name(location->open_call));
        write_time(json, "since_ns", merged, location->rank, location->open_enter);
        mw_json_object_end(json);
    } else {
        mw_json_null(json, "open_call");
    }
    mw_json_object_end(json);
}

static void write_clock(struct mw_json *json, const struct mw_merged_rank *rank)
{
    mw_json_array(json, "clock_offsets");
    for (size_t i = 0; i < rank->clock_count; i++) {
        mw_json_object(json, NULL);
        mw_json_unsigned(json, "time_ns", rank->clock[i].time);
        mw_json_signed(json, "offset_ns", rank->clock[i].offset);
        mw_json_unsigned(json, "error_ns", rank->clock[i].error);
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
}

static void write_process(struct mw_json *json, const struct mw_merged_rank *rank)
{
    static const char *const levels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                         "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
    const struct mw_define_process *process = &rank->process;

    if (!rank->has_process) {
        mw_json_text(json, "host", rank->lost_host);
        mw_json_null(json, "host_index");
        mw_json_null(json, "pid");
        mw_json_null(json, "thread_level");
        return;
    }
    mw_json_text(json, "host", process->host_name);
    mw_json_unsigned(json, "host_index", process->host);
    mw_json_unsigned(json, "pid", process->pid);
    mw_json_text(json, "thread_level",
                 process->thread_level < 4 ? levels[process->thread_level] : NULL);
}

/* How the process ended, where that is known. */
static void write_end(struct mw_json *json, const struct mw_merged_rank *rank)
{
    const char *how = rank->has_end ? mw_end_word(rank->end.how) : NULL;

    if (!how) {
        mw_json_null(json, "ended_by");
        mw_json_null(json, "end_code");
        return;
    }
    mw_json_text(json, "ended_by", how);
    mw_json_signed(json, "end_code", (int32_t)rank->end.code);
}

/* What the recorder did itself, null if it does not tell. */
static void write_own_traffic(struct mw_json *json, const struct mw_define_own_traffic *own)
{
    if (own->calls == 0) {
        mw_json_null(json, "own_traffic");
        return;
    }
    mw_json_object(json, "own_traffic");
    mw_json_unsigned(json, "calls", own->calls);
    mw_json_unsigned(json, "bytes_sent", own->sent);
    mw_json_unsigned(json, "bytes_received", own->received);
    mw_json_object_end(json);
}

static void write_rank(struct mw_json *json, const struct mw_merged *merged, uint32_t number)
{
    const struct mw_merged_rank *rank = &merged->ranks[number];
    uint64_t calls = 0;
    uint64_t events = 0;

    for (uint32_t i = 0; i < rank->location_count; i++) {
        calls += rank->locations[i].calls;
        events += rank->locations[i].events;
    }
    mw_json_object(json, NULL);
    mw_json_unsigned(json, "rank", number);
    mw_json_bool(json, "recorded", rank->recorded);
    mw_json_bool(json, "ended", mw_merged_is_finalized(rank));
    write_end(json, rank);
    mw_json_bool(json, "damaged", rank->damaged);
    write_process(json, rank);
    mw_json_unsigned(json, "calls", calls);
    mw_json_unsigned(json, "events", events);
    mw_json_object(json, "lost");
    for (unsigned reason = MW_LOSS_SPACE; reason < MW_LOSS_REASON_COUNT; reason++) {
        mw_json_unsigned(json, loss_names[reason], rank->lost[reason]);
    }
    mw_json_object_end(json);
    mw_json_rank_user(json, rank);
    write_own_traffic(json, &rank->own_traffic);
    mw_json_object(json, "circumstances");
    write_circumstances(json, rank, MW_CIRCUMSTANCE_OF_PROCESS, 0);
    mw_json_object_end(json);
    write_clock(json, rank);
    mw_json_array(json, "threads");
    for (uint32_t i = 0; i < rank->location_count; i++) {
        write_location(json, merged, &rank->locations[i]);
    }
    mw_json_array_end(json);
    mw_json_object_end(json);
}

/* --- communicators ------------------------------------------------------------------ */

static void write_names(struct mw_json *json, const struct mw_merged *merged, uint32_t first)
{
    mw_json_array(json, "names");
    for (uint32_t i = first; i != MW_MERGED_NONE; i = merged->names[i].next) {
        const struct mw_merged_name *name = &merged->names[i];

        mw_json_object(json, NULL);
        mw_json_text(json, "name", name->name);
        mw_json_text(json, "source", mw_name_source_word(name->source));
        mw_json_unsigned(json, "rank", name->rank);
        write_time(json, "time_ns", merged, name->rank, name->time);
        mw_json_object_end(json);
    }
    mw_json_array_end(json);
}

/* A list with a time for each member, null where it is not known; times null: of all. */
static void write_times(struct mw_json *json, const char *key, const struct mw_merged *merged,
                        const struct mw_merged_side *side, const uint64_t *times)
{
    mw_json_array(json, key);
    for (uint32_t i = 0; i < side->members.size; i++) {
        uint32_t member = mw_members_at(&side->members, i);

        if (!times || member == MW_MERGED_NONE) {
            mw_json_null(json, NULL);
        } else {
            write_time(json, NULL, merged, member, times[i]);
        }
    }
    mw_json_array_end(json);
}

/* The extremes of the times of a group's members, on rank 0's clock, that are known. */
static void write_extremes(struct mw_json *json, const char *const keys[2],
                           const struct mw_merged *merged, const struct mw_merged_side *side,
                           const uint64_t *times)
{
    uint64_t extremes[2] = {UINT64_MAX, 0};

    for (uint32_t i = 0; times && i < side->members.size; i++) {
        uint64_t time = mw_merged_time(merged, mw_members_at(&side->members, i), times[i]);

        if (times[i] != 0 && times[i] <= MW_TIME_MAX && time <= MW_TIME_MAX) {
            extremes[0] = time < extremes[0] ? time : extremes[0];
            extremes[1] = time > extremes[1] ? time : extremes[1];
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        if (extremes[0] > extremes[1]) {
            mw_json_null(json, keys[i]);
        } else {
            mw_json_unsigned(json, keys[i], extremes[i]);
        }
    }
}

static void write_lists(struct mw_json *json, const struct mw_merged *merged,
                        const struct mw_merged_side *side, bool predefined)
{
    mw_json_array(json, "members");
    for (uint32_t i = 0; i < side->members.size; i++) {
        uint32_t member = mw_members_at(&side->members, i);

        if (member == MW_MERGED_NONE) {
            mw_json_null(json, NULL);
        } else {
            mw_json_unsigned(json, NULL, member);
        }
    }
    mw_json_array_end(json);
    if (!predefined) {
        write_times(json, "created_ns", merged, side, side->created);
        write_times(json, "freed_ns", merged, side, side->freed);
    }
}

/*
 * A group, whose members are listed as long as lists come to no more than *room members, or where
 * some are not known, so that OTF2's group does not have all.
 */
static void write_side(struct mw_json *json, const struct mw_merged *merged,
                       const struct mw_merged_side *side, bool predefined, uint64_t *room)
{
    static const char *const created[] = {"created_first_ns", "created_last_ns"};
    static const char *const freed[] = {"freed_first_ns", "freed_last_ns"};
    uint32_t size = side->members.size;

    mw_json_object(json, NULL);
    mw_json_unsigned(json, "size", size);
    if (size <= *room || side->members.known < size) {
        *room -= size < *room ? size : *room;
        write_lists(json, merged, side, predefined);
    } else if (!predefined) {
        write_extremes(json, created, merged, side, side->created);
        write_extremes(json, freed, merged, side, side->freed);
    }
    mw_json_object_end(json);
}

static void write_origin(struct mw_json *json, const struct mw_merged_comm *comm)
{
    write_uid(json, "uid", comm->uid);
    write_uid(json, "parent_uid", comm->parent_uid);
    if (comm->parent == MW_MERGED_NONE) {
        mw_json_null(json, "parent");
    } else {
        mw_json_unsigned(json, "parent", comm->parent);
    }
    mw_json_text(json, "created_by", mw_call_name(comm->call));
    mw_json_unsigned(json, "sequence", comm->sequence);
    mw_json_bool(json, "inter", comm->side_count == 2);
    mw_json_bool(json, "predefined", comm->flags & MW_COMM_PREDEFINED);
    mw_json_bool(json, "foreign", comm->flags & MW_COMM_FOREIGN);
    mw_json_bool(json, "other_job", comm->flags & MW_COMM_OTHER_JOB);
}

static void write_meeting(struct mw_json *json, const struct mw_merged *merged,
                          const struct mw_merged_comm *comm)
{
    const struct mw_merged_meeting *meeting;
    char place[24];

    if (comm->meeting == MW_MERGED_NONE) {
        return;
    }
    meeting = &merged->meetings[comm->meeting];
    snprintf(place, sizeof place, "%016" PRIx64, meeting->place);
    mw_json_object(json, "meeting");
    mw_json_text(json, "place", place);
    mw_json_unsigned(json, "number", meeting->number);
    mw_json_unsigned(json, "rank", meeting->rank);
    write_time(json, "enter_ns", merged, meeting->rank, meeting->enter);
    write_time(json, "leave_ns", merged, meeting->rank, meeting->leave);
    mw_json_object_end(json);
}

static bool is_complete(const struct mw_merged_comm *comm)
{
    bool complete = true;

    for (uint32_t i = 0; i < comm->side_count; i++) {
        complete &= comm->sides[i].members.known == comm->sides[i].members.size;
    }
    return complete;
}

/* Whether a member told when it had the communicator, since no event does. */
static bool has_times(const struct mw_merged_comm *comm)
{
    for (uint32_t i = 0; i < comm->side_count; i++) {
        const struct mw_merged_side *side = &comm->sides[i];

        if (side->created || side->freed) {
            return true;
        }
    }
    return false;
}

/*
 * Whether definitions and events say the rest. Programs make communicators by the hundred
 * thousand and hardly use them.
 */
static bool is_ordinary(const struct mw_merged_comm *comm)
{
    return !(comm->flags & (MW_COMM_PREDEFINED | MW_COMM_FOREIGN | MW_COMM_OTHER_JOB)) &&
           comm->parent != MW_MERGED_NONE && !comm->contradicted &&
           comm->first_name == MW_MERGED_NONE && comm->first_registration == MW_MERGED_NONE &&
           is_complete(comm) && !has_times(comm);
}

static void write_ordinary(struct mw_json *json, const struct mw_merged *merged, uint32_t id)
{
    const struct mw_merged_comm *comm = &merged->comms[id];

    mw_json_object(json, NULL);
    mw_json_unsigned(json, "id", id);
    mw_json_text(json, "name", comm->name);
    write_uid(json, "uid", comm->uid);
    mw_json_unsigned(json, "parent", comm->parent);
    mw_json_text(json, "created_by", mw_call_name(comm->call));
    mw_json_unsigned(json, "sequence", comm->sequence);
    if (comm->side_count == 2) {
        mw_json_bool(json, "inter", true);
    }
    mw_json_object_end(json);
}

static void write_comm(struct mw_json *json, const struct mw_merged *merged, uint32_t id,
                       uint64_t *room)
{
    const struct mw_merged_comm *comm = &merged->comms[id];

    mw_json_object(json, NULL);
    mw_json_unsigned(json, "id", id);
    mw_json_text(json, "name", comm->name);
    mw_json_text(json, "default_name", comm->default_name);
    write_origin(json, comm);
    write_meeting(json, merged, comm);
    mw_json_bool(json, "members_complete", is_complete(comm));
    mw_json_bool(json, "contradicted", comm->contradicted);
    write_names(json, merged, comm->first_name);
    mw_json_registered(json, merged, comm);
    mw_json_array(json, "groups");
    for (uint32_t i = 0; i < comm->side_count; i++) {
        write_side(json, merged, &comm->sides[i], comm->flags & MW_COMM_PREDEFINED, room);
    }
    mw_json_array_end(json);
    mw_json_object_end(json);
}

enum mw_status mw_archive_json_write(const char *path, const struct mw_merged *merged,
                                     const struct mw_archive_about *about,
                                     struct mw_diagnostic *diagnostic)
{
    uint64_t room = LISTED_MEMBERS;
    struct mw_json json;

    mw_json_open(&json, path);
    mw_json_object(&json, NULL);
    write_run(&json, merged, about);
    mw_json_array(&json, "ranks");
    for (uint32_t rank = 0; rank < merged->rank_count; rank++) {
        write_rank(&json, merged, rank);
    }
    mw_json_array_end(&json);
    mw_json_array(&json, "communicators");
    for (uint32_t id = 0; id < merged->comm_count; id++) {
        if (is_ordinary(&merged->comms[id])) {
            write_ordinary(&json, merged, id);
        } else {
            write_comm(&json, merged, id, &room);
        }
    }
    mw_json_array_end(&json);
    mw_json_variables(&json, merged);
    mw_json_filtered(&json, merged);
    mw_json_sites(&json, merged, mw_region_count(&merged->used));
    mw_json_samples(&json, merged, mw_region_count(&merged->used));
    mw_json_object_end(&json);
    return mw_json_close(&json, diagnostic);
}
