/* A table that never moves: who ends the process reads it while its thread may still count. */
#include "recorder/state/noted_places.h"

#include <link.h>

#include "recorder/sites/loaded.h"
#include "recorder/sites/site_numbers.h"

#define PLACES_MOST (MWR_NOTED_PLACES / 4 * 3) /* as many of them as are found soon */

void mwr_noted_owe(struct mwr_noted_owed *owed, uint64_t *to, uint64_t made, uint64_t room)
{
    owed->notes = made > room ? made - room : 0;
    owed->to = to;
    mwr_noted_add(to, owed->notes);
}

void mwr_noted_settle(struct mwr_noted_owed *owed, uint64_t lost)
{
    if (owed->to) {
        mwr_noted_add(owed->to, lost - owed->notes);
        owed->to = NULL;
    }
}

/* Code that runs before a call has been noted, and behind it. */
static bool is_of_call(const struct mwr_loaded *loaded)
{
    return mwr_loaded_is_own(loaded) || mwr_loaded_is_mpi(loaded) ||
           mwr_loaded_is_below_mpi(loaded);
}

static int first_of_libraries(struct dl_phdr_info *info, size_t size, void *context)
{
    *(uint32_t *)context = (uint32_t)info->dlpi_subs;
    return 1;
}

uint32_t mwr_noted_unloaded(void)
{
    uint32_t unloaded = 0;

    (void)dl_iterate_phdr(first_of_libraries, &unloaded);
    return unloaded;
}

/* Says what is at the place's address. False: it is in no file, or there is no memory. */
static bool look_up(struct mwr_noted_place *place, uintptr_t address)
{
    struct mwr_loaded loaded;

    if (!mwr_loaded_find((const void *)address, &loaded)) {
        return false;
    }
    place->module = UINT32_MAX;
    place->own_address = address - loaded.bias;
    if (!is_of_call(&loaded)) {
        if (!mwr_sites_lock()) {
            return false;
        }
        place->module = mwr_number_module(&loaded);
        mwr_sites_unlock();
        return place->module != UINT32_MAX;
    }
    return true;
}

/* Whether that is there which was when the place was added. */
static bool is_still(struct mwr_noted_place *place, uint32_t unloaded)
{
    struct mwr_noted_place now;

    if (place->unloaded != unloaded && look_up(&now, place->address) &&
        now.module == place->module && now.own_address == place->own_address) {
        place->unloaded = unloaded;
    }
    return place->unloaded == unloaded;
}

static struct mwr_noted_place *find(struct mwr_noted *noted, uintptr_t address, uint32_t code,
                                    uint32_t unloaded)
{
    uint64_t slot = (address ^ (uint64_t)code << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 40;

    for (;; slot++) {
        struct mwr_noted_place *place = &noted->table[slot % MWR_NOTED_PLACES];

        if (place->address == 0 || (place->address == address && place->code == code &&
                                    is_still(place, unloaded))) {
            return place;
        }
    }
}

/* A place that is new. False: it is in no file, or there are enough. */
static bool add(struct mwr_noted *noted, struct mwr_noted_place *place, uintptr_t address,
                uint32_t code, uint32_t unloaded)
{
    if (noted->places == PLACES_MOST || !look_up(place, address)) {
        return false;
    }
    place->code = code;
    place->unloaded = unloaded;
    __atomic_store_n(&place->address, address, __ATOMIC_RELEASE);
    noted->places++;
    return true;
}

bool mwr_noted_count(struct mwr_noted *noted, uint64_t address, uint32_t code, uint32_t unloaded)
{
    struct mwr_noted_place *place = find(noted, (uintptr_t)address, code, unloaded);

    if (place->address == 0 && !add(noted, place, (uintptr_t)address, code, unloaded)) {
        mwr_noted_add(&noted->lost, 1);
        return true;
    }
    if (place->module == UINT32_MAX) {
        mwr_noted_add(&noted->inside, 1);
        return false;
    }
    mwr_noted_add(&noted->outside, 1);
    mwr_noted_add(&place->count, 1);
    return true;
}

static void tell_place(struct mwr_noted_place *place, bool of_others)
{
    const uint64_t count = __atomic_load_n(&place->count, __ATOMIC_RELAXED);

    if (place->module != UINT32_MAX && count > place->told) {
        mwr_number_sampled(place->code, place->module, place->own_address, count - place->told,
                           of_others);
        place->told = count;
    }
}

void mwr_noted_tell(struct mwr_noted *noted, bool of_others)
{
    for (uint32_t i = 0; i < MWR_NOTED_PLACES; i++) {
        struct mwr_noted_place *place = &noted->table[i];

        if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) != 0) {
            tell_place(place, of_others);
        }
    }
}
