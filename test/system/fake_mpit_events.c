/*
 * Events of an MPI that has some (MPI_T events of MPI 4.0), preloaded behind the recorder; the MPIs
 * of today have none. MPI_Barrier tells what the program has put down for it (fake_mpit_events.h).
 */
/* MPICH declares these with types of its own, which Open MPI's mpi.h has none of. */
#define PMPI_T_event_get_num library_event_get_num
#define PMPI_T_event_get_info library_event_get_info
#define PMPI_T_event_handle_alloc library_event_handle_alloc
#define PMPI_T_event_handle_free library_event_handle_free
#define PMPI_T_event_register_callback library_event_register_callback
#define PMPI_T_event_set_dropped_handler library_event_set_dropped_handler
#define PMPI_T_event_read library_event_read
#include "fake_mpit_events.h"
#undef PMPI_T_event_get_num
#undef PMPI_T_event_get_info
#undef PMPI_T_event_handle_alloc
#undef PMPI_T_event_handle_free
#undef PMPI_T_event_register_callback
#undef PMPI_T_event_set_dropped_handler
#undef PMPI_T_event_read

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { EVENTS = 4, LEVELS = 4 };

typedef void on_event(void *instance, void *registration, int safety, void *user_data);
typedef void on_dropped(MPI_Count count, void *registration, int source, int safety,
                        void *user_data);

struct registration {
    on_event *callbacks[LEVELS];
    void *user_data[LEVELS];
    on_dropped *dropped;
};

/* What a callback may read while it runs. */
struct instance {
    int event;
    struct fake_packet packet;
};

static struct registration registrations[EVENTS];
static const char *const names[EVENTS] = {"fake_packet", "fake_tick", "fake_odd", "fake_other"};
static fake_work *work;

void fake_work_in_barrier(fake_work *function)
{
    work = function;
}

void fake_raise(int event, int safety, const struct fake_packet *packet)
{
    struct instance instance = {.event = event};
    const struct registration *of = &registrations[event];

    if (packet) {
        instance.packet = *packet;
    }
    if (of->callbacks[safety]) {
        of->callbacks[safety](&instance, (void *)of, safety, of->user_data[safety]);
    }
}

void fake_drop(int event, int count)
{
    if (registrations[event].dropped) {
        registrations[event].dropped(count, &registrations[event], 0, 0, NULL);
    }
}

int MPI_Barrier(MPI_Comm comm)
{
    fake_work *now = work;

    work = NULL;
    if (now) {
        now();
    }
    return PMPI_Barrier(comm);
}

int PMPI_T_event_get_num(int *count)
{
    *count = EVENTS;
    return MPI_SUCCESS;
}

int PMPI_T_event_get_info(int index, char *name, int *name_length, int *verbosity,
                          MPI_Datatype datatypes[], MPI_Aint displacements[], int *elements,
                          MPI_T_enum *items, MPI_Info *info, char *description,
                          int *description_length, int *bind)
{
    snprintf(name, (size_t)*name_length, "%s", names[index]);
    snprintf(description, (size_t)*description_length, "a fake");
    *elements = index == FAKE_PACKET ? 3 : index == FAKE_TICK ? 0 : 1;
    if (index == FAKE_PACKET) {
        const MPI_Datatype types[] = {MPI_UNSIGNED, MPI_INT, MPI_DOUBLE};

        memcpy(datatypes, types, sizeof types);
    } else if (*elements > 0) {
        datatypes[0] = index == FAKE_ODD ? MPI_FLOAT : MPI_UNSIGNED_LONG_LONG;
    }
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *items = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    if (info) {
        *info = MPI_INFO_NULL;
    }
    return MPI_SUCCESS;
}

int PMPI_T_event_handle_alloc(int index, void *object, MPI_Info info, void **registration)
{
    *registration = &registrations[index];
    return object ? MPI_ERR_ARG : MPI_SUCCESS;
}

int PMPI_T_event_handle_free(void *registration, void *user_data, void *callback)
{
    memset(registration, 0, sizeof registrations[0]);
    return MPI_SUCCESS;
}

int PMPI_T_event_register_callback(void *registration, int safety, MPI_Info info, void *user_data,
                                   on_event *callback)
{
    struct registration *of = registration;

    of->callbacks[safety] = callback;
    of->user_data[safety] = user_data;
    return MPI_SUCCESS;
}

int PMPI_T_event_set_dropped_handler(void *registration, on_dropped *callback)
{
    ((struct registration *)registration)->dropped = callback;
    return MPI_SUCCESS;
}

int PMPI_T_event_read(void *instance, int element, void *value)
{
    const struct instance *of = instance;

    if (of->event != FAKE_PACKET || element > 2) {
        return MPI_ERR_ARG;
    }
    memcpy(value, element == 0 ? (const void *)&of->packet.bytes
                  : element == 1 ? (const void *)&of->packet.peer
                                 : (const void *)&of->packet.ms,
           element == 2 ? sizeof of->packet.ms : sizeof of->packet.peer);
    return MPI_SUCCESS;
}
