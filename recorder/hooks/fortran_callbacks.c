/*
 * Functions that a program in Fortran gives MPI reach it past MPI's functions of C: the MPIs'
 * libraries for Fortran call others of the MPI's own, in front of which these stand. The arguments
 * are passed on as they are: each is an integer or a pointer.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/finalize/last_attribute.h"
#include "recorder/state/callbacks.h"
#include "recorder/state/thread.h"

#ifdef OPEN_MPI
/* To set an attribute. Keyvals are made past C, too, so that there may be a function that copies
 * any attribute that is not the MPI's own. */
#define MWR_SET_BY_FORTRAN(name)                                                                \
    int name(int type, void *object, void *table, int keyval, intptr_t value, int predefined)   \
        __attribute__((visibility("default")));                                                 \
    int name(int type, void *object, void *table, int keyval, intptr_t value, int predefined)   \
    {                                                                                           \
        __typeof__(&name) real = (__typeof__(real))dlsym(RTLD_NEXT, #name);                     \
                                                                                                \
        if (object == (void *)MPI_COMM_SELF) {                                                  \
            mwr_last_attribute_set();                                                           \
        }                                                                                       \
        if ((predefined & 1) == 0) {                                                            \
            mwr_callback_given(MWR_CALLBACK_KEYVAL, MPI_SUCCESS);                               \
        }                                                                                       \
        return real ? real(type, object, table, keyval, value, predefined) : MPI_ERR_INTERN;    \
    }
MWR_SET_BY_FORTRAN(ompi_attr_set_aint)
MWR_SET_BY_FORTRAN(ompi_attr_set_fint)

/* To make a handler of errors. */
void *ompi_errhandler_create(int type, void *function, int language)
    __attribute__((visibility("default")));

void *ompi_errhandler_create(int type, void *function, int language)
{
    __typeof__(&ompi_errhandler_create) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "ompi_errhandler_create");

    mwr_callback_given(MWR_CALLBACK_ERRHANDLER, MPI_SUCCESS);
    return real ? real(type, function, language) : NULL;
}
#else
/* To set an attribute, by Fortran, C, or MPICH's own MPI-IO. What C sets has come by before. */
int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type)
    __attribute__((visibility("default")));

int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type)
{
    __typeof__(&MPII_Comm_set_attr) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "MPII_Comm_set_attr");

    bool is_inside = mwr_thread.outermost != NULL; /* of another call of C */
    int result;

    if (comm == MPI_COMM_SELF && !is_inside) {
        mwr_last_attribute_set();
    }
    result = real ? real(comm, keyval, value, type) : MPI_ERR_INTERN;
    if (comm == MPI_COMM_SELF && is_inside) {
        mwr_last_attribute_follow();
    }
    return result;
}
#endif
