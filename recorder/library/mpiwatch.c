#define MPIWATCH_NO_MPI
#include "recorder/include/mpiwatch.h"

#include <dlfcn.h>

#include "recorder/library/interface.h"

/*
 * The recorder is loaded before the program or not at all: it is looked for once. dlsym is
 * weak, since a program that is linked statically has none, and no recorder either.
 */
#pragma weak dlsym

static int absent_text(const char *text)
{
    return MPIWATCH_ABSENT;
}

static int absent_integer(const char *name, long long value)
{
    return MPIWATCH_ABSENT;
}

static int absent_double(const char *name, double value)
{
    return MPIWATCH_ABSENT;
}

static int absent(void)
{
    return MPIWATCH_ABSENT;
}

static int no(void)
{
    return 0;
}

static int absent_named_comm(const void *handle, size_t bytes, const char *name)
{
    return MPIWATCH_ABSENT;
}

static int absent_comm(const void *handle, size_t bytes)
{
    return MPIWATCH_ABSENT;
}

static int no_comm(const void *handle, size_t bytes)
{
    return 0;
}

static const struct mpiwatch_interface nobody = {
    .bytes = sizeof nobody,
    .region_begin = absent_text,
    .region_end = absent_text,
    .marker = absent_text,
    .counter_set = absent_integer,
    .counter_set_double = absent_double,
    .counter_add = absent_integer,
    .pause = absent,
    .resume = absent,
    .snapshot = absent,
    .is_recording = no,
    .comm_register = absent_named_comm,
    .comm_unregister = absent_comm,
    .comm_is_registered = no_comm,
};

/* Null: not looked for yet. Set by any thread, with an atomic, always to the same. */
static const struct mpiwatch_interface *found;

/* Threads that look at the same time find the same. */
static const struct mpiwatch_interface *look(void)
{
    const struct mpiwatch_interface *interface = dlsym ? dlsym(RTLD_DEFAULT, "mpiwatch_interface_1")
                                                       : NULL;

    if (!interface || interface->bytes < sizeof *interface) {
        interface = &nobody;
    }
    __atomic_store_n(&found, interface, __ATOMIC_RELEASE);
    return interface;
}

static inline const struct mpiwatch_interface *recorder(void)
{
    const struct mpiwatch_interface *interface = __atomic_load_n(&found, __ATOMIC_ACQUIRE);

    return __builtin_expect(interface != NULL, 1) ? interface : look();
}

int mpiwatch_region_begin(const char *name)
{
    return recorder()->region_begin(name);
}

int mpiwatch_region_end(const char *name)
{
    return recorder()->region_end(name);
}

int mpiwatch_marker(const char *text)
{
    return recorder()->marker(text);
}

int mpiwatch_counter_set(const char *name, long long value)
{
    return recorder()->counter_set(name, value);
}

int mpiwatch_counter_set_double(const char *name, double value)
{
    return recorder()->counter_set_double(name, value);
}

int mpiwatch_counter_add(const char *name, long long value)
{
    return recorder()->counter_add(name, value);
}

int mpiwatch_pause(void)
{
    return recorder()->pause();
}

int mpiwatch_resume(void)
{
    return recorder()->resume();
}

int mpiwatch_snapshot(void)
{
    return recorder()->snapshot();
}

int mpiwatch_is_recording(void)
{
    return recorder()->is_recording();
}

int mpiwatch_comm_register_handle(const void *handle, size_t bytes, const char *name)
{
    return recorder()->comm_register(handle, bytes, name);
}

int mpiwatch_comm_unregister_handle(const void *handle, size_t bytes)
{
    return recorder()->comm_unregister(handle, bytes);
}

int mpiwatch_comm_is_registered_handle(const void *handle, size_t bytes)
{
    return recorder()->comm_is_registered(handle, bytes);
}
