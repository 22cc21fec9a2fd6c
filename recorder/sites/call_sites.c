#include "recorder/sites/call_sites.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "recorder/dispatch/guard.h"
#include "recorder/recorder.h"
#include "recorder/sites/frame.h"
#include "recorder/sites/loaded.h"

#define TABLE_ENTRIES 256u
#define LEVELS_MAX 4u /* of MPI's libraries, one called by the other */
/* In the place of a call: the address is asked for, and not what a record has. */
#define ADDRESS_ONLY 0xffffu
#define VALUE_OF_CALL(call) ((call) + 1)
#define GONE 1u /* the key of an entry that is not in use any more */

struct module {
    char *path;
    uintptr_t bias;
    uintptr_t begin;
    uintptr_t end;
    uint32_t number;
    bool is_defined;
};

/* Written under the lock; read by every call. */
struct mwr_site_table *mwr_site_table;

/* All that follows is under the lock; while it is held the loader's is never taken. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used; /* entries of the table */
static struct module *modules;
static uint32_t module_count;
static uint32_t module_definitions;
static uint16_t *site_calls; /* by number; room for MW_SITES_MAX: it never moves */
static uint32_t site_count;

/* --- the table -------------------------------------------------------------------- */

static struct mwr_site_table *create_table(uint32_t entries)
{
    struct mwr_site_table *table =
        calloc(1, sizeof *table + entries * sizeof table->entries[0]);

    if (table) {
        table->mask = entries - 1;
    }
    return table;
}

static void insert(struct mwr_site_table *table, uint64_t key, uint32_t value)
{
    uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    while (table->entries[slot & table->mask].key != 0) {
        slot++;
    }
    table->entries[slot & table->mask].value = value;
    __atomic_store_n(&table->entries[slot & table->mask].key, key, __ATOMIC_RELEASE);
}

/* The tables before stay, for those who read them: together they are as large as the new one. */
static bool make_room(void)
{
    struct mwr_site_table *table = mwr_site_table;
    struct mwr_site_table *grown;

    if (2 * (used + 1) <= table->mask + 1) {
        return true;
    }
    grown = create_table(2 * (table->mask + 1));
    if (!grown) {
        return false;
    }
    used = 0;
    for (uint32_t i = 0; i <= table->mask; i++) {
        if (table->entries[i].key > GONE) {
            insert(grown, table->entries[i].key, table->entries[i].value);
            used++;
        }
    }
    __atomic_store_n(&mwr_site_table, grown, __ATOMIC_RELEASE);
    return true;
}

static void add(uint64_t key, uint32_t value)
{
    if (mwr_site_look(mwr_site_table, key) == 0 && make_room()) {
        insert(mwr_site_table, key, value);
        used++;
    }
}

/* --- modules and sites ------------------------------------------------------------- */

/* The module, which may be new; null without memory. */
static struct module *share_module(const struct mwr_loaded *loaded)
{
    for (uint32_t i = 0; i < module_count; i++) {
        if (modules[i].begin == loaded->begin && strcmp(modules[i].path, loaded->path) == 0) {
            return &modules[i];
        }
    }
    if (!mw_array_grow((void **)&modules, module_count, sizeof *modules)) {
        return NULL;
    }
    modules[module_count] = (struct module){.path = strdup(loaded->path),
                                            .bias = loaded->bias,
                                            .begin = loaded->begin,
                                            .end = loaded->end};
    return modules[module_count].path ? &modules[module_count++] : NULL;
}

static bool define(const struct mw_definition *definition)
{
    mwr_recorder_define(definition);
    return mwr_recorder.definitions && !mwr_recorder.definitions_failed;
}

/* Defines a site. \return what records have as call: call itself if it can't be defined. */
static unsigned add_site(unsigned call, const char *caller, const struct mwr_loaded *loaded)
{
    struct module *module = share_module(loaded);

    if (!module || site_count == MW_SITES_MAX) {
        return call;
    }
    if (!module->is_defined) {
        module->number = module_definitions;
        module->is_defined = define(&(struct mw_definition){
            .kind = MW_DEFINE_MODULE,
            .of.module = {module->number, loaded->path, loaded->build_id}});
        module_definitions += module->is_defined;
    }
    if (!module->is_defined ||
        !define(&(struct mw_definition){
            .kind = MW_DEFINE_SITE,
            .of.site = {.site = site_count,
                        .call = call,
                        .module = module->number,
                        .address = (uint64_t)((uintptr_t)caller - loaded->bias)}})) {
        return call;
    }
    site_calls[site_count] = (uint16_t)call;
    return MW_CALL_COUNT + site_count++;
}

/*
 * Finds out what is behind an address from which call is made.
 *
 * \return the value of the table; it is there from now on, if there was memory.
 */
static uint32_t find_out(unsigned call, char *caller)
{
    uint64_t key = MWR_SITE_KEY(caller, call);
    struct mwr_loaded loaded;
    bool is_known = mwr_loaded_find(caller, &loaded);
    uint32_t value = VALUE_OF_CALL(call);
    uint32_t bytes = 0;

    if (is_known && mwr_loaded_is_mpi(&loaded)) {
        bytes = mwr_frame_bytes(loaded.frames, loaded.frames_bytes, (uintptr_t)caller);
    }
    pthread_mutex_lock(&lock);
    if (mwr_site_look(mwr_site_table, key) != 0) {
        value = mwr_site_look(mwr_site_table, key); /* another thread was quicker */
    } else {
        if (bytes > 0) {
            value = MWR_SITE_FRAME | bytes;
        } else if (is_known && call != ADDRESS_ONLY) {
            value = VALUE_OF_CALL(add_site(call, caller, &loaded));
        }
        add(key, value);
    }
    pthread_mutex_unlock(&lock);
    return value;
}

/*
 * Follows a call from its entry point, which returns to caller, to where it comes from outside of
 * MPI's libraries. \return the value of the table of that address, which *caller is then.
 */
static uint32_t follow(unsigned call, void **caller)
{
    const struct mwr_mark *mark = mwr_thread.outermost;
    uintptr_t frame = mark ? mark->frame : 0;
    uint32_t value = 0;

    for (unsigned level = 0; level <= LEVELS_MAX; level++) {
        value = mwr_site_look(mwr_site_table, MWR_SITE_KEY(*caller, call));
        value = value != 0 ? value : find_out(call, *caller);
        if (!(value & MWR_SITE_FRAME)) {
            return value;
        }
        if (frame == 0) {
            break; /* the address is not that of this thread's call */
        }
        frame += value & ~MWR_SITE_FRAME;
        memcpy(caller, (const char *)frame - sizeof *caller, sizeof *caller);
    }
    return VALUE_OF_CALL(call);
}

unsigned mwr_site_find(unsigned call, void *caller)
{
    int error = errno;
    uint32_t value = caller ? follow(call, &caller) : VALUE_OF_CALL(call);

    errno = error;
    return value - 1;
}

void *mwr_site_address(void *caller)
{
    int error = errno;

    if (__atomic_load_n(&mwr_site_table, __ATOMIC_ACQUIRE)) {
        (void)follow(ADDRESS_ONLY, &caller);
    }
    errno = error;
    return caller;
}

unsigned mwr_site_call(unsigned code)
{
    return code < MW_CALL_COUNT ? code : site_calls[code - MW_CALL_COUNT];
}

/* --- beginning, and what ends ---------------------------------------------------------- */

void mwr_sites_start(void)
{
    site_calls = calloc(MW_SITES_MAX, sizeof *site_calls);
    if (site_calls) {
        __atomic_store_n(&mwr_site_table, create_table(TABLE_ENTRIES), __ATOMIC_RELEASE);
    }
}

/* Takes out the entries of the addresses from begin to end. */
static void take_out(uintptr_t begin, uintptr_t end)
{
    struct mwr_site_table *table = mwr_site_table;

    for (uint32_t i = 0; i <= table->mask; i++) {
        uint64_t key = table->entries[i].key;

        if (key > GONE && (uintptr_t)(key >> 16) - begin < end - begin) {
            __atomic_store_n(&table->entries[i].key, GONE, __ATOMIC_RELEASE);
        }
    }
}

void mwr_sites_forget_gone(void)
{
    uint32_t i = 0;

    if (!__atomic_load_n(&mwr_site_table, __ATOMIC_ACQUIRE)) {
        return;
    }
    for (;;) {
        struct mwr_loaded loaded;
        struct module module;
        bool is_gone;

        pthread_mutex_lock(&lock);
        if (i >= module_count) {
            pthread_mutex_unlock(&lock);
            return;
        }
        module = modules[i];
        pthread_mutex_unlock(&lock);
        is_gone = !mwr_loaded_find((const void *)module.begin, &loaded) ||
                  loaded.begin != module.begin || strcmp(loaded.path, module.path) != 0;
        pthread_mutex_lock(&lock);
        if (is_gone && i < module_count && modules[i].begin == module.begin) {
            take_out(module.begin, module.end);
            free(modules[i].path);
            modules[i] = modules[--module_count];
        } else {
            i++;
        }
        pthread_mutex_unlock(&lock);
    }
}
