/*
 * Performance variables of a badly behaved MPI, preloaded behind the recorder: sums that
 * start at what they happen to be, wrap, and are set back by others, classes that lie, a
 * variable that reading resets, a slot without a description, one that appears late. The
 * program sets their values. With FAKE_DEADLY in the environment the slot has a variable that
 * crashes who reads it.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_sessions.h"

enum { FAKES = 8 };

unsigned long long fake_values[FAKES] = {1000, 0, 4294967286u, 700, 0, 0, 0, 0};
int fake_count = FAKES - 1;

struct fake {
    const char *name; /* null: a slot of a component that is gone */
    int class;
    MPI_Datatype datatype;
    int bytes;
};

static const struct fake *fake_at(int index)
{
    static struct fake fakes[FAKES];

    if (!fakes[0].name) {
        fakes[0] = (struct fake){"fake_raw", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG_LONG, 8};
        fakes[2] = (struct fake){"fake_wraps", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED, 4};
        fakes[3] = (struct fake){"fake_reset", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG, 8};
        fakes[4] = (struct fake){"fake_size", MPI_T_PVAR_CLASS_SIZE, MPI_UNSIGNED_LONG, 8};
        fakes[5] = (struct fake){"fake_mark", MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_UNSIGNED, 4};
        fakes[6] = (struct fake){"fake_drain", MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_UNSIGNED, 4};
        fakes[7] = (struct fake){"fake_late", MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED, 4};
    }
    if (getenv("FAKE_DEADLY")) {
        fakes[1] = (struct fake){"fake_deadly", MPI_T_PVAR_CLASS_LEVEL, MPI_UNSIGNED, 4};
    }
    return index >= 0 && index < fake_count && fakes[index].name ? &fakes[index] : NULL;
}

int PMPI_T_pvar_get_num(int *count)
{
    *count = fake_count;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
                         MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                         int *description_length, int *bind, int *is_readonly,
                         int *is_continuous, int *is_atomic)
{
    const struct fake *fake = fake_at(index);

    if (!fake) {
        return MPI_T_ERR_INVALID_INDEX;
    }
    snprintf(name, (size_t)*name_length, "%s", fake->name);
    snprintf(description, (size_t)*description_length, "a fake");
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *class = fake->class;
    *datatype = fake->datatype;
    *items = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    *is_readonly = 1;
    *is_continuous = 2; /* as MPICH says it */
    *is_atomic = 0;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                             MPI_T_pvar_handle *handle, int *count)
{
    *handle = (MPI_T_pvar_handle)&fake_values[index];
    *count = 1;
    return fake_at(index) ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
{
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buffer)
{
    unsigned long long *value = (unsigned long long *)(void *)handle;
    const struct fake *fake = fake_at((int)(value - fake_values));

    if (strcmp(fake->name, "fake_deadly") == 0) {
        raise(SIGSEGV);
    }
    memcpy(buffer, value, (size_t)fake->bytes);
    if (strcmp(fake->name, "fake_drain") == 0) {
        *value = 0;
    }
    return MPI_SUCCESS;
}
