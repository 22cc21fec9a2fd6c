/*
 * A rank that MPI has called back seems to wait in the call in which that happened, and may do
 * anything: send to whom it seems to wait for, say. Whoever proves that ranks wait for each other
 * has to know that.
 */
#include "recorder/state/callbacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/dispatch/mpi_header.h"
#include "recorder/recorder.h"

/* Written by atomics: the thread tells that is the first. */
static bool is_told[MWR_CALLBACKS];

void mwr_callback_given(enum mwr_callback which, int result)
{
    static const char *const names[MWR_CALLBACKS] = {
        [MWR_CALLBACK_ERRHANDLER] = MW_CIRCUMSTANCE_ERRHANDLER,
        [MWR_CALLBACK_KEYVAL] = MW_CIRCUMSTANCE_KEYVAL,
        [MWR_CALLBACK_FINALIZE] = MW_CIRCUMSTANCE_FINALIZE,
    };

    if (result == MPI_SUCCESS && !__atomic_exchange_n(&is_told[which], true, __ATOMIC_RELAXED)) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_CIRCUMSTANCE,
            .of.circumstance = {.of = MW_CIRCUMSTANCE_OF_PROCESS,
                                .name = names[which],
                                .value = "MPI may call functions of the program"}});
    }
}

/* --- attributes of MPI_COMM_SELF ---------------------------------------------------------- */

struct list {
    int *keyvals; /* in the order in which they were set; each may have been deleted since */
    size_t count;
    size_t room;
};

/* Written by threads that set one, and by the one in MPI_Finalize, under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list of_self;

/* What is set again is the last one for Open MPI, and has its place still for MPICH. */
static bool has_place(struct list *list, int keyval)
{
    size_t at = 0;

    while (at < list->count && list->keyvals[at] != keyval) {
        at++;
    }
#ifdef OPEN_MPI
    if (at < list->count) {
        list->count--;
        memmove(&list->keyvals[at], &list->keyvals[at + 1],
                (list->count - at) * sizeof *list->keyvals);
    }
    return false;
#else
    return at < list->count;
#endif
}

/* Without memory it is left to MPI. */
static void take(struct list *list, int keyval)
{
    if (has_place(list, keyval)) {
        return;
    }
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 8;
        int *larger = realloc(list->keyvals, room * sizeof *larger);

        if (!larger) {
            return;
        }
        list->keyvals = larger;
        list->room = room;
    }
    list->keyvals[list->count++] = keyval;
}

void mwr_attribute_of_self(int keyval, int result)
{
    if (result != MPI_SUCCESS) {
        return;
    }
    mwr_callback_given(MWR_CALLBACK_FINALIZE, result);
    pthread_mutex_lock(&lock);
    take(&of_self, keyval);
    pthread_mutex_unlock(&lock);
}

/* False: its function failed, and it is still there. */
static bool delete_one(int keyval)
{
    void *value;
    int is_there = 0;

    return MWR_PMPI(Comm_get_attr)(MPI_COMM_SELF, keyval, &value, &is_there) != MPI_SUCCESS ||
           !is_there ||
           MWR_PMPI(Comm_delete_attr)(MPI_COMM_SELF, keyval) == MPI_SUCCESS;
}

/* What is to be done when a function fails is for MPI_Finalize to say, which comes to it again. A
 * function may set other attributes, which are MPI's then. */
void mwr_attributes_of_self_delete(void)
{
    struct list list;
    MPI_Errhandler handler;

    pthread_mutex_lock(&lock);
    list = of_self;
    of_self = (struct list){.count = 0};
    pthread_mutex_unlock(&lock);
    if (list.count > 0 &&
        MWR_PMPI(Comm_get_errhandler)(MPI_COMM_SELF, &handler) == MPI_SUCCESS) {
        MWR_PMPI(Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        while (list.count > 0 && delete_one(list.keyvals[list.count - 1])) {
            list.count--;
        }
        MWR_PMPI(Comm_set_errhandler)(MPI_COMM_SELF, handler);
        MWR_PMPI(Errhandler_free)(&handler);
    }
    free(list.keyvals);
}
