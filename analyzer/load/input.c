/*
 * Files and libotf2's reader are not for several threads: each has an input of its own, and what
 * was made of the definitions is shared, which is the larger part.
 */
#include "analyzer/load/input.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/load/anchor.h"
#include "analyzer/load/common_begin.h"
#include "analyzer/load/debug_lines.h"
#include "analyzer/load/definitions.h"
#include "analyzer/load/first_run.h"
#include "analyzer/load/joint.h"
#include "analyzer/load/joint_clock.h"
#include "analyzer/load/joint_trace.h"
#include "analyzer/load/metadata.h"
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/load/reading_start.h"
#include "analyzer/load/stack_records.h"
#include "analyzer/model/logical_clock.h"
#include "analyzer/model/beginnings.h"
#include "analyzer/model/places.h"
#include "analyzer/model/sides.h"

#define EMPTY_FILE_BYTES 20u /* an OTF2 file of a location that has nothing in it */

struct mwa_input {
    struct mwa_files *files;
    OTF2_Reader *reader;
    const struct mwa_trace *trace; /* its own, or that of the input it shares */
    struct mwa_trace own;
    uint32_t threads;
    struct mwa_input *origin; /* itself, or the input it shares */
    _Atomic uint64_t events;  /* read of an origin and its shares */
    mwa_progress progress;    /* null: nobody asks */
    void *progress_user;
    struct mwa_joint *joint;   /* of several archives: their trace; null: it is one */
    struct mwa_input **parts;  /* of joint ones, as many as joint has */
    struct mwa_input *whole;   /* of which it is a part; null: of none */
    const struct mwa_logical_clock *clocks; /* of an origin's locations; null: there are none */
    uint64_t clock_shift;      /* from its times to those of clocks, modulo 2^64 */
    struct mwa_beginnings *beginnings; /* an origin's; null: not known */
    const struct mwa_reading_start *start; /* where its readers begin; null: where they do … */
    struct mwa_reading_start *together; /* … of its origin; null: at the beginning */
    const atomic_bool *is_given_up; /* null: it never is */
};

/* Another reader of libotf2's for files, whose anchor was checked. Null *reader if it fails. */
static enum mw_status open_otf2(struct mwa_files *files, OTF2_Reader **reader,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(files);

    *reader = OTF2_Reader_Open(mwa_files_anchor(files));
    if (!*reader) {
        return mwa_otf2_fail(log, "this is no OTF2 anchor file that can be read", diagnostic);
    }
    if (OTF2_Reader_SetSerialCollectiveCallbacks(*reader) != OTF2_SUCCESS) {
        OTF2_Reader_Close(*reader);
        *reader = NULL;
        return mwa_otf2_fail(log, "libotf2 refuses to read it", diagnostic);
    }
    return MW_OK;
}

static enum mw_status open_reader(struct mwa_input *input, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_anchor_check(input->files, diagnostic);

    return status == MW_OK ? open_otf2(input->files, &input->reader, diagnostic) : status;
}

/* Whether a location has any events: a definition's count is not to be trusted for that. */
static bool has_events(const struct mwa_files *files, const struct mwa_location *location)
{
    char name[512];
    uint64_t size;

    mwa_files_local_name(files, location->id, "evt", name, sizeof name);
    return mwa_files_size(files, name, &size) && size > EMPTY_FILE_BYTES;
}

/*
 * A rank is told by its main thread. Where that has no events, as of programs whose runtime gives
 * all work to others, the first thread that has some stands for it.
 */
static void choose_masters(const struct mwa_files *files, struct mwa_trace *trace)
{
    for (uint32_t i = 0; i < trace->location_count; i++) {
        struct mwa_location *location = &trace->locations[i];
        struct mwa_rank *rank =
            location->rank < trace->rank_count ? &trace->ranks[location->rank] : NULL;

        if (rank && rank->master != MWA_NONE && location->kind == MWA_LOCATION_THREAD &&
            !has_events(files, &trace->locations[rank->master]) && has_events(files, location)) {
            trace->locations[rank->master].master = false;
            rank->master = i;
            location->master = true;
        }
    }
}

/* Who wrote the archive: libotf2 does not tell having no memory for it from there being nobody. */
static void read_creator(OTF2_Reader *reader, struct mwa_trace *trace)
{
    char *text = NULL;

    errno = 0;
    if (OTF2_Reader_GetCreator(reader, &text) == OTF2_SUCCESS && text) {
        trace->creator = mwa_trace_text(trace, text);
    } else {
        trace->lacks_text |= errno == ENOMEM;
    }
    free(text);
    if (!trace->creator) {
        trace->creator = "";
    }
}

/* The definitions, and mpiwatch.json. */
static enum mw_status read_trace(struct mwa_input *input, struct mw_diagnostic *diagnostic)
{
    struct mwa_trace *trace = &input->own;
    enum mw_status status = mwa_definitions_read(input->reader, mwa_files_path(input->files),
                                                 trace, diagnostic);

    if (status == MW_ERROR_OTF2) {
        return mwa_otf2_fail(mwa_files_log(input->files), "the global definitions are damaged",
                             diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    read_creator(input->reader, trace);
    choose_masters(input->files, trace);
    status = mwa_metadata_read(input->files, trace, diagnostic);
    if (status == MW_OK && trace->lacks_text) {
        status = mw_no_memory(diagnostic, mwa_files_path(input->files), "for the definitions");
    }
    if (status != MW_OK) {
        return status;
    }
    mwa_stacks_settle(trace);
    if (!mwa_trace_find_sides(trace)) {
        return mw_no_memory(diagnostic, mwa_files_path(input->files), "for communicators");
    }
    return mwa_trace_find_places(trace)
               ? MW_OK
               : mw_no_memory(diagnostic, mwa_files_path(input->files), "for the places of calls");
}

enum mw_status mwa_input_find_lines(struct mwa_input *input, const char *directory,
                                    struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        mwa_debug_lines_find(input->files, directory, &input->own, diagnostic);

    return status != MW_OK || mwa_trace_find_places(&input->own)
               ? status
               : mw_no_memory(diagnostic, directory, "for the places of calls");
}

/*
 * With readers of their own, for the pass reads each location from its beginning. What is wrong
 * with events is for the pass to say: times count from the trace's beginning then. For want of
 * memory they must not: all times would be others.
 */
static enum mw_status find_origin(struct mwa_input *input, struct mw_diagnostic *diagnostic)
{
    struct mwa_input *share;
    uint64_t origin = 0;
    enum mw_status status = mwa_input_share(input, &share, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    status = mwa_first_run(share, &origin, diagnostic);
    if (status == MW_OK) {
        input->own.run_offset = origin - input->own.clock_offset;
        input->own.begins_in_init = true;
    }
    mwa_input_close(share);
    atomic_store_explicit(&input->events, 0, memory_order_relaxed);
    mwa_otf2_errors_clear();
    return status == MW_ERROR_MEMORY ? status : MW_OK;
}

static bool has_events_file(const struct mwa_files *files, const struct mwa_location *location,
                            uint64_t *size)
{
    char name[512];

    mwa_files_local_name(files, location->id, "evt", name, sizeof name);
    return mwa_files_size(files, name, size);
}

/* Definitions may claim a million locations that are not there. */
static enum mw_status require_event_files(const struct mwa_input *input,
                                          struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = input->trace;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        const struct mwa_location *location = &trace->locations[i];
        uint64_t size = 0;
        const bool is_there = has_events_file(input->files, location, &size);

        if (location->events > 0 && size == 0) {
            char name[512];
            char where[1024];

            mwa_files_local_name(input->files, location->id, "evt", name, sizeof name);
            mwa_files_place(input->files, name, where, sizeof where);
            return mw_fail(diagnostic, MW_ERROR_FORMAT, where, 0,
                           "it %s, and its definition promises %llu events",
                           is_there ? "has no bytes" : "is missing",
                           (unsigned long long)location->events);
        }
    }
    return MW_OK;
}

enum mw_status mwa_input_select(const struct mwa_input *input, uint32_t location,
                                OTF2_Reader **reader, struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(input->files);
    enum mw_status status = open_otf2(input->files, reader, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    if (OTF2_Reader_SelectLocation(*reader, input->trace->locations[location].id) !=
        OTF2_SUCCESS) {
        status = mwa_otf2_fail(log, "a location can't be selected", diagnostic);
    } else {
        /* Archives without local definitions are odd but readable. */
        (void)OTF2_Reader_OpenDefFiles(*reader);
        status = OTF2_Reader_OpenEvtFiles(*reader) == OTF2_SUCCESS
                     ? MW_OK
                     : mwa_otf2_fail(log, "the event files can't be opened", diagnostic);
    }
    if (status != MW_OK) {
        OTF2_Reader_Close(*reader);
        *reader = NULL;
    }
    return status;
}

/* origin is null when the input is to read definitions of its own. */
static enum mw_status open_input(const char *path, struct mwa_input *origin,
                                 struct mwa_input **result, struct mw_diagnostic *diagnostic)
{
    struct mwa_input *input = calloc(1, sizeof *input);
    enum mw_status status;

    if (!input) {
        return mw_no_memory(diagnostic, path, "to open it");
    }
    input->origin = origin ? origin->origin : input;
    input->trace = origin ? origin->trace : &input->own;
    input->start = origin ? origin->start : NULL;
    input->is_given_up = origin ? origin->is_given_up : NULL;
    mwa_otf2_errors_clear();
    status = mwa_files_open(path, &input->files, diagnostic);
    if (status == MW_OK) {
        status = open_reader(input, diagnostic);
    }
    if (status == MW_OK && !origin) {
        status = read_trace(input, diagnostic);
    }
    if (status == MW_OK) {
        status = require_event_files(input, diagnostic);
    }
    if (status != MW_OK) {
        mwa_input_close(input);
        return status;
    }
    *result = input;
    return MW_OK;
}

enum mw_status mwa_input_open(const char *path, struct mwa_input **input,
                              struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    mwa_otf2_errors_take();
    status = open_input(path, NULL, input, diagnostic);
    if (status == MW_OK) {
        status = find_origin(*input, diagnostic);
        if (status != MW_OK) {
            mwa_input_close(*input);
            *input = NULL;
        }
    }
    return status;
}

/* Makes an input of the parts of origin, or of what will be one, shared if that is told. */
static struct mwa_input *make_joint(struct mwa_joint *joint, struct mwa_input *origin)
{
    struct mwa_input *input = calloc(1, sizeof *input);

    if (!input) {
        return NULL;
    }
    input->parts = calloc(joint->count, sizeof *input->parts);
    if (!input->parts) {
        free(input);
        return NULL;
    }
    input->joint = joint;
    input->trace = &joint->trace;
    input->origin = origin ? origin : input;
    return input;
}

enum mw_status mwa_input_join(struct mwa_input *const *inputs, uint32_t count,
                              struct mwa_input **result, struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace **traces = calloc(count, sizeof *traces);
    const char **names = calloc(count, sizeof *names);
    struct mwa_joint *joint = NULL;
    struct mwa_input *input;
    enum mw_status status = MW_ERROR_MEMORY;

    for (uint32_t i = 0; traces && names && i < count; i++) {
        traces[i] = inputs[i]->trace;
        names[i] = mwa_files_path(inputs[i]->files);
    }
    status = traces && names ? mwa_joint_create(traces, names, count, &joint, diagnostic)
                             : mw_no_memory(diagnostic, NULL, "to read several archives");
    free(traces);
    free(names);
    if (status != MW_OK) {
        return status;
    }
    input = make_joint(joint, NULL);
    if (!input) {
        mwa_joint_destroy(joint);
        return mw_no_memory(diagnostic, NULL, "to read several archives");
    }
    for (uint32_t i = 0; i < count; i++) {
        input->parts[i] = inputs[i];
        input->parts[i]->whole = input;
    }
    *result = input;
    return MW_OK;
}

/* Shares the parts of a joint one. */
static enum mw_status share_joint(struct mwa_input *input, struct mwa_input **share,
                                  struct mw_diagnostic *diagnostic)
{
    struct mwa_input *made = make_joint(input->joint, input->origin);
    enum mw_status status = made ? MW_OK
                                 : mw_no_memory(diagnostic, NULL, "to read several archives");

    for (uint32_t i = 0; status == MW_OK && i < made->joint->count; i++) {
        status = mwa_input_share(input->parts[i], &made->parts[i], diagnostic);
        if (status == MW_OK) {
            made->parts[i]->whole = made;
        }
    }
    if (status != MW_OK) {
        mwa_input_close(made);
        return status;
    }
    *share = made;
    return MW_OK;
}

struct mwa_input *mwa_input_of(struct mwa_input *input, uint32_t location,
                               const struct mwa_joint_part **part)
{
    if (!input->joint) {
        return input;
    }
    *part = mwa_joint_part_of(input->joint, location);
    return input->parts[*part - input->joint->parts];
}

enum mw_status mwa_input_share(struct mwa_input *input, struct mwa_input **share,
                               struct mw_diagnostic *diagnostic)
{
    if (input->joint) {
        return share_joint(input, share, diagnostic);
    }
    return open_input(mwa_files_path(input->files), input, share, diagnostic);
}

/* --- logical clocks --------------------------------------------------------------------------- */

const struct mwa_logical_clock *mwa_input_clock(const struct mwa_input *input, uint32_t location,
                                                uint64_t *shift)
{
    const struct mwa_input *origin = input->origin;

    *shift = origin->clock_shift;
    return origin->clocks ? &origin->clocks[location] : NULL;
}

/* Where the trace ends, if that is known: no earlier than any event. The end that was recorded may
 * be by a host's clock that is ahead, and is not to be moved by another one's. */
static void move_end(struct mwa_trace *trace, const struct mwa_logical_clock *clocks,
                     uint64_t shift)
{
    const uint64_t recorded = mwa_joint_end(trace) + shift;
    uint64_t end = recorded;

    for (uint64_t i = 0; trace->clock_length > 0 && i < trace->location_count; i++) {
        end = clocks[i].last > end ? clocks[i].last : end;
    }
    trace->clock_length += end - recorded;
}

/* That of one archive, whose times are those of clocks when shift is added. */
static enum mw_status use_clocks(struct mwa_input *input, const struct mwa_logical_clocks *clocks,
                                 uint64_t first, uint64_t shift, struct mw_diagnostic *diagnostic)
{
    input->clocks = &clocks->list[first];
    input->clock_shift = shift;
    input->own.clocks = clocks;
    move_end(&input->own, input->clocks, shift);
    return find_origin(input, diagnostic);
}

enum mw_status mwa_input_use_clocks(struct mwa_input *input,
                                    const struct mwa_logical_clocks *clocks,
                                    struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (!input->joint) {
        return use_clocks(input, clocks, 0, 0, diagnostic);
    }
    for (uint32_t i = 0; status == MW_OK && i < input->joint->count; i++) {
        const struct mwa_joint_part *part = &input->joint->parts[i];

        status = use_clocks(input->parts[i], clocks, part->first_location, part->shift,
                            diagnostic);
    }
    if (status == MW_OK) {
        input->joint->trace.clocks = clocks;
        move_end(&input->joint->trace, clocks->list, 0);
        mwa_joint_find_origin(input->joint);
    }
    return status;
}

enum mw_status mwa_input_open_again(const struct mwa_trace *trace, const char *path,
                                    struct mwa_input **input, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_input_open(path, input, diagnostic);

    if (status == MW_OK && trace->clocks) {
        status = mwa_input_use_clocks(*input, trace->clocks, diagnostic);
        if (status != MW_OK) {
            mwa_input_close(*input);
            *input = NULL;
        }
    }
    return status;
}

void mwa_input_close(struct mwa_input *input)
{
    if (!input) {
        return;
    }
    if (input->reader) {
        OTF2_Reader_Close(input->reader);
    }
    for (uint32_t i = 0; input->parts && i < input->joint->count; i++) {
        mwa_input_close(input->parts[i]);
    }
    free(input->parts);
    if (input->origin == input) {
        mwa_joint_destroy(input->joint);
    }
    if (input->beginnings) {
        mwa_beginnings_fini(input->beginnings);
        free(input->beginnings);
    }
    mwa_reading_start_free(input->together);
    mwa_trace_fini(&input->own);
    mwa_files_close(input->files);
    free(input);
}

void mwa_input_keep_beginnings(struct mwa_input *input, struct mwa_beginnings *beginnings)
{
    input->origin->beginnings = beginnings;
}

const struct mwa_beginnings *mwa_input_beginnings(const struct mwa_input *input)
{
    return input->origin->beginnings;
}

void mwa_input_set_threads(struct mwa_input *input, uint32_t threads)
{
    input->threads = threads;
}

uint32_t mwa_input_threads(const struct mwa_input *input)
{
    return input->threads > 1 ? input->threads : 1;
}

void mwa_input_set_progress(struct mwa_input *input, mwa_progress progress, void *user)
{
    input->progress = progress;
    input->progress_user = user;
}

void mwa_input_give_up_if(struct mwa_input *input, const atomic_bool *is_given_up)
{
    input->is_given_up = is_given_up;
}

bool mwa_input_note_events(struct mwa_input *part, uint64_t count)
{
    struct mwa_input *input = part->whole ? part->whole : part;
    uint64_t events = atomic_fetch_add_explicit(&input->origin->events, count,
                                                memory_order_relaxed);

    if (input->progress) {
        input->progress(input->progress_user, events + count);
    }
    return !input->is_given_up || !atomic_load(input->is_given_up);
}

void mwa_input_begin_at(struct mwa_input *input, const struct mwa_reading_start *start)
{
    input->start = start;
}

enum mw_status mwa_input_begin_together(struct mwa_input *input, struct mw_diagnostic *diagnostic)
{
    struct mwa_reading_start *start = NULL;
    enum mw_status status;

    if (input->joint || !input->trace->is_ring) {
        return MW_OK;
    }
    status = mwa_common_begin_find(input, &start, &input->own.begun, diagnostic);
    if (status == MW_OK) {
        input->together = start;
    }
    return status;
}

const struct mwa_reading_start *mwa_input_begins_at(const struct mwa_input *input)
{
    return input->start;
}

bool mwa_input_can_begin_late(const struct mwa_input *input)
{
    const struct mwa_trace *trace = input->trace;
    bool can = input->files != NULL;

    for (uint64_t i = 0; can && i < trace->location_count; i++) {
        char name[512];

        mwa_files_local_name(input->files, trace->locations[i].id, "evt", name, sizeof name);
        can = mwa_files_can_begin_late(input->files, name);
    }
    return can;
}

const struct mwa_location_start *mwa_input_start(const struct mwa_input *input, uint32_t location)
{
    const struct mwa_reading_start *whole = input->start ? input->start : input->origin->together;
    const struct mwa_location_start *start = whole ? &whole->locations[location] : NULL;

    return start && start->is_there ? start : NULL;
}

OTF2_Reader *mwa_input_otf2(const struct mwa_input *input)
{
    return input->reader;
}

const struct mwa_trace *mwa_input_trace(const struct mwa_input *input)
{
    return input->trace;
}

struct mwa_files *mwa_input_files(struct mwa_input *input)
{
    return input->files;
}
