/*
 * A library that stands for an MPI with performance variables of a queue, for pvar_sessions.c. It
 * is preloaded, and answers MPI_T as the standard has it: a variable that does not run all the
 * time is started, stopped and reset in each session by itself, a sum gains while it runs, a mark
 * goes back to where it was started.
 *
 *   queue_level     LEVEL, runs all the time: how many are in the queue
 *   queue_arrived   COUNTER: how many came
 *   queue_highest   HIGHWATERMARK: how many were in it at most
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL, ARRIVED, HIGHEST, VARIABLES };

static const struct {
    const char *name;
    int class;
    int is_continuous;
} variables[VARIABLES] = {
    [LEVEL] = {"queue_level", MPI_T_PVAR_CLASS_LEVEL, 1},
    [ARRIVED] = {"queue_arrived", MPI_T_PVAR_CLASS_COUNTER, 0},
    [HIGHEST] = {"queue_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK, 0},
};

struct session {
    int unused;
};

struct handle {
    struct session *session;
    int index;
    int runs;
    int was_started; /* ever */
    unsigned long long value;
    struct handle *next;
};

static struct handle *handles;
static unsigned long long level;

/* So many arrive, or with less than 0 leave. Called by the program. */
void queue_change(int number);

void queue_change(int number)
{
    level += (unsigned long long)number;
    for (struct handle *handle = handles; handle; handle = handle->next) {
        if (handle->runs && handle->index == ARRIVED && number > 0) {
            handle->value += (unsigned)number;
        } else if (handle->runs && handle->index == HIGHEST && level > handle->value) {
            handle->value = level;
        }
    }
}

int PMPI_T_pvar_get_num(int *count)
{
    *count = VARIABLES;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_get_index(const char *name, int class, int *index)
{
    for (int i = 0; i < VARIABLES; i++) {
        if (strcmp(variables[i].name, name) == 0 && variables[i].class == class) {
            *index = i;
            return MPI_SUCCESS;
        }
    }
    return MPI_T_ERR_INVALID_NAME;
}

int PMPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
                         MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                         int *description_length, int *bind, int *is_readonly,
                         int *is_continuous, int *is_atomic)
{
    if (index < 0 || index >= VARIABLES) {
        return MPI_T_ERR_INVALID_INDEX;
    }
    snprintf(name, (size_t)*name_length, "%s", variables[index].name);
    snprintf(description, (size_t)*description_length, "of a queue");
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *class = variables[index].class;
    *datatype = MPI_UNSIGNED_LONG_LONG;
    *items = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    *is_readonly = 0;
    *is_continuous = variables[index].is_continuous;
    *is_atomic = 0;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    *session = (MPI_T_pvar_session)calloc(1, sizeof(struct session));
    return *session ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_SESSIONS;
}

int PMPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    free(*session);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                             MPI_T_pvar_handle *handle, int *count)
{
    struct handle *made = calloc(1, sizeof *made);

    if (!made || index < 0 || index >= VARIABLES) {
        free(made);
        return MPI_T_ERR_INVALID_INDEX;
    }
    *made = (struct handle){.session = (struct session *)session,
                            .index = index,
                            .runs = variables[index].is_continuous,
                            .next = handles};
    handles = made;
    *handle = (MPI_T_pvar_handle)made;
    *count = 1;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    struct handle **place = &handles;

    while (*place && *place != (struct handle *)*handle) {
        place = &(*place)->next;
    }
    if (*place) {
        *place = (*place)->next;
        free(*handle);
    }
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

/* The handle, if it is one of the session that can be started and stopped. */
static struct handle *startable(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    struct handle *at = handles;

    while (at && (at != (struct handle *)handle || at->session != (struct session *)session)) {
        at = at->next;
    }
    return at && !variables[at->index].is_continuous ? at : NULL;
}

/* What a mark begins with: the level of that moment. */
static unsigned long long beginning(const struct handle *handle)
{
    return handle->index == HIGHEST ? level : 0;
}

int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    struct handle *started = startable(session, handle);

    if (!started) {
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    }
    started->runs = 1;
    if (!started->was_started) {
        started->was_started = 1;
        started->value = beginning(started);
    } else if (started->index == HIGHEST && level > started->value) {
        started->value = level;
    }
    return MPI_SUCCESS;
}

int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    struct handle *stopped = startable(session, handle);

    if (!stopped) {
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    }
    stopped->runs = 0;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    struct handle *reset = startable(session, handle);

    if (!reset) {
        return MPI_T_ERR_PVAR_NO_WRITE;
    }
    reset->value = beginning(reset);
    return MPI_SUCCESS;
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buffer)
{
    const struct handle *read = (const struct handle *)handle;
    unsigned long long value = read->index == LEVEL ? level : read->value;

    if (!read->runs && !read->was_started) {
        return MPI_T_ERR_INVALID_HANDLE; /* it has no value yet */
    }
    memcpy(buffer, &value, sizeof value);
    return MPI_SUCCESS;
}

/* The same under the names by which programs call them. */
#define ALSO(type, name, parameters) \
    type M##name parameters __attribute__((alias("PM" #name)))

ALSO(int, PI_T_pvar_get_num, (int *));
ALSO(int, PI_T_pvar_get_index, (const char *, int, int *));
ALSO(int, PI_T_pvar_get_info, (int, char *, int *, int *, int *, MPI_Datatype *, MPI_T_enum *,
                               char *, int *, int *, int *, int *, int *));
ALSO(int, PI_T_pvar_session_create, (MPI_T_pvar_session *));
ALSO(int, PI_T_pvar_session_free, (MPI_T_pvar_session *));
ALSO(int, PI_T_pvar_handle_alloc, (MPI_T_pvar_session, int, void *, MPI_T_pvar_handle *, int *));
ALSO(int, PI_T_pvar_handle_free, (MPI_T_pvar_session, MPI_T_pvar_handle *));
ALSO(int, PI_T_pvar_start, (MPI_T_pvar_session, MPI_T_pvar_handle));
ALSO(int, PI_T_pvar_stop, (MPI_T_pvar_session, MPI_T_pvar_handle));
ALSO(int, PI_T_pvar_reset, (MPI_T_pvar_session, MPI_T_pvar_handle));
ALSO(int, PI_T_pvar_read, (MPI_T_pvar_session, MPI_T_pvar_handle, void *));
