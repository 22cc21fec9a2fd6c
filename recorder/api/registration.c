/*
 * libmpiwatch.a is built without mpi.h and serves all MPIs: a handle comes as a
 * pointer with its size, by which one of another MPI is refused; size 0 stands for
 * Fortran's INTEGER.
 */
#include "recorder/api/registration.h"

#include <string.h>

#include "recorder/api/saying.h"
#include "recorder/api/user.h"
#include "recorder/api/words.h"
#include "recorder/dispatch/chain.h"
#include "recorder/include/mpiwatch.h"
#include "recorder/recorder.h"
#include "recorder/state/comms.h"
#include "recorder/variables/variables.h"

static MPI_Comm from_fortran(MPI_Fint number)
{
#ifdef MWR_MPI_IS_ABI
    return MWR_PMPI(Comm_fromint)(number); /* conversions are Fortran's libraries' there */
#elif MWR_HAS_MPI_Comm_f2c
    return MWR_PMPI(Comm_f2c)(number);
#else
    return (MPI_Comm)number; /* MPICH, where this is a macro: handles are numbers */
#endif
}

/* The communicator that handle is; null: it is none. */
static struct mwr_comm *find(const void *handle, size_t bytes, MPI_Comm *comm)
{
    MPI_Fint number;

    if (!handle || (bytes != 0 && bytes != sizeof *comm)) {
        return NULL;
    }
    if (bytes == 0) {
        memcpy(&number, handle, sizeof number);
        *comm = from_fortran(number);
    } else {
        memcpy(comm, handle, sizeof *comm);
    }
    mwr_thread.called_handle = 0; /* no call of MPI is under way */
    return *comm != MPI_COMM_NULL ? mwr_comm_find(*comm) : NULL;
}

/* Inside of a call of MPI there is the definition only. */
static void say(struct mwr_saying *saying, enum mw_record_type type, uint32_t comm, uint32_t text)
{
    struct mw_value_member *member =
        text == MWR_WORD_NONE
            ? NULL
            : mwr_saying_open(saying, MW_RECORD_USER, type, sizeof *member, comm);

    if (member) {
        member->value = text;
        mwr_saying_close(saying, member);
    }
}

static int register_named(struct mwr_saying *saying, const void *handle, size_t bytes,
                          const char *name)
{
    MPI_Comm of;
    struct mwr_comm *comm = find(handle, bytes, &of);
    uint32_t text = mwr_text_number(name);

    if (!comm) {
        return MPIWATCH_ERROR_ARGUMENT;
    }
    if (!mwr_comm_registered(comm, name, text)) {
        return MPIWATCH_OK;
    }
    say(saying, MW_MEMBER_REGISTERED, comm->number, text);
    if (!saying->is_inside) {
        mwr_variables_comm_registered(comm, of, name);
    }
    return MPIWATCH_OK;
}

int mwr_comm_register(const void *handle, size_t bytes, const char *name)
{
    struct mwr_saying saying;
    int result;

    if (!name || strnlen(name, MWR_WORD_BYTES_MAX + 1) > MWR_WORD_BYTES_MAX) {
        return MPIWATCH_ERROR_ARGUMENT;
    }
    if (!mwr_saying_begin(&saying)) {
        return MPIWATCH_IDLE;
    }
    result = register_named(&saying, handle, bytes, name);
    mwr_saying_end(&saying);
    return result;
}

static int unregister(struct mwr_saying *saying, const void *handle, size_t bytes)
{
    MPI_Comm of;
    struct mwr_comm *comm = find(handle, bytes, &of);
    uint32_t text;

    if (!comm || !mwr_comm_unregistered(comm, &text)) {
        return MPIWATCH_ERROR_ARGUMENT;
    }
    if (text == MWR_TEXT_NONE && comm->number == MW_COMM_WORLD) {
        text = mwr_text_number(MWR_WORLD_NAME);
    }
    say(saying, MW_MEMBER_UNREGISTERED, comm->number, text);
    mwr_variables_comm_registered(comm, of, NULL);
    return MPIWATCH_OK;
}

int mwr_comm_unregister(const void *handle, size_t bytes)
{
    struct mwr_saying saying;
    int result;

    if (!mwr_saying_begin(&saying)) {
        return MPIWATCH_IDLE;
    }
    result = unregister(&saying, handle, bytes);
    mwr_saying_end(&saying);
    return result;
}

int mwr_comm_is_registered(const void *handle, size_t bytes)
{
    struct mwr_saying saying;
    const struct mwr_comm *comm;
    MPI_Comm of;

    if (!mwr_saying_begin(&saying)) {
        return 0;
    }
    comm = find(handle, bytes, &of);
    mwr_saying_end(&saying);
    return comm && __atomic_load_n(&comm->is_registered, __ATOMIC_RELAXED);
}
