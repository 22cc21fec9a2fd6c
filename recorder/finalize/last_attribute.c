/*
 * MPI_Finalize deletes the attributes of MPI_COMM_SELF before all else, the last one that was set
 * first (MPI 4.0, 11.4.1), by functions of the program. One may send what another rank receives
 * before it comes to MPI_Finalize, so that ranks can wait for each other behind these only, and
 * while MPI can still be used: when that attribute goes that was set before all others. The MPI
 * calls all of them itself, in its order, and deals with what fails there.
 *
 * MPICH's MPI_Finalize fails where the last function does, and that is ours: of the program's last
 * one it does not see that.
 */
#include "recorder/finalize/last_attribute.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "recorder/dispatch/chain.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/finalize/ending.h"
#include "recorder/finalize/finish.h"
#include "recorder/state/callbacks.h"
#include "recorder/state/own_mpi.h"

/*
 * Written by atomics: by the first thread that sets an attribute. Another that does so meanwhile
 * does not wait for it, as it may have locks of the MPI: its own may be deleted behind ours.
 */
static bool is_asked;
static bool is_set; /* written by that thread */

/* Written by the thread that is in MPI_Finalize: the call, until recording has ended. */
static struct mwr_call *in_finalize;

static void finish(void)
{
    struct mwr_call *call = in_finalize;

    in_finalize = NULL;
    if (call && mwr_ending_is_open()) {
        mwr_finish(call);
        call->record = NULL;
    }
}

/* All functions of the program have been called, which is told for who waits for this rank. */
static void finish_last(void)
{
    if (in_finalize) {
        mwr_callback_given(MWR_CALLBACK_FINALIZE_OVER, MPI_SUCCESS);
        finish();
    }
}

static int delete_last(MPI_Comm comm, int keyval, void *value, void *extra)
{
    finish_last();
    return MPI_SUCCESS;
}

/* The first thread that asks is to set it. */
static bool is_to_be_set(void)
{
    return mwr_ending_is_open() && !__atomic_exchange_n(&is_asked, true, __ATOMIC_RELAXED);
}

static void set(void)
{
    int keyval;

    if (MWR_PMPI(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, delete_last, &keyval, NULL) ==
        MPI_SUCCESS) {
        is_set = MWR_PMPI(Comm_set_attr)(MPI_COMM_SELF, keyval, NULL) == MPI_SUCCESS;
        MWR_PMPI(Comm_free_keyval)(&keyval);
        mwr_callback_given(MWR_CALLBACK_FINALIZE, MPI_SUCCESS);
    }
}

static int extent_of_none(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    return MPI_ERR_CONVERSION;
}

/*
 * MPICH's MPI-IO ends, for good, where an attribute of MPI_COMM_SELF is deleted that it sets in its
 * first call, and the archive is still to be written: that attribute has to be older than ours.
 * A data representation is what takes no file, no communicator and no handler of errors for that.
 */
static void begin_files(void)
{
    if (!mwr_mpi_is_openmpi()) {
        MWR_PMPI(Register_datarep)("mpiwatch", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL,
                                   extent_of_none, NULL);
    }
}

void mwr_last_attribute_set(void)
{
    if (is_to_be_set()) {
        begin_files();
        set();
    }
}

void mwr_last_attribute_follow(void)
{
    if (is_to_be_set()) {
        set();
    }
}

#ifdef OPEN_MPI
/*
 * Where a function fails, Open MPI calls no other, ours neither, and goes on to where it waits for
 * all ranks itself. Its function that deletes an object's attributes has this name since 1.3.
 */
int ompi_attr_delete_all(int type, void *object, void *table)
    __attribute__((visibility("default")));

/* Written by the thread that is in MPI_Finalize. */
static bool comes_by;

/* Each object with attributes that is freed comes here. */
int ompi_attr_delete_all(int type, void *object, void *table)
{
    static __typeof__(&ompi_attr_delete_all) found; /* written by atomics, always the same */
    __typeof__(found) real = __atomic_load_n(&found, __ATOMIC_RELAXED);
    int result;

    if (!real) {
        real = (__typeof__(real))dlsym(RTLD_NEXT, "ompi_attr_delete_all");
        __atomic_store_n(&found, real, __ATOMIC_RELAXED);
    }
    result = real ? real(type, object, table) : MPI_SUCCESS;
    if (object == (void *)MPI_COMM_SELF) {
        finish_last();
    } else if (in_finalize) {
        comes_by = true;
    }
    return result;
}

/* Whether the library calls it so that it is found here, which is tried with a datatype. */
static bool is_sure_to_be_deleted(void)
{
    MPI_Datatype type;
    int keyval;

    if (MWR_PMPI(Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval,
                                     NULL) != MPI_SUCCESS) {
        return false;
    }
    if (MWR_PMPI(Type_contiguous)(1, MPI_BYTE, &type) == MPI_SUCCESS) {
        MWR_PMPI(Type_set_attr)(type, keyval, NULL);
        MWR_PMPI(Type_free)(&type);
    }
    MWR_PMPI(Type_free_keyval)(&keyval);
    return comes_by;
}
#else
static bool is_sure_to_be_deleted(void)
{
    return true;
}
#endif

void mwr_last_attribute_await(struct mwr_call *call)
{
    /* A function that calls MPI_Finalize once more is told by MPI what that is. */
    if (!in_finalize) {
        in_finalize = call;
        if (!is_set || !is_sure_to_be_deleted()) {
            finish();
        }
    }
}

void mwr_last_attribute_passed(struct mwr_call *call)
{
    int is_over = 1;

    if (in_finalize != call) {
        return;
    }
    MWR_PMPI(Finalized)(&is_over);
    if (is_over) {
        in_finalize = NULL;
    } else {
        finish();
    }
}
