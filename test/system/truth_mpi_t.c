/*
 * Performance variables of most classes, preloaded behind the recorder, which change inside of MPI
 * calls, as an MPI's own do: the program (truth_user.c) says what they are to be, and in the midst
 * of the next MPI_Barrier they are. Each of the first four is a level, read after each call.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "fake_sessions.h"

enum { TRUTHS = 9 };

union truth {
    unsigned long long whole;
    double real;
};

union truth truth_now[TRUTHS];
union truth truth_next[TRUTHS];
pthread_mutex_t truth_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *name;
    int class;
    int is_real;
} truths[TRUTHS] = {
    {"truth_level", MPI_T_PVAR_CLASS_LEVEL, 0},
    {"truth_size", MPI_T_PVAR_CLASS_SIZE, 0},
    {"truth_percent", MPI_T_PVAR_CLASS_PERCENTAGE, 1},
    {"truth_state", MPI_T_PVAR_CLASS_STATE, 0},
    {"truth_count", MPI_T_PVAR_CLASS_COUNTER, 0},
    {"truth_bytes", MPI_T_PVAR_CLASS_AGGREGATE, 0},
    {"truth_time", MPI_T_PVAR_CLASS_TIMER, 1},
    {"truth_mark", MPI_T_PVAR_CLASS_HIGHWATERMARK, 0},
    {"truth_fifth", MPI_T_PVAR_CLASS_LEVEL, 0},
};

int MPI_Barrier(MPI_Comm comm)
{
    int code = PMPI_Barrier(comm);

    pthread_mutex_lock(&truth_lock);
    memcpy(truth_now, truth_next, sizeof truth_now);
    pthread_mutex_unlock(&truth_lock);
    return code;
}

int PMPI_T_pvar_get_num(int *count)
{
    *count = TRUTHS;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
                         MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                         int *description_length, int *bind, int *is_readonly,
                         int *is_continuous, int *is_atomic)
{
    if (index < 0 || index >= TRUTHS) {
        return MPI_T_ERR_INVALID_INDEX;
    }
    snprintf(name, (size_t)*name_length, "%s", truths[index].name);
    if (*description_length > 0) {
        description[0] = '\0';
    }
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *class = truths[index].class;
    *datatype = truths[index].is_real ? MPI_DOUBLE : MPI_UNSIGNED_LONG_LONG;
    *items = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    *is_readonly = 1;
    *is_continuous = 1;
    *is_atomic = 0;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                             MPI_T_pvar_handle *handle, int *count)
{
    *handle = (MPI_T_pvar_handle)&truth_now[index];
    *count = 1;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buffer)
{
    memcpy(buffer, (const void *)handle, sizeof(union truth));
    return MPI_SUCCESS;
}

int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    pthread_mutex_lock(&truth_lock);
    memset((void *)handle, 0, sizeof(union truth));
    memset(&truth_next[(union truth *)(void *)handle - truth_now], 0, sizeof(union truth));
    pthread_mutex_unlock(&truth_lock);
    return MPI_SUCCESS;
}

/* The program's own calls may come by either name. */
int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    return PMPI_T_pvar_reset(session, handle);
}

int MPI_T_pvar_get_num(int *count)
{
    return PMPI_T_pvar_get_num(count);
}

int MPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
                        MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                        int *description_length, int *bind, int *is_readonly,
                        int *is_continuous, int *is_atomic)
{
    return PMPI_T_pvar_get_info(index, name, name_length, verbosity, class, datatype, items,
                                description, description_length, bind, is_readonly,
                                is_continuous, is_atomic);
}

int MPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    return PMPI_T_pvar_session_create(session);
}

int MPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    return PMPI_T_pvar_session_free(session);
}

int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                            MPI_T_pvar_handle *handle, int *count)
{
    return PMPI_T_pvar_handle_alloc(session, index, object, handle, count);
}

int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    return PMPI_T_pvar_handle_free(session, handle);
}

int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buffer)
{
    return PMPI_T_pvar_read(session, handle, buffer);
}
