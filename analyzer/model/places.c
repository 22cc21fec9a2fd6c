#include "analyzer/model/places.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/wrappers.h"
#include "formats/base/order.h"

/* The function of a recorder's outermost frame where it followed the stack no further. */
#define CUT "[cut]"

/* Who leads to a wrapper's call; null: it is a library's, or nothing to say. Frames that are alike
 * are one by now. */
static const struct mwa_stack_frame *caller_of(const struct mwa_site *site)
{
    return mwa_site_is_by_library(site) ? NULL : site->led_by;
}

static int compare_places(const struct mwa_site *a, const struct mwa_site *b)
{
    return mw_order(a->region, b->region) ?: mw_order(a->line, b->line)
               ?: strcmp(a->file, b->file)
               ?: strcmp(a->function, b->function)
               ?: mw_order((uintptr_t)caller_of(a), (uintptr_t)caller_of(b));
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_site *const *a = one;
    const struct mwa_site *const *b = other;

    return compare_places(*a, *b) ?: mw_order((uintptr_t)*a, (uintptr_t)*b);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

const char *mwa_library_name(const char *module)
{
    const char *name = base_name(module);
    const char *suffix = strstr(name, ".so");

    return suffix && (suffix[3] == '.' || !suffix[3]) ? name : "";
}

/* Whether a function is told by name, and not by its file and the address: "libio.so+0x2e607a". */
static bool is_named(const char *function, const char *file)
{
    const size_t length = strlen(file);

    return *function && (strncmp(function, file, length) != 0 || function[length] != '+');
}

static bool is_main(const char *function)
{
    return strcmp(function, "main") == 0 || strncmp(function, "main+", 5) == 0;
}

/* Whether a library lies in or below the program's directory, or where both were installed: one of
 * /opt/x/bin/program in /opt/x; /lib is /usr/lib. */
static bool is_beside(const char *library, const char *program)
{
    size_t length = (size_t)(base_name(program) - program);

    length -= length > 0; /* the slash */
    length -= length >= 4 && strncmp(program + length - 4, "/bin", 4) == 0 ? 4 : 0;
    return (strncmp(program, library, length) == 0 && library[length] == '/') ||
           (length == 4 && strncmp(program, "/usr", 4) == 0 && strncmp(library, "/lib", 4) == 0);
}

/*
 * Whether a frame of the program's that has no line says more than a function of the library does.
 * main calls all that a program does whose parts are libraries beside it; and what runs Python is
 * not the program.
 */
static bool says_more(const struct mwa_stack_frame *frames, const struct mwa_stack_frame *frame,
                      const struct mwa_site *site)
{
    const char *program = base_name(frame->module);

    if (strncmp(program, "python", 6) == 0) {
        return false;
    }
    return !is_named(site->function, site->library) ||
           (is_named(frame->function, program) &&
            !(is_main(frame->function) &&
              is_beside(frames[site->frame].module, frame->module)));
}

/*
 * What a library's source lines are known of is a part of the program, or might as well be: it ends
 * there, as it does in the program's own file.
 */
static const struct mwa_stack_frame *leader_of_library(const struct mwa_stack_frame *frames,
                                                       const struct mwa_site *site)
{
    uint32_t index = site->frame;

    while (index != MWA_NONE) {
        const struct mwa_stack_frame *frame = &frames[index];

        if (frame->line > 0) {
            return frame;
        }
        if (!*mwa_library_name(frame->module)) {
            return *frame->module && says_more(frames, frame, site) ? frame : NULL;
        }
        index = frame->parent;
    }
    return NULL;
}

/* From one frame outwards the innermost one that is no wrapper, if it is known by its line or its
 * name. */
static const struct mwa_stack_frame *leave_wrappers(const struct mwa_stack_frame *frames,
                                                    uint32_t index, const char *call)
{
    const struct mwa_stack_frame *frame;

    while (index != MWA_NONE && mwa_is_wrapper(frames[index].function, frames[index].file, call)) {
        index = frames[index].parent;
    }
    frame = index != MWA_NONE ? &frames[index] : NULL;
    return frame && (frame->line > 0 ||
                     (*frame->module && is_named(frame->function, base_name(frame->module))))
               ? frame
               : NULL;
}

/* A wrapper in a library may be called by one of the program's own. */
static const struct mwa_stack_frame *leave_all(const struct mwa_stack_frame *frames,
                                               const struct mwa_site *site, const char *call)
{
    const struct mwa_stack_frame *by = leader_of_library(frames, site);
    const struct mwa_stack_frame *around =
        by && mwa_is_wrapper(site->function, site->file, call)
            ? leave_wrappers(frames, (uint32_t)(by - frames), call)
            : NULL;

    return around ? around : by;
}

bool mwa_site_is_by_library(const struct mwa_site *site)
{
    return *site->library && site->line == 0;
}

const struct mwa_stack_frame *mwa_site_leader(const struct mwa_stack_frame *frames,
                                              const struct mwa_site *site, const char *call)
{
    if (site->frame == MWA_NONE) {
        return NULL;
    }
    if (mwa_site_is_by_library(site)) {
        return leave_all(frames, site, call);
    }
    return mwa_is_wrapper(site->function, site->file, call)
               ? leave_wrappers(frames, frames[site->frame].parent, call)
               : NULL;
}

static int by_leader(const void *one, const void *other)
{
    const struct mwa_site *const *a = one;
    const struct mwa_site *const *b = other;
    const struct mwa_stack_frame *left = (*a)->led_by, *right = (*b)->led_by;

    return mw_order(left->line, right->line) ?: strcmp(left->function, right->function)
               ?: strcmp(left->file, right->file)
               ?: strcmp(left->module, right->module)
               ?: mw_order((uintptr_t)left, (uintptr_t)right);
}

static bool are_alike(const struct mwa_stack_frame *a, const struct mwa_stack_frame *b)
{
    return a->line == b->line && strcmp(a->function, b->function) == 0 &&
           strcmp(a->file, b->file) == 0 && strcmp(a->module, b->module) == 0;
}

/* Whether two are by one function, wherever they are in it: "mpi_send+0x9a", "mpi_send+0x120". */
static bool are_of_one(const char *one, const char *other)
{
    const size_t length = strcspn(one, "+");

    return length == strcspn(other, "+") && strncmp(one, other, length) == 0;
}

/*
 * main of what runs a language (R, Julia, Octave) calls all that its libraries do by one call of
 * its own: where no other place in main leads anywhere, and this one does to several functions with
 * names, these say more. Sites are sorted by leader.
 */
static void leave_to_libraries(struct mwa_site **sites, uint64_t count)
{
    const struct mwa_stack_frame *only = NULL;
    const char *function = NULL;
    bool has_several = false;

    for (uint64_t i = 0; i < count; i++) {
        const struct mwa_stack_frame *by = sites[i]->led_by;

        if (!mwa_site_is_by_library(sites[i]) || by->line > 0 || !is_main(by->function)) {
            continue;
        }
        if (only && only != by) {
            return;
        }
        only = by;
        if (is_named(sites[i]->function, sites[i]->library)) {
            has_several |= function && !are_of_one(function, sites[i]->function);
            function = sites[i]->function;
        }
    }
    for (uint64_t i = 0; i < count && has_several; i++) {
        if (sites[i]->led_by == only && is_named(sites[i]->function, sites[i]->library)) {
            sites[i]->led_by = NULL;
        }
    }
}

/* Whether the same line leads to the same call of MPI by the same wrapper. */
static bool are_by_one(const struct mwa_site *a, const struct mwa_site *b)
{
    return a->led_by == b->led_by && a->region == b->region && strcmp(a->file, b->file) == 0 &&
           are_of_one(a->function, b->function);
}

/* Those by one wrapper come together. */
static int by_wrapper(const void *one, const void *other)
{
    const struct mwa_site *const *a = one;
    const struct mwa_site *const *b = other;
    const size_t length = strcspn((*a)->function, "+");
    const size_t other_length = strcspn((*b)->function, "+");

    return mw_order((uintptr_t)(*a)->led_by, (uintptr_t)(*b)->led_by)
               ?: mw_order((*a)->region, (*b)->region)
               ?: strcmp((*a)->file, (*b)->file)
               ?: mw_order(length, other_length)
               ?: strncmp((*a)->function, (*b)->function, length);
}

/* Which calls of wrappers are made there in several lines: who calls the wrapper does not tell
 * them apart. */
static void find_repeated(struct mwa_site **sites, uint64_t count)
{
    uint64_t end;

    qsort(sites, count, sizeof *sites, by_wrapper);
    for (uint64_t first = 0; first < count; first = end) {
        bool has_several = false;

        for (end = first; end < count && are_by_one(sites[first], sites[end]); end++) {
            has_several |= sites[end]->line != sites[first]->line ||
                           (sites[end]->line == 0 &&
                            strcmp(sites[end]->function, sites[first]->function) != 0);
        }
        for (uint64_t i = first; i < end; i++) {
            sites[i]->is_repeated = has_several && sites[i]->led_by &&
                                    !mwa_site_is_by_library(sites[i]);
        }
    }
}

/* Who leads to a call; frames that are alike but for who calls them are one. Sites has room for
 * all of them. */
static void find_leaders(struct mwa_trace *trace, struct mwa_site **sites)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < trace->site_count; i++) {
        struct mwa_site *site = &trace->sites[i];

        site->led_by = mwa_site_leader(trace->frames, site, trace->regions[site->region].name);
        if (site->led_by) {
            sites[count++] = site;
        }
    }
    qsort(sites, count, sizeof *sites, by_leader);
    for (uint64_t i = 1; i < count; i++) {
        if (are_alike(sites[i - 1]->led_by, sites[i]->led_by)) {
            sites[i]->led_by = sites[i - 1]->led_by;
        }
    }
    leave_to_libraries(sites, count);
    find_repeated(sites, count);
}

bool mwa_trace_find_places(struct mwa_trace *trace)
{
    struct mwa_site **sorted = malloc((trace->site_count + 1) * sizeof *sorted);

    if (!sorted) {
        return false;
    }
    if (trace->frame_count > 0) {
        find_leaders(trace, sorted);
    }
    for (uint64_t i = 0; i < trace->site_count; i++) {
        sorted[i] = &trace->sites[i];
    }
    qsort(sorted, trace->site_count, sizeof *sorted, by_place);
    for (uint64_t i = 0; i < trace->site_count; i++) {
        const bool goes_on = i > 0 && compare_places(sorted[i - 1], sorted[i]) == 0;
        struct mwa_site *place = goes_on ? &trace->sites[sorted[i - 1]->place] : sorted[i];

        sorted[i]->place = (uint32_t)(place - trace->sites);
        place->all_led_by = !goes_on || place->all_led_by == sorted[i]->led_by ? sorted[i]->led_by
                                                                               : NULL;
    }
    free(sorted);
    return true;
}

struct mwa_spot mwa_site_spot(const struct mwa_site *site)
{
    const struct mwa_stack_frame *by = site->led_by;

    return by ? (struct mwa_spot){ by->file, by->function, by->line }
              : (struct mwa_spot){ site->file, site->function, site->line };
}

bool mwa_trace_has_leaders(const struct mwa_trace *trace)
{
    bool has = false;

    for (uint64_t i = 0; i < trace->site_count && !has; i++) {
        has = trace->sites[i].led_by != NULL;
    }
    return has;
}

uint32_t mwa_trace_stack(const struct mwa_trace *trace, uint32_t site, uint32_t *frames,
                         bool *is_cut)
{
    uint32_t frame = trace->sites[site].frame;
    uint32_t count = 0;

    for (; frame != MWA_NONE && count < MWA_STACK_FRAMES; frame = trace->frames[frame].parent) {
        frames[count++] = frame;
    }
    *is_cut = frame != MWA_NONE;
    if (count > 0 && strcmp(trace->frames[frames[count - 1]].function, CUT) == 0) {
        *is_cut = true;
        count--;
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swapped = frames[i];

        frames[i] = frames[count - 1 - i];
        frames[count - 1 - i] = swapped;
    }
    return count;
}
