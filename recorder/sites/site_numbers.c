/*
 * Libraries come and go, and programs load the same one a thousand times: numbers are by what is
 * meant and not by where it lies.
 */
#include "recorder/sites/site_numbers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"
#include "recorder/recorder.h"

/* Libraries come and go and come again: a module stays the same one. */
struct module {
    char *path;
    char *build_id;
    uint32_t number;
    bool is_defined;
};

/* What a number of a site means. */
struct site {
    uint32_t call;
    uint32_t module; /* index; of a stack MW_SITE_NONE … */
    uint64_t address; /* … and the frame: as the module's file counts addresses otherwise, … */
    uint64_t function; /* … and of a line, which it is then, a number for it; else 0 */
};

struct frame {
    uint32_t parent;
    uint32_t module;
    uint64_t address;
};

/* Written, and read but for the calls, under the lock. */
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static struct module *modules;
static uint32_t module_count;
static uint32_t module_definitions;
static struct site *sites; /* by number */
static struct mw_index_table by_place; /* of sites */
static uint32_t site_count;
static struct frame *frames; /* by number */
static struct mw_index_table by_frame;
static uint32_t frame_count;
static bool is_full; /* and said so */

/* By number; read without the lock: room for MW_SITES_MAX, so that it never moves. */
static uint16_t *site_calls;

bool mwr_sites_lock(void)
{
    return pthread_mutex_lock(&lock) == 0;
}

void mwr_sites_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

bool mwr_site_numbers_start(void)
{
    site_calls = calloc(MW_SITES_MAX, sizeof *site_calls);
    return site_calls;
}

static bool define(const struct mw_definition *definition)
{
    mwr_recorder_define(definition);
    return mwr_recorder.definitions && !mwr_recorder.definitions_failed;
}

/* --- modules ------------------------------------------------------------------------ */

uint32_t mwr_number_module(const struct mwr_loaded *loaded)
{
    struct module added = {0};
    uint32_t i = 0;

    while (i < module_count && (strcmp(modules[i].path, loaded->path) != 0 ||
                                strcmp(modules[i].build_id, loaded->build_id) != 0)) {
        i++;
    }
    if (i == module_count) {
        added.path = strdup(loaded->path);
        added.build_id = strdup(loaded->build_id);
        if (!added.path || !added.build_id ||
            !mw_array_grow((void **)&modules, module_count, sizeof *modules)) {
            free(added.path);
            free(added.build_id);
            return UINT32_MAX;
        }
        modules[module_count++] = added;
    }
    return i;
}

/* Defines the module, if that has not been done. False: it can't be. */
static bool define_module(struct module *module)
{
    if (!module->is_defined) {
        module->number = module_definitions;
        module->is_defined = define(&(struct mw_definition){
            .kind = MW_DEFINE_MODULE,
            .of.module = {module->number, module->path, module->build_id}});
        module_definitions += module->is_defined;
    }
    return module->is_defined;
}

/* --- sites and stacks ----------------------------------------------------------------- */

static bool is_site(const void *context, uint32_t index, const void *key)
{
    return memcmp(&((const struct site *)context)[index], key, sizeof(struct site)) == 0;
}

/* The function is that of a line; otherwise null. */
static bool define_site(const struct site *site, const char *function)
{
    struct mw_definition definition = {.kind = MW_DEFINE_SITE};

    if (site->module == MW_SITE_NONE) {
        definition.kind = MW_DEFINE_STACK;
        definition.of.stack = (struct mw_define_stack){site_count, site->call,
                                                       (uint32_t)site->address};
        return define(&definition);
    }
    if (!define_module(&modules[site->module])) {
        return false;
    }
    if (function) {
        definition.kind = MW_DEFINE_LINE;
        definition.of.line =
            (struct mw_define_line){site_count, site->call, modules[site->module].number,
                                    (uint32_t)site->address, function};
        return define(&definition);
    }
    definition.of.site = (struct mw_define_site){.site = site_count,
                                                 .call = site->call,
                                                 .module = modules[site->module].number,
                                                 .address = site->address};
    return define(&definition);
}

void mwr_site_numbers_end(void)
{
    if (!is_full) {
        is_full = true;
        (void)define(&(struct mw_definition){
            .kind = MW_DEFINE_CIRCUMSTANCE,
            .of.circumstance = {.of = MW_CIRCUMSTANCE_OF_PROCESS,
                                .name = "sites_left_out",
                                .value = "more places or stacks than there are numbers"}});
    }
}

/* Whether there is another number. */
static bool has_number(uint32_t count, uint32_t most)
{
    if (count >= most) {
        mwr_site_numbers_end();
    }
    return count < most;
}

static unsigned share_site(const struct site *site, const char *function)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, site, sizeof *site);
    uint32_t number = mw_index_find(&by_place, hash, is_site, sites, site);

    if (number == MW_INDEX_NONE) {
        if (!has_number(site_count, MW_SITES_MAX) ||
            !mw_array_grow((void **)&sites, site_count, sizeof *sites) ||
            !define_site(site, function) ||
            !mw_index_add(&by_place, hash, site_count)) {
            return site->call;
        }
        number = site_count;
        sites[number] = *site;
        site_calls[number] = (uint16_t)site->call;
        site_count++;
    }
    return MW_CALL_COUNT + number;
}

unsigned mwr_number_site(unsigned call, uintptr_t address, const struct mwr_loaded *loaded)
{
    struct site site = {.module = mwr_number_module(loaded),
                        .call = call,
                        .address = address - loaded->bias};

    return site.module == UINT32_MAX ? call : share_site(&site, NULL);
}

/* A file of source as a module. */
static uint32_t number_file(const char *file)
{
    struct mwr_loaded loaded = {.build_id = ""};

    snprintf(loaded.path, sizeof loaded.path, "%s", file);
    return mwr_number_module(&loaded);
}

unsigned mwr_number_line(unsigned call, const char *file, uint32_t line, const char *function)
{
    struct site site = {.call = call,
                        .module = number_file(file),
                        .address = line,
                        .function = mw_hash_bytes(MW_HASH_START, function, strlen(function))};

    return site.module == UINT32_MAX ? call : share_site(&site, function);
}

unsigned mwr_number_stack(unsigned call, uint32_t frame)
{
    struct site site = {.module = MW_SITE_NONE, .call = call, .address = frame};

    return frame >= frame_count ? call : share_site(&site, NULL);
}

static bool is_frame(const void *context, uint32_t index, const void *key)
{
    return memcmp(&((const struct frame *)context)[index], key, sizeof(struct frame)) == 0;
}

/* The function is that of a line; otherwise null. */
static bool define_frame(const struct frame *frame, const char *function)
{
    struct mw_definition definition = {.kind = MW_DEFINE_FRAME};
    uint32_t module;

    if (!define_module(&modules[frame->module])) {
        return false;
    }
    module = modules[frame->module].number;
    if (function) {
        definition.kind = MW_DEFINE_LINE_FRAME;
        definition.of.line_frame = (struct mw_define_line_frame){
            frame_count, frame->parent, module, (uint32_t)frame->address, function};
    } else {
        definition.of.frame =
            (struct mw_define_frame){frame_count, frame->parent, module, frame->address};
    }
    return define(&definition);
}

static uint32_t share_frame(const struct frame *frame, const char *function)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, frame, sizeof *frame);
    uint32_t number = mw_index_find(&by_frame, hash, is_frame, frames, frame);

    if (number != MW_INDEX_NONE) {
        return number;
    }
    if (!has_number(frame_count, MW_FRAMES_MAX) ||
        !mw_array_grow((void **)&frames, frame_count, sizeof *frames) ||
        !define_frame(frame, function) || !mw_index_add(&by_frame, hash, frame_count)) {
        return MW_INDEX_NONE;
    }
    frames[frame_count] = *frame;
    return frame_count++;
}

void mwr_number_sampled(unsigned code, uint32_t module, uint64_t address, uint64_t count,
                        bool of_others)
{
    if (define_module(&modules[module])) {
        (void)define(&(struct mw_definition){
            .kind = of_others ? MW_DEFINE_SAMPLED_OTHERS : MW_DEFINE_SAMPLED,
            .of.sampled = {.site = code < MW_CALL_COUNT ? MW_SITE_NONE : code - MW_CALL_COUNT,
                           .module = modules[module].number,
                           .address = address,
                           .count = count}});
    }
}

uint32_t mwr_number_count_frames(void)
{
    return frame_count;
}

uint32_t mwr_number_frame(uint32_t parent, uint32_t module, uint64_t address)
{
    return share_frame(&(struct frame){parent, module, address}, NULL);
}

uint32_t mwr_number_line_frame(uint32_t parent, const char *file, uint32_t line,
                               const char *function)
{
    const uint64_t name = mw_hash_bytes(MW_HASH_START, function, strlen(function));
    const uint32_t module = number_file(file);

    return module == UINT32_MAX
               ? MW_INDEX_NONE
               : share_frame(&(struct frame){parent, module, name << 32 | line}, function);
}

unsigned mwr_site_call(unsigned code)
{
    return code < MW_CALL_COUNT ? code : site_calls[code - MW_CALL_COUNT];
}
