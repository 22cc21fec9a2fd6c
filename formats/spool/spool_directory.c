/*
 * A process may have died before it told anything, or while it did: what the
 * directory has to be for its replay is put together from definitions and names of
 * files, and a first thread is always there.
 */
#include "formats/spool/spool_directory.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/array.h"
#include "formats/base/file.h"
#include "formats/base/order.h"
#include "formats/spool/definition_reader.h"

static enum mw_status no_memory(const struct mw_spool_directory *directory,
                                struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, directory->path, "to read a spool directory");
}

static void see_time(struct mw_spool_directory *directory, uint64_t ticks)
{
    uint64_t time = mw_clock_nanoseconds(ticks, directory->resolution);

    if (time > directory->last_time && time <= MW_TIME_MAX) {
        directory->last_time = time;
    }
}

/* Takes in one definition; false without memory. */
static bool see_definition(struct mw_spool_directory *directory,
                           const struct mw_definition *definition)
{
    switch (definition->kind) {
    case MW_DEFINE_PROCESS:
        directory->world_size = definition->of.process.size;
        directory->resolution = definition->of.process.time_resolution;
        see_time(directory, definition->of.process.time_ticks);
        return true;
    case MW_DEFINE_SETTING:
        if (strcmp(definition->of.setting.name, "time-unit") == 0) {
            directory->time_unit = mw_clock_unit(definition->of.setting.value);
        }
        return true;
    case MW_DEFINE_COMM:
        see_time(directory, definition->of.comm.created);
        return true;
    case MW_DEFINE_MEETING:
        see_time(directory, definition->of.meeting.leave);
        return true;
    case MW_DEFINE_COMM_NAME:
        see_time(directory, definition->of.comm_name.time);
        return true;
    case MW_DEFINE_COMM_FREED:
        see_time(directory, definition->of.comm_freed.time);
        return true;
    case MW_DEFINE_CLOCK:
        see_time(directory, definition->of.clock.time);
        return true;
    case MW_DEFINE_END:
        see_time(directory, definition->of.end.time);
        directory->tells_filtered |= directory->has_filtered;
        directory->has_end = true;
        return true;
    case MW_DEFINE_LOSS:
        directory->tells_lost |= definition->of.loss.reason != MW_LOSS_PAUSED &&
                                 definition->of.loss.reason != MW_LOSS_REQUEST;
        return true;
    case MW_DEFINE_FILTERED:
        directory->has_filtered = true;
        return true;
    default:
        return true;
    }
}

static enum mw_status load_definitions(struct mw_spool_directory *directory, uint64_t nonce,
                                       struct mw_diagnostic *diagnostic)
{
    char path[4096];
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    enum mw_status status;

    snprintf(path, sizeof path, "%s/definitions", directory->path);
    status = mw_definition_reader_create(path, &reader, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    directory->rank = mw_definition_reader_rank(reader);
    if (nonce != 0 && mw_definition_reader_nonce(reader) != nonce) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the spool of another run");
    }
    while (status == MW_OK) {
        bool is_taken;

        status = mw_definition_reader_next(reader, &definition, diagnostic);
        if (status == MW_OK && (!mw_known_add(&directory->known, &definition, &is_taken) ||
                                !see_definition(directory, &definition))) {
            status = no_memory(directory, diagnostic);
        }
    }
    mw_definition_reader_destroy(reader);
    if (status == MW_ERROR_FORMAT && directory->salvage) {
        directory->damaged = true;
        status = MW_OK;
    }
    return status == MW_END ? MW_OK : status;
}

/* Whether the process came to write the spool's header: its first bytes aren't zero. */
static bool is_begun(const char *directory, uint32_t thread)
{
    char path[4096];
    char first = 0;
    int descriptor;

    snprintf(path, sizeof path, "%s/%" PRIu32 ".events", directory, thread);
    if (mw_file_open_regular(path, "the spool", &descriptor, NULL) != MW_OK) {
        return true; /* let the reader say what is wrong with it */
    }
    ssize_t got = pread(descriptor, &first, 1, 0);

    close(descriptor);
    return got != 0 && first != 0;
}

static bool add_thread(struct mw_spool_directory *directory, uint32_t thread)
{
    if (!mw_array_grow((void **)&directory->threads, directory->thread_count, sizeof thread)) {
        return false;
    }
    directory->threads[directory->thread_count++] = thread;
    return true;
}

/* The number in "<number>.events", false for other names. */
static bool thread_of_name(const char *name, uint32_t *thread)
{
    char again[32];
    char *end;
    unsigned long number = strtoul(name, &end, 10);

    snprintf(again, sizeof again, "%" PRIu32 ".events", (uint32_t)number);
    *thread = (uint32_t)number;
    return strcmp(name, again) == 0;
}

static enum mw_status list_threads(struct mw_spool_directory *directory,
                                   struct mw_diagnostic *diagnostic)
{
    DIR *stream = opendir(directory->path);
    bool enough = true;
    uint32_t thread;

    if (!stream) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, directory->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't list the spool directory");
    }
    for (struct dirent *entry; enough && (entry = readdir(stream));) {
        if (thread_of_name(entry->d_name, &thread)) {
            enough = add_thread(directory, thread);
        }
    }
    closedir(stream);
    if (!enough) {
        return no_memory(directory, diagnostic);
    }
    if (directory->thread_count > 0) {
        qsort(directory->threads, directory->thread_count, sizeof *directory->threads,
              mw_order_u32);
    }
    return MW_OK;
}

/* Every process has a thread 0 in the archive, also if it left no events. */
static enum mw_status complete_threads(struct mw_spool_directory *directory,
                                       struct mw_diagnostic *diagnostic)
{
    bool missing = directory->thread_count == 0 || directory->threads[0] != 0;

    if (missing && !add_thread(directory, 0)) {
        return no_memory(directory, diagnostic);
    }
    qsort(directory->threads, directory->thread_count, sizeof *directory->threads,
          mw_order_u32);
    directory->has_events = calloc(directory->thread_count, sizeof *directory->has_events);
    if (!directory->has_events) {
        return no_memory(directory, diagnostic);
    }
    for (uint32_t i = missing ? 1 : 0; i < directory->thread_count; i++) {
        directory->has_events[i] = is_begun(directory->path, directory->threads[i]);
    }
    return MW_OK;
}

enum mw_status mw_spool_directory_load(struct mw_spool_directory *directory, const char *path,
                                       uint64_t nonce, bool salvage,
                                       struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    memset(directory, 0, sizeof *directory);
    directory->salvage = salvage;
    directory->path = strdup(path);
    if (!mw_known_init(&directory->known) || !directory->path) {
        status = no_memory(directory, diagnostic);
        goto out;
    }
    status = load_definitions(directory, nonce, diagnostic);
    if (status == MW_OK) {
        status = list_threads(directory, diagnostic);
    }
    if (status == MW_OK) {
        status = complete_threads(directory, diagnostic);
    }
out:
    if (status != MW_OK) {
        mw_spool_directory_fini(directory);
    }
    return status;
}

enum mw_status mw_spool_directory_absent(struct mw_spool_directory *directory, uint32_t rank,
                                         uint64_t gone, struct mw_diagnostic *diagnostic)
{
    memset(directory, 0, sizeof *directory);
    directory->rank = rank;
    directory->gone = gone;
    directory->threads = calloc(1, sizeof *directory->threads);
    directory->has_events = calloc(1, sizeof *directory->has_events);
    directory->thread_count = 1;
    if (!directory->threads || !directory->has_events) {
        mw_spool_directory_fini(directory);
        return mw_no_memory(diagnostic, NULL, "for a rank without a spool");
    }
    return MW_OK;
}

void mw_spool_directory_fini(struct mw_spool_directory *directory)
{
    free(directory->path);
    free(directory->threads);
    free(directory->has_events);
    mw_known_fini(&directory->known);
    memset(directory, 0, sizeof *directory);
}
