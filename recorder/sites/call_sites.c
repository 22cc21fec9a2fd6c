/*
 * Calls look their site up at each entry, and few sites are new: readers take no lock, and what a
 * table holds is only ever added to, or taken out when nobody can ask for it.
 */
#include "recorder/sites/call_sites.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"
#include "recorder/dispatch/guard.h"
#include "recorder/recorder.h"
#include "recorder/sites/frame.h"
#include "recorder/sites/loaded.h"

#define TABLE_ENTRIES 256u
#define LEVELS_MAX 4u /* of MPI's libraries, one called by the other */
/* In the place of a call: the address is asked for, and not what a record has. */
#define ADDRESS_ONLY 0xffffu
#define VALUE_OF_CALL(call) ((call) + 1)
/* The key of an entry that is not in use any more: above those of calls from nowhere. */
#define GONE MWR_SITE_KEY(1, 0)

/* Libraries come and go and come again: a module stays the same one. */
struct module {
    char *path;
    char *build_id;
    uintptr_t begin; /* where it is loaded; 0: it is not */
    uintptr_t end;
    uint32_t number;
    bool is_defined;
};

/* What a number of a site means. */
struct site {
    uint32_t module; /* index */
    uint32_t call;
    uint64_t address; /* as the module's file counts addresses */
};

/* Written under the lock; read by every call. */
struct mwr_site_table *mwr_site_table;

/* All that follows is under the lock; while it is held the loader's is never taken. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used; /* entries of the table */
static struct module *modules;
static uint32_t module_count;
static uint32_t module_definitions;
static struct site *sites; /* by number */
static struct mw_index_table by_place; /* of sites */
static uint32_t site_count;

/* By number; read without the lock: room for MW_SITES_MAX, so that it never moves. */
static uint16_t *site_calls;

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

/*
 * Puts a key that is not there into the first entry that is free, or is not in use any more: nobody
 * reads the value of what is gone. \return whether the entry was free.
 */
static bool insert(struct mwr_site_table *table, uint64_t key, uint32_t value)
{
    uint32_t slot = mwr_site_slot(key);
    struct mwr_site_entry *entry;
    bool was_free;

    while (table->entries[slot & table->mask].key > GONE) {
        slot++;
    }
    entry = &table->entries[slot & table->mask];
    was_free = entry->key == 0;
    entry->value = value;
    __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
    return was_free;
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
            used += insert(grown, table->entries[i].key, table->entries[i].value);
        }
    }
    __atomic_store_n(&mwr_site_table, grown, __ATOMIC_RELEASE);
    return true;
}

static void add(uint64_t key, uint32_t value)
{
    if (mwr_site_look(mwr_site_table, key) == 0 && make_room()) {
        used += insert(mwr_site_table, key, value);
    }
}

/* --- modules and sites ------------------------------------------------------------- */

/* The index of the module, which may be new; module_count without memory. */
static uint32_t share_module(const struct mwr_loaded *loaded)
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
            return module_count;
        }
        modules[module_count++] = added;
    }
    modules[i].begin = loaded->begin;
    modules[i].end = loaded->end;
    return i;
}

static bool is_site(const void *context, uint32_t index, const void *key)
{
    const struct site *one = &((const struct site *)context)[index];
    const struct site *other = key;

    return one->module == other->module && one->call == other->call &&
           one->address == other->address;
}

static bool define(const struct mw_definition *definition)
{
    mwr_recorder_define(definition);
    return mwr_recorder.definitions && !mwr_recorder.definitions_failed;
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

/* Defines a site as the next one. False: it can't be, or there are too many. */
static bool define_site(const struct site *site, uint64_t hash)
{
    return site_count < MW_SITES_MAX && define_module(&modules[site->module]) &&
           mw_array_grow((void **)&sites, site_count, sizeof *sites) &&
           define(&(struct mw_definition){.kind = MW_DEFINE_SITE,
                                          .of.site = {.site = site_count,
                                                      .call = site->call,
                                                      .module = modules[site->module].number,
                                                      .address = site->address}}) &&
           mw_index_add(&by_place, hash, site_count);
}

/* \return what records of the call from there have as call: call itself without a definition. */
static unsigned share_site(unsigned call, const char *caller, const struct mwr_loaded *loaded)
{
    struct site site = {.module = share_module(loaded),
                        .call = call,
                        .address = (uint64_t)((uintptr_t)caller - loaded->bias)};
    uint64_t hash = mw_hash_bytes(MW_HASH_START, &site, sizeof site);
    uint32_t number;

    if (site.module == module_count) {
        return call;
    }
    number = mw_index_find(&by_place, hash, is_site, sites, &site);
    if (number == MW_INDEX_NONE) {
        if (!define_site(&site, hash)) {
            return call;
        }
        number = site_count;
        sites[number] = site;
        site_calls[number] = (uint16_t)call;
        site_count++;
    }
    return MW_CALL_COUNT + number;
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
            value = VALUE_OF_CALL(share_site(call, caller, &loaded));
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

void mwr_sites_stop(void)
{
    __atomic_store_n(&mwr_site_table, NULL, __ATOMIC_RELEASE); /* somebody may be reading it */
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
    struct mwr_loaded loaded;

    if (!__atomic_load_n(&mwr_site_table, __ATOMIC_ACQUIRE)) {
        return;
    }
    for (uint32_t i = 0;; i++) {
        uintptr_t begin;
        bool is_there;

        pthread_mutex_lock(&lock);
        if (i >= module_count) {
            pthread_mutex_unlock(&lock);
            return;
        }
        begin = modules[i].begin;
        pthread_mutex_unlock(&lock);
        if (begin == 0) {
            continue;
        }
        is_there = mwr_loaded_find((const void *)begin, &loaded);
        pthread_mutex_lock(&lock);
        if (modules[i].begin == begin &&
            !(is_there && loaded.begin == begin && strcmp(loaded.path, modules[i].path) == 0 &&
              strcmp(loaded.build_id, modules[i].build_id) == 0)) {
            take_out(begin, modules[i].end);
            modules[i].begin = 0;
        }
        pthread_mutex_unlock(&lock);
    }
}
