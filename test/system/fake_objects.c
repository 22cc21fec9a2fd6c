/*
 * Performance variables bound to communicators, windows and files, of a made-up MPI_T
 * that is preloaded behind the recorder. The program sets their values by fake_set. It
 * counts handles, and says when an object is freed that a handle is still bound to.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_sessions.h"

enum { COMM, WINDOW, FILES, REQUEST, TEXT, FAKES };
enum { OBJECTS = 4096, HANDLES = 4096 };

static const char *const names[FAKES] = {"fake_comm", "fake_window", "fake_file", "fake_request",
                                         "fake_text"};

struct object {
    int kind;
    uintptr_t handle;
    unsigned long value;
    int bound; /* handles that are alive */
};

struct handle {
    int is_used;
    int object; /* index */
};

static struct object objects[OBJECTS];
static int object_count;
static struct handle handles[HANDLES];
static int alive, most_alive, wrong;

static struct object *find(int kind, uintptr_t handle)
{
    for (int i = 0; i < object_count; i++) {
        if (objects[i].kind == kind && objects[i].handle == handle) {
            return &objects[i];
        }
    }
    objects[object_count] = (struct object){kind, handle, 0, 0};
    return &objects[object_count++];
}

int fake_barriers_count; /* each counts one on its communicator */

void fake_set(int kind, uintptr_t handle, unsigned long value)
{
    find(kind, handle)->value = value;
}

/* "most 66 alive 0 wrong 0": handles at once, now, and at the end of their objects. */
void fake_report(void)
{
    printf("most %d alive %d wrong %d\n", most_alive, alive, wrong);
    fflush(stdout);
}

/* Of the variable of a file: its value, twice it, three times it … */
static int elements(void)
{
    const char *text = getenv("FAKE_ELEMENTS");

    return text ? atoi(text) : 1;
}

/* The object is about to be freed; MPI gives its handle out again. */
static void ends(int kind, uintptr_t handle)
{
    struct object *object = find(kind, handle);

    wrong += object->bound;
    object->handle = UINTPTR_MAX;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    ends(COMM, (uintptr_t)*comm);
    return PMPI_Comm_free(comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    int result = PMPI_Barrier(comm);

    find(COMM, (uintptr_t)comm)->value += fake_barriers_count != 0;
    return result;
}

int MPI_Win_free(MPI_Win *window)
{
    ends(WINDOW, (uintptr_t)*window);
    return PMPI_Win_free(window);
}

int MPI_File_close(MPI_File *file)
{
    ends(FILES, (uintptr_t)*file);
    return PMPI_File_close(file);
}

int PMPI_T_pvar_get_num(int *count)
{
    *count = FAKES;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
                         MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                         int *description_length, int *bind, int *is_readonly,
                         int *is_continuous, int *is_atomic)
{
    static const int binds[FAKES] = {MPI_T_BIND_MPI_COMM, MPI_T_BIND_MPI_WIN, MPI_T_BIND_MPI_FILE,
                                     MPI_T_BIND_MPI_REQUEST, MPI_T_BIND_NO_OBJECT};

    if (index < 0 || index >= FAKES) {
        return MPI_T_ERR_INVALID_INDEX;
    }
    snprintf(name, (size_t)*name_length, "%s", names[index]);
    snprintf(description, (size_t)*description_length, "a fake");
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *class = index == FILES ? MPI_T_PVAR_CLASS_LEVEL : MPI_T_PVAR_CLASS_COUNTER;
    *datatype = index == TEXT ? MPI_CHAR : MPI_UNSIGNED_LONG;
    *items = MPI_T_ENUM_NULL;
    *bind = binds[index];
    *is_readonly = 1;
    *is_continuous = 1;
    *is_atomic = 0;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                             MPI_T_pvar_handle *handle, int *count)
{
    uintptr_t bound = index == COMM     ? (uintptr_t)*(MPI_Comm *)object
                      : index == WINDOW ? (uintptr_t)*(MPI_Win *)object
                                        : (uintptr_t)*(MPI_File *)object;
    int at = 0;

    while (handles[at].is_used) {
        at++;
    }
    handles[at] = (struct handle){1, (int)(find(index, bound) - objects)};
    objects[handles[at].object].bound++;
    alive++;
    most_alive = alive > most_alive ? alive : most_alive;
    *handle = (MPI_T_pvar_handle)&handles[at];
    *count = index == FILES ? elements() : 1;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    struct handle *own = (struct handle *)(void *)*handle;

    objects[own->object].bound--;
    own->is_used = 0;
    alive--;
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buffer)
{
    const struct handle *own = (const struct handle *)(const void *)handle;
    const struct object *object = &objects[own->object];
    unsigned long *values = buffer;

    for (int i = 0; i < (object->kind == FILES ? elements() : 1); i++) {
        values[i] = object->value * (unsigned long)(i + 1);
    }
    return MPI_SUCCESS;
}
