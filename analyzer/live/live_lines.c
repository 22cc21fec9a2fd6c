/* A thread waits for the answers, and touches nothing but its own questions. */
#include "analyzer/live/live_lines.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/archive/resolve_sites.h"
#include "formats/base/array.h"
#include "formats/base/scratch.h"

struct mwa_live_lines {
    char program[PATH_MAX]; /* "": there is none */
    bool *is_asked; /* by spot */
    uint32_t asked_room;
    uint32_t *spots; /* of the questions */
    uint32_t spot_count;
    uint32_t *wanted; /* spots, by the next look */
    uint32_t wanted_count;
    struct mw_buffer questions;
    char *answers;
    pthread_t worker;
    bool is_working;      /* worker is to be joined */
    atomic_bool is_ready; /* and will be at once: stored with release, read with acquire */
};

struct mwa_live_lines *mwa_live_lines_create(void)
{
    struct mwa_live_lines *lines = calloc(1, sizeof *lines);
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    own[length > 0 ? length : 0] = '\0';
    if (lines && !mw_resolver_find(own, PKGLIBDIR, lines->program, sizeof lines->program)) {
        lines->program[0] = '\0';
    }
    return lines;
}

/* --- asking ---------------------------------------------- */

static void *ask(void *user)
{
    struct mwa_live_lines *lines = user;
    const char *temporary = getenv("TMPDIR");
    struct mw_scratch scratch = {.path = ""};
    struct mw_diagnostic diagnostic;

    if (mw_scratch_create(&scratch, temporary && *temporary ? temporary : "/tmp", &diagnostic) ==
        MW_OK) {
        lines->answers = mw_sites_ask(
            lines->questions.data, lines->questions.bytes,
            &(struct mw_sites_resolver){.program = lines->program, .paths = MW_PATHS_FULL},
            scratch.path);
    }
    mw_scratch_remove(&scratch);
    atomic_store_explicit(&lines->is_ready, true, memory_order_release);
    return NULL;
}

/* The spot of a record's code of the process; UINT32_MAX: not told. */
static uint32_t spot_of_code(const struct mwa_live *live, const struct mwa_live_process *process,
                             uint32_t code)
{
    const struct mw_site_map *map = &process->map;
    const uint32_t number = code - MW_CALL_COUNT;
    uint32_t site;

    if (code < MW_CALL_COUNT || number >= map->site_count) {
        return UINT32_MAX;
    }
    site = map->sites[number];
    return site < live->sites->site_count ? live->sites->sites[site].spot : UINT32_MAX;
}

/* The spot that the thread's open call was made from; UINT32_MAX: it is in none, or not told. */
static uint32_t spot_of(const struct mwa_live *live, const struct mwa_live_thread *thread)
{
    return thread->moment.is_inside
               ? spot_of_code(live, &live->processes[thread->process], thread->moment.last.call)
               : UINT32_MAX;
}

void mwa_live_lines_want(struct mwa_live_lines *lines, const struct mwa_live *live,
                         const struct mwa_live_process *process, uint32_t code)
{
    const uint32_t spot = spot_of_code(live, process, code);

    if (spot < live->sites->spot_count &&
        mw_array_grow((void **)&lines->wanted, lines->wanted_count, sizeof *lines->wanted)) {
        lines->wanted[lines->wanted_count++] = spot;
    }
}

/* Adds a spot to the questions, if it is to be looked up and was not asked for. */
static void add_question(struct mwa_live_lines *lines, const struct mwa_live *live, uint32_t spot)
{
    if (spot < live->sites->spot_count && !live->sites->spots[spot].is_line &&
        mw_array_widen((void **)&lines->is_asked, &lines->asked_room, spot,
                       sizeof *lines->is_asked, 0) &&
        !lines->is_asked[spot] &&
        mw_array_grow((void **)&lines->spots, lines->spot_count, sizeof *lines->spots) &&
        mw_sites_question(live->sites, spot, &lines->questions)) {
        lines->is_asked[spot] = true;
        lines->spots[lines->spot_count++] = spot;
    }
}

static void collect(struct mwa_live_lines *lines, const struct mwa_live *live)
{
    lines->spot_count = 0;
    for (uint32_t i = 0; i < live->thread_count; i++) {
        add_question(lines, live, spot_of(live, &live->threads[i]));
    }
    for (uint32_t i = 0; i < lines->wanted_count; i++) {
        add_question(lines, live, lines->wanted[i]);
    }
    lines->wanted_count = 0;
}

static void take_answers(struct mwa_live_lines *lines, struct mwa_live *live)
{
    char *next = lines->answers;
    char *answer;

    for (uint32_t i = 0; i < lines->spot_count && (answer = mw_sites_next_answer(&next)); i++) {
        if (mw_sites_take(live->sites, lines->spots[i], answer) == MW_ERROR_MEMORY) {
            break;
        }
    }
    free(lines->answers);
    lines->answers = NULL;
    mw_buffer_fini(&lines->questions);
    lines->spot_count = 0;
}

static void finish(struct mwa_live_lines *lines, struct mwa_live *live)
{
    if (lines->is_working) {
        pthread_join(lines->worker, NULL);
        lines->is_working = false;
        take_answers(lines, live);
    }
}

void mwa_live_lines_look(struct mwa_live_lines *lines, struct mwa_live *live, bool is_waiting)
{
    if (!lines->program[0]) {
        return;
    }
    if (lines->is_working && !is_waiting &&
        !atomic_load_explicit(&lines->is_ready, memory_order_acquire)) {
        return;
    }
    finish(lines, live);
    collect(lines, live);
    if (lines->spot_count == 0) {
        return;
    }
    atomic_store_explicit(&lines->is_ready, false, memory_order_release);
    lines->is_working = pthread_create(&lines->worker, NULL, ask, lines) == 0;
    if (is_waiting) {
        finish(lines, live);
    }
}

void mwa_live_lines_destroy(struct mwa_live_lines *lines)
{
    if (!lines) {
        return;
    }
    if (lines->is_working) {
        pthread_join(lines->worker, NULL);
    }
    mw_buffer_fini(&lines->questions);
    free(lines->answers);
    free(lines->is_asked);
    free(lines->spots);
    free(lines->wanted);
    free(lines);
}

bool mwa_live_place_of(const struct mwa_live *live, const struct mwa_live_process *process,
                       uint32_t code, const char **file, uint32_t *line, const char **function)
{
    const uint32_t spot = spot_of_code(live, process, code);
    const struct mw_merged_spot *found =
        spot < live->sites->spot_count ? &live->sites->spots[spot] : NULL;

    *file = !found           ? NULL
            : found->is_line ? live->sites->modules[found->module].path
                             : found->file;
    *file = *file ? *file : "";
    *function = found && found->function ? found->function : "";
    *line = found ? found->line : 0;
    return **file || **function;
}

bool mwa_live_line(const struct mwa_live *live, const struct mwa_live_thread *thread, char *text,
                   size_t size)
{
    const struct mwa_live_process *process = &live->processes[thread->process];
    const char *file;
    const char *function;
    const char *slash;
    uint32_t line;

    if (thread->line) {
        snprintf(text, size, "%s", thread->line);
        return true;
    }
    if (!thread->moment.is_inside ||
        !mwa_live_place_of(live, process, thread->moment.last.call, &file, &line, &function) ||
        !file[0] || line == 0) {
        return false;
    }
    slash = strrchr(file, '/');
    snprintf(text, size, "%s:%u", slash ? slash + 1 : file, line);
    return true;
}
