/*
 * Calls look their site up at each entry, and few sites are new: readers take no lock, and what a
 * table holds is only ever added to, or taken out when nobody can ask for it.
 */
#include "recorder/sites/call_sites.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/guard.h"
#include "recorder/recorder.h"
#include "recorder/sites/frame.h"
#include "recorder/sites/loaded.h"
#include "recorder/sites/python_line.h"
#include "recorder/sites/python_module.h"
#include "recorder/sites/python_package.h"
#include "recorder/sites/site_numbers.h"
#include "recorder/sites/stacks.h"
#include "recorder/sites/wrapper_code.h"

#define TABLE_ENTRIES 256u
#define LEVELS_MAX 4u /* of MPI's libraries, one called by the other */
/* In the place of a call: the address is asked for, and not what a record has. */
#define ADDRESS_ONLY 0xffffu
#define VALUE_OF_CALL(call) ((call) + 1)
#define PYTHON MWR_SITE_FRAME /* of no size: of a call from mpi4py, and its like */
/* Of none that there is: its stack is told; the same of calls by the program's own wrappers. */
#define LIBRARY (MWR_SITE_FRAME | 1)
/* In the place of a call: the place of a call by a library, whose stack can't be told. */
#define WITHOUT_STACK(call) ((call) | 0x8000u)
#define PYTHON_ENTRIES_MAX 65536u
#define PACKAGED_MAX 32u /* frames of Python between a library and the program */
/* The key of an entry that is not in use any more: above those of calls from nowhere. */
#define GONE MWR_SITE_KEY(1, 0)

/* Written under the lock of sites; the table is read by every call. */
struct mwr_site_table *mwr_site_table;
static uint32_t used; /* entries of it */
static uint32_t python_used; /* of them, of lines of Python */

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

static bool is_python_full(void)
{
    return __atomic_load_n(&python_used, __ATOMIC_RELAXED) >= PYTHON_ENTRIES_MAX;
}

/* Adds what was found out of Python, as long as there are not too many. */
static void add_of_python(uint64_t key, uint32_t value)
{
    if (python_used < PYTHON_ENTRIES_MAX) {
        add(key, value);
        python_used++;
    }
}

/* What tells where a call comes from that is not MPI's own: PYTHON, LIBRARY, or 0, the address. */
static uint32_t what_tells(const struct mwr_loaded *loaded, uintptr_t address, unsigned call)
{
    if (mwr_stacks_are_of_libraries && !loaded->is_program) {
        return mwr_loaded_is_of_python(loaded, address) ? PYTHON : LIBRARY;
    }
    if (mwr_stacks_are_of_libraries && mwr_wrapper_code_is(loaded, address, call)) {
        return LIBRARY;
    }
    return mwr_loaded_may_be_of_python(loaded, address) ? PYTHON : 0;
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
    uint32_t value = 0;

    if (is_known && mwr_loaded_is_mpi(&loaded)) {
        value = mwr_frame_fixed(loaded.frames, loaded.frames_bytes, (uintptr_t)caller);
        value |= value > 0 ? MWR_SITE_FRAME : 0;
    } else if (is_known && call != ADDRESS_ONLY) {
        value = what_tells(&loaded, (uintptr_t)caller, call);
    }
    (void)mwr_sites_lock();
    if (mwr_site_look(mwr_site_table, key) != 0) {
        value = mwr_site_look(mwr_site_table, key); /* another thread was quicker */
    } else {
        if (value == 0) {
            value = VALUE_OF_CALL(is_known && call != ADDRESS_ONLY
                                      ? mwr_number_site(call, (uintptr_t)caller, &loaded)
                                      : call);
        }
        add(key, value);
    }
    mwr_sites_unlock();
    return value;
}

/* Takes the directories away, if that is wanted. */
static void shorten(struct mwr_python_place *place)
{
    const char *slash = strrchr(place->file, '/');

    if (slash && mwr_recorder.settings.paths == MW_PATHS_BASE) {
        memmove(place->file, slash + 1, strlen(slash));
    }
}

/* Puts the library that calls before the function of Python, but where that is one of Python's. */
static void add_library(struct mwr_python_place *place, const struct mwr_loaded *loaded,
                        const char *caller)
{
    const char *slash = strrchr(loaded->path, '/');
    char function[sizeof place->function];

    if (!mwr_loaded_is_of_python(loaded, (uintptr_t)caller)) {
        memcpy(function, place->function, sizeof function);
        snprintf(place->function, sizeof place->function, "%.127s < %.120s",
                 slash ? slash + 1 : loaded->path, function);
    }
}

/*
 * The number of a line of Python, or, where spot is null or can't be read, of the place in the
 * library that calls.
 * \return the value of the table; it is there from now on, if there was memory.
 */
static uint32_t find_out_python(unsigned call, uint64_t key, const struct mwr_python_spot *spot,
                                const char *caller)
{
    struct mwr_python_place place;
    bool is_line = spot && !is_python_full() && mwr_python_read(spot, &place);
    uint32_t value = VALUE_OF_CALL(call);
    struct mwr_loaded loaded;

    if (!mwr_loaded_find(caller, &loaded)) {
        return value;
    }
    if (is_line) {
        shorten(&place);
        add_library(&place, &loaded, caller);
    }
    (void)mwr_sites_lock();
    value = VALUE_OF_CALL(is_line
                              ? mwr_number_line(call, place.file, place.line, place.function)
                              : mwr_number_site(call, (uintptr_t)caller, &loaded));
    if (spot) {
        add_of_python(key, value);
    } else {
        add(key, value);
    }
    mwr_sites_unlock();
    return value;
}

static uint32_t follow_python(unsigned call, const char *caller)
{
    struct mwr_python_spot spot;
    bool is_python = mwr_python_look(&spot);
    uint64_t identity = is_python ? mwr_python_join(spot.identity, (uintptr_t)caller)
                                  : (uintptr_t)caller | MWR_PYTHON_IDENTITY;
    uint64_t key = identity << 16 | call;
    uint32_t value = mwr_site_look(mwr_site_table, key);

    return value != 0 ? value : find_out_python(call, key, is_python ? &spot : NULL, caller);
}

/* --- stacks of Python ------------------------------------------------------------------- */

/*
 * Goes outwards from a frame, as far as frames are told, and reads so many of them as there is room
 * for; those that can't be read are passed over. \return how many were read. *is_cut: there are
 * others. *identity: of all that were looked at.
 */
static unsigned read_python_frames(struct mwr_python_spot *spot, struct mwr_python_place *places,
                                   unsigned room, bool *is_cut, uint64_t *identity)
{
    unsigned read = 0;
    unsigned looked = 0;
    bool is_more = true;

    *identity = spot->identity;
    while (is_more && looked < mwr_stack_frames) {
        read += read < room && mwr_python_read_frame(spot, &places[read]);
        looked++;
        is_more = mwr_python_look_around(spot);
        *identity = is_more ? mwr_python_join(*identity, spot->identity) : *identity;
    }
    *is_cut = is_more;
    return read;
}

/* As find_out_python, of the stack that spot is the innermost frame of. */
static uint32_t find_out_python_stack(unsigned call, uint64_t key, struct mwr_python_spot spot)
{
    struct mwr_python_place *places = malloc(mwr_stack_frames * sizeof *places);
    uint32_t value = VALUE_OF_CALL(call);
    uint32_t frame;
    uint64_t ignored;
    bool is_cut;
    unsigned count;

    if (!places || is_python_full()) {
        free(places);
        return value;
    }
    (void)mwr_python_read(&spot, places); /* says whether this Python can be read */
    count = read_python_frames(&spot, places, mwr_stack_frames, &is_cut, &ignored);
    (void)mwr_sites_lock();
    frame = is_cut ? MW_FRAME_CUT : MW_FRAME_NONE;
    for (unsigned i = count; i-- > 0;) {
        shorten(&places[i]);
        frame = mwr_number_line_frame(frame, places[i].file, places[i].line, places[i].function);
        if (frame >= MW_FRAMES_MAX) {
            break;
        }
    }
    value = VALUE_OF_CALL(count > 0 ? mwr_number_stack(call, frame) : call);
    add_of_python(key, value);
    mwr_sites_unlock();
    free(places);
    return value;
}

/* Of a call by Python, by the frames of Python; where there are none, by its place. */
static uint32_t follow_python_stack(unsigned call, const char *caller)
{
    struct mwr_python_spot spot;
    struct mwr_python_spot at;
    uint64_t identity;
    uint32_t value;
    bool is_cut;

    if (!mwr_python_look(&spot)) {
        return follow_python(call, caller);
    }
    at = spot;
    (void)read_python_frames(&at, NULL, 0, &is_cut, &identity);
    value = mwr_site_look(mwr_site_table, identity << 16 | call);
    return value != 0 ? value : find_out_python_stack(call, identity << 16 | call, spot);
}

static __attribute__((noinline)) unsigned find_python_stack(unsigned call, const char *caller)
{
    int error = errno;
    uint32_t value = follow_python_stack(call, caller);

    errno = error;
    return value - 1;
}

/*
 * The place of a call by a library without its stack; in a Python program, of its line.
 * \return the value of the table.
 */
static uint32_t find_out_place(unsigned call, const char *caller)
{
    const uint64_t key = MWR_SITE_KEY(caller, WITHOUT_STACK(call));
    uint32_t value = mwr_site_look(mwr_site_table, key);
    struct mwr_loaded loaded;
    bool is_python;

    if (value == 0 && mwr_loaded_find(caller, &loaded)) {
        is_python = mwr_python_is_there();
        (void)mwr_sites_lock();
        value = is_python ? PYTHON
                          : VALUE_OF_CALL(mwr_number_site(call, (uintptr_t)caller, &loaded));
        add(key, value);
        mwr_sites_unlock();
    }
    return value == PYTHON ? follow_python(call, caller) : value != 0 ? value : VALUE_OF_CALL(call);
}

/* --- libraries below Python --------------------------------------------------------------- */

/* The number of the package that the frame's file is of; it is in the table from now on. */
static uint32_t find_out_package(uint64_t key, const struct mwr_python_spot *spot)
{
    struct mwr_python_place place;
    uint32_t package;

    if (is_python_full()) {
        return MWR_PYTHON_OWN;
    }
    package = mwr_python_read_names(spot, &place) ? mwr_python_package(place.file, place.function)
                                                  : MWR_PYTHON_STANDARD;
    (void)mwr_sites_lock();
    add_of_python(key, package);
    mwr_sites_unlock();
    return package;
}

/*
 * From the innermost frame to that of the program's own, which the packages that it uses are called
 * by; of a program that is itself installed, to that of another package than the innermost one's.
 */
static void look_for_program(struct mwr_python_spot *spot)
{
    struct mwr_python_spot at = *spot;
    uint32_t innermost = MWR_PYTHON_STANDARD;
    bool is_found = false;
    bool is_more = true;

    for (unsigned i = 0; i < PACKAGED_MAX && is_more; i++) {
        const uint64_t key = mwr_python_join(at.code, at.filename) << 16 | ADDRESS_ONLY;
        uint32_t package = mwr_site_look(mwr_site_table, key);

        package = package != 0 ? package : find_out_package(key, &at);
        innermost = innermost == MWR_PYTHON_STANDARD ? package : innermost;
        if (package == MWR_PYTHON_OWN ||
            (!is_found && package != innermost && package != MWR_PYTHON_STANDARD)) {
            *spot = at;
            is_found = true;
        }
        is_more = package != MWR_PYTHON_OWN && mwr_python_look_around(&at);
    }
}

/*
 * The number of the stack with this code, led to by a line of Python, if spot is not null and can
 * be read. \return the value of the table, where it is from now on, if there was memory; PYTHON:
 * the stack is not told.
 */
static uint32_t find_out_below_python(unsigned call, unsigned code, uint64_t key,
                                      const struct mwr_python_spot *spot)
{
    struct mwr_python_place place;
    bool is_line = spot && !is_python_full() && mwr_python_read(spot, &place);
    uint32_t frame = MW_FRAME_CUT;
    uint32_t value = VALUE_OF_CALL(call);

    if (is_python_full()) {
        return PYTHON;
    }
    if (is_line) {
        shorten(&place);
    }
    (void)mwr_sites_lock();
    if (is_line) {
        frame = mwr_number_line_frame(frame, place.file, place.line, place.function);
    }
    if (!is_line || frame < MW_FRAMES_MAX) {
        value = VALUE_OF_CALL(mwr_stack_number(call, code, frame));
    }
    value = value != VALUE_OF_CALL(call) ? value : PYTHON;
    add_of_python(key, value);
    mwr_sites_unlock();
    return value;
}

static uint32_t follow_below_python(unsigned call, unsigned code, const char *caller)
{
    struct mwr_python_spot spot;
    bool is_python = mwr_python_look(&spot);
    uint64_t key;
    uint32_t value;

    if (is_python) {
        look_for_program(&spot);
    }
    key = (is_python ? mwr_python_join(spot.identity, code) : MWR_PYTHON_IDENTITY | code) << 16 |
          call;
    value = mwr_site_look(mwr_site_table, key);
    value = value != 0 ? value
                       : find_out_below_python(call, code, key, is_python ? &spot : NULL);
    return value != PYTHON ? value : find_out_place(call, caller);
}

/* Of a call by a library: code is what mwr_stack_find has found, where that is a stack. */
static uint32_t follow_library(unsigned call, unsigned code, const char *caller)
{
    if (code == MWR_STACK_OF_PYTHON) {
        return follow_python(call, caller);
    }
    if (code >= MWR_STACK_BELOW_PYTHON) {
        return follow_below_python(call, code, caller);
    }
    return code != call ? VALUE_OF_CALL(code) : find_out_place(call, caller);
}

static __attribute__((noinline)) unsigned find_library(unsigned call, unsigned code,
                                                       const char *caller)
{
    int error = errno;
    uint32_t value = follow_library(call, code, caller);

    errno = error;
    return value - 1;
}

/* Out of a frame of such a size, that frame is the beginning of: what its function returns to. */
static void *leave(uintptr_t *frame, uint32_t fixed)
{
    *frame += MWR_FRAME_BYTES(fixed);
    return (void *)mwr_frame_returns_to(*frame, MWR_FRAME_BACK(fixed));
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
        if (value == PYTHON) {
            return follow_python(call, *caller);
        }
        if (value == LIBRARY) {
            return follow_library(call, mwr_stack_find(call, *caller), *caller);
        }
        if (!(value & MWR_SITE_FRAME)) {
            return value;
        }
        if (frame == 0) {
            break; /* the address is not that of this thread's call */
        }
        *caller = leave(&frame, value);
    }
    return VALUE_OF_CALL(call);
}

/* Not inline: where stacks are told, it is out of the way at once. */
static __attribute__((noinline)) unsigned find_site(unsigned call, void *caller)
{
    int error = errno;
    uint32_t value = caller ? follow(call, &caller) : VALUE_OF_CALL(call);

    errno = error;
    return value - 1;
}

static inline bool is_known_library(unsigned call, const void *caller)
{
    return mwr_site_look(mwr_site_table, MWR_SITE_KEY(caller, call)) == LIBRARY;
}

unsigned mwr_site_find(unsigned call, void *caller)
{
    const bool of_all = mwr_stacks_are_told();
    unsigned code;

    if (!caller || (!of_all && !is_known_library(call, caller))) {
        return find_site(call, caller);
    }
    code = mwr_stack_find(call, caller);
    if (MW_LIKELY(code < MWR_STACK_BELOW_PYTHON && (of_all || code != call))) {
        return code;
    }
    return of_all ? find_python_stack(call, caller) : find_library(call, code, caller);
}

/* Before recording begins, without it, and with --sites=off: nothing is kept. Some microseconds. */
static void follow_anew(void **caller)
{
    const struct mwr_mark *mark = mwr_thread.outermost;
    uintptr_t frame = mark ? mark->frame : 0;
    struct mwr_loaded loaded;

    for (unsigned level = 0; frame != 0 && level <= LEVELS_MAX; level++) {
        const uintptr_t address = (uintptr_t)*caller;
        const bool is_mpi = mwr_loaded_find(*caller, &loaded) && mwr_loaded_is_mpi(&loaded);
        uint32_t fixed =
            is_mpi ? mwr_frame_fixed(loaded.frames, loaded.frames_bytes, address) : 0;

        if (fixed == 0) {
            return;
        }
        *caller = leave(&frame, fixed);
    }
}

void *mwr_site_address(void *caller)
{
    int error = errno;

    if (__atomic_load_n(&mwr_site_table, __ATOMIC_ACQUIRE)) {
        (void)follow(ADDRESS_ONLY, &caller);
    } else if (caller) {
        follow_anew(&caller);
    }
    errno = error;
    return caller;
}

/* --- beginning, and what ends ---------------------------------------------------------- */

void mwr_sites_start(const struct mwr_site_setting *setting)
{
    if (MWR_HAS_STACKS && setting->way == MWR_SITES_AUTO) {
        mwr_wrapper_code_start();
    }
    if (mwr_site_numbers_start() &&
        (setting->frames == 0 ||
         mwr_stacks_start(setting->frames, setting->way == MWR_SITES_AUTO))) {
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
    mwr_stacks_forget(begin, end);
}

void mwr_sites_forget(const void *address)
{
    struct mwr_loaded loaded;

    if (__atomic_load_n(&mwr_site_table, __ATOMIC_ACQUIRE) &&
        mwr_loaded_find(address, &loaded) && mwr_sites_lock()) {
        take_out(loaded.begin, loaded.end);
        mwr_sites_unlock();
    }
}
