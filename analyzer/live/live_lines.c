/* A thread waits for the answers, and touches nothing but its own questions. */
#include "analyzer/live/live_lines.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/live/live_words.h"
#include "analyzer/model/places.h"
#include "formats/archive/resolve_sites.h"
#include "formats/base/array.h"
#include "formats/base/scratch.h"

struct mwa_live_lines {
    char program[PATH_MAX]; /* "": there is none */
    bool *is_asked; /* by spot */
    uint32_t asked_room;
    uint32_t *spots; /* of the questions */
    uint32_t spot_count;
    uint32_t *wanted; /* sites, by the next look */
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

/* The site of a record's code of the process; UINT32_MAX: not told. */
static uint32_t site_of_code(const struct mwa_live *live, const struct mwa_live_process *process,
                             uint32_t code)
{
    const struct mw_site_map *map = &process->map;
    const uint32_t number = code - MW_CALL_COUNT;

    return code >= MW_CALL_COUNT && number < map->site_count &&
                   map->sites[number] < live->sites->site_count
               ? map->sites[number]
               : UINT32_MAX;
}

/* The site that the thread's open call was made from; UINT32_MAX: it is in none, or not told. */
static uint32_t site_of(const struct mwa_live *live, const struct mwa_live_thread *thread)
{
    return thread->moment.is_inside
               ? site_of_code(live, &live->processes[thread->process], thread->moment.last.call)
               : UINT32_MAX;
}

/* The library that has a spot's code; "": the program has, or it is a line. */
static const char *library_of(const struct mwa_live *live, const struct mw_merged_spot *spot)
{
    return spot->is_line ? "" : mwa_library_name(live->sites->modules[spot->module].path);
}

void mwa_live_lines_want(struct mwa_live_lines *lines, const struct mwa_live *live,
                         const struct mwa_live_process *process, uint32_t code)
{
    const uint32_t site = site_of_code(live, process, code);

    if (site != UINT32_MAX &&
        mw_array_grow((void **)&lines->wanted, lines->wanted_count, sizeof *lines->wanted)) {
        lines->wanted[lines->wanted_count++] = site;
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

/* Adds a site's spot, and those of the frames that lead there. */
static void add_site(struct mwa_live_lines *lines, const struct mwa_live *live, uint32_t index)
{
    const struct mw_merged_sites *sites = live->sites;
    uint32_t frame;

    if (index == UINT32_MAX) {
        return;
    }
    add_question(lines, live, sites->sites[index].spot);
    frame = sites->sites[index].frame;
    for (; frame < sites->frame_count; frame = sites->frames[frame].parent) {
        add_question(lines, live, sites->frames[frame].spot);
    }
}

static void collect(struct mwa_live_lines *lines, const struct mwa_live *live)
{
    lines->spot_count = 0;
    for (uint32_t i = 0; i < live->thread_count; i++) {
        add_site(lines, live, site_of(live, &live->threads[i]));
    }
    for (uint32_t i = 0; i < lines->wanted_count; i++) {
        add_site(lines, live, lines->wanted[i]);
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

static const char *file_of(const struct mwa_live *live, const struct mw_merged_spot *spot)
{
    const char *file = spot->is_line ? live->sites->modules[spot->module].path : spot->file;

    return file ? file : "";
}

/* What is known of a site: file, line, function, library and frame. */
static void describe(const struct mwa_live *live, uint32_t index, struct mwa_site *site)
{
    const struct mw_merged_site *merged = &live->sites->sites[index];
    const struct mw_merged_spot *spot = &live->sites->spots[merged->spot];

    site->file = file_of(live, spot);
    site->function = spot->function ? spot->function : "";
    site->line = spot->line;
    site->library = library_of(live, spot);
    site->frame = merged->frame < live->sites->frame_count ? merged->frame : MWA_NONE;
}

void mwa_live_place_of(const struct mwa_live *live, const struct mwa_live_process *process,
                       uint32_t code, struct mwa_site *place)
{
    const uint32_t index = site_of_code(live, process, code);

    place->file = place->function = place->library = "";
    place->line = 0;
    place->frame = MWA_NONE;
    if (index != UINT32_MAX) {
        describe(live, index, place);
    }
}

/* A frame, whose parent is that of the other ones. */
static struct mwa_stack_frame frame_of(const struct mwa_live *live, uint32_t index,
                                       uint32_t parent)
{
    const struct mw_merged_spot *spot =
        &live->sites->spots[live->sites->frames[index].spot];

    return (struct mwa_stack_frame){
        .parent = parent,
        .line = spot->line,
        .function = spot->function ? spot->function : "",
        .file = file_of(live, spot),
        .module = spot->is_line ? "" : live->sites->modules[spot->module].path};
}

struct mwa_stack_frame *mwa_live_frames(const struct mwa_live *live)
{
    const struct mw_merged_sites *sites = live->sites;
    struct mwa_stack_frame *frames = calloc(sites->frame_count + 1u, sizeof *frames);

    for (uint32_t i = 0; frames && i < sites->frame_count; i++) {
        const uint32_t parent = sites->frames[i].parent;

        frames[i] = frame_of(live, i, parent < sites->frame_count ? parent : MWA_NONE);
    }
    return frames;
}

/* Puts the place that led to a library's or a wrapper's call in that of its own. */
static void lead(const struct mwa_live *live, struct mwa_site *site, const char *call)
{
    const struct mw_merged_sites *sites = live->sites;
    struct mwa_stack_frame frames[MWA_STACK_FRAMES];
    const struct mwa_stack_frame *leader;
    uint32_t frame = site->frame;
    uint32_t count = 0;

    for (; frame < sites->frame_count && count < MWA_STACK_FRAMES; count++) {
        frames[count] = frame_of(live, frame, count + 1);
        frame = sites->frames[frame].parent;
    }
    if (count > 0) {
        frames[count - 1].parent = MWA_NONE;
        site->frame = 0; /* of these */
        leader = mwa_site_leader(frames, site, call);
        site->line = leader ? leader->line : site->line;
        site->file = leader ? leader->file : site->file;
    }
}

bool mwa_live_line(const struct mwa_live *live, const struct mwa_live_thread *thread, char *text,
                   size_t size)
{
    const uint32_t index = site_of(live, thread);
    struct mwa_site site;
    const char *slash;

    if (thread->line) {
        snprintf(text, size, "%s", thread->line);
        return true;
    }
    if (index == UINT32_MAX) {
        return false;
    }
    describe(live, index, &site);
    lead(live, &site, mwa_live_call_name(live, thread));
    if (site.line == 0 || !*site.file) {
        return false;
    }
    slash = strrchr(site.file, '/');
    snprintf(text, size, "%s:%u", slash ? slash + 1 : site.file, site.line);
    return true;
}
