/*
 * Preloaded into an MPI: the only control variables it has are a range of three integers, of scope
 * LOCAL, and a number of scope ALL_EQ.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const int range[] = {1024, -1, 65536};
static const int number = 7;

int PMPI_T_cvar_get_num(int *count)
{
    *count = 2;
    return MPI_SUCCESS;
}

int PMPI_T_cvar_get_info(int index, char *name, int *name_length, int *verbosity,
                         MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                         int *description_length, int *bind, int *scope)
{
    if (index < 0 || index > 1) {
        return MPI_T_ERR_INVALID_INDEX;
    }
    snprintf(name, (size_t)*name_length, "%s", index == 0 ? "wide_range" : "wide_number");
    if (description && *description_length > 0) {
        snprintf(description, (size_t)*description_length, "a fake");
    }
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *datatype = MPI_INT;
    if (items) {
        *items = MPI_T_ENUM_NULL;
    }
    *bind = MPI_T_BIND_NO_OBJECT;
    *scope = index == 0 ? MPI_T_SCOPE_LOCAL : MPI_T_SCOPE_ALL_EQ;
    return MPI_SUCCESS;
}

int PMPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
    *handle = (MPI_T_cvar_handle)(index == 0 ? range : &number);
    *count = index == 0 ? 3 : 1;
    return MPI_SUCCESS;
}

int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    return MPI_SUCCESS;
}

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buffer)
{
    memcpy(buffer, (const void *)handle,
           (const void *)handle == &number ? sizeof number : sizeof range);
    return MPI_SUCCESS;
}

/* The range is in the category "widths", beside one that is empty. */
int PMPI_T_category_get_num(int *count)
{
    *count = 2;
    return MPI_SUCCESS;
}

int PMPI_T_category_get_info(int index, char *name, int *name_length, char *description,
                             int *description_length, int *cvars, int *pvars, int *categories)
{
    snprintf(name, (size_t)*name_length, "%s", index == 0 ? "nothing" : "widths");
    if (description && *description_length > 0) {
        description[0] = '\0';
    }
    *cvars = index;
    *pvars = *categories = 0;
    return MPI_SUCCESS;
}

int PMPI_T_category_get_cvars(int index, int count, int *indices)
{
    indices[0] = 0;
    return MPI_SUCCESS;
}

/* As mpiwatch-vars calls them. */
int MPI_T_cvar_get_num(int *count)
{
    return PMPI_T_cvar_get_num(count);
}

int MPI_T_cvar_get_info(int index, char *name, int *name_length, int *verbosity,
                        MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                        int *description_length, int *bind, int *scope)
{
    return PMPI_T_cvar_get_info(index, name, name_length, verbosity, datatype, items,
                                description, description_length, bind, scope);
}

int MPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
    return PMPI_T_cvar_handle_alloc(index, object, handle, count);
}

int MPI_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    return PMPI_T_cvar_handle_free(handle);
}

int MPI_T_cvar_read(MPI_T_cvar_handle handle, void *buffer)
{
    return PMPI_T_cvar_read(handle, buffer);
}
