#include "recorder/variables/foreign.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "formats/base/array.h"
#include "formats/spool/record.h"
#include "recorder/dispatch/chain.h"
#include "recorder/hooks/message.h"
#include "recorder/variables/pvar_selection.h"
#include "recorder/variables/variables.h"

/* The application's handles; few tools have more than some hundred. */
struct foreign {
    MPI_T_pvar_handle handle;
    int index;
};

/* Both under lock. */
static struct foreign *list;
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void mwr_before_t_init(int required, int *provided)
{
    if (provided) {
        *provided = required;
    }
}

void mwr_after_t_handle_alloc(struct mwr_call *call, int result, int index,
                              MPI_T_pvar_handle handle)
{
    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (mw_array_grow((void **)&list, count, sizeof *list)) {
        list[count++] = (struct foreign){handle, index};
    }
    pthread_mutex_unlock(&lock);
}

/* Where handle stands in the list, or count. The lock is held. */
static size_t find(MPI_T_pvar_handle handle)
{
    size_t at = 0;

    while (at < count && list[at].handle != handle) {
        at++;
    }
    return at;
}

void mwr_before_t_handle_free(MPI_T_pvar_handle handle)
{
    pthread_mutex_lock(&lock);
    size_t at = find(handle);

    if (at < count) {
        list[at] = list[--count];
    }
    pthread_mutex_unlock(&lock);
}

static uint8_t flag_of(unsigned id)
{
    return id == MW_CALL_MPI_T_pvar_start  ? MW_SAMPLE_START
           : id == MW_CALL_MPI_T_pvar_stop ? MW_SAMPLE_STOP
                                           : MW_SAMPLE_FOREIGN;
}

void mwr_before_t_change(struct mwr_call *call, unsigned id)
{
    if (flag_of(id) == MW_SAMPLE_FOREIGN) {
        mwr_variables_read_beside(call, MW_MEMBER_METRIC_ENTER);
    }
}

/* MPI's index of the variable that handle is bound to; -1: it is MPI_T_PVAR_ALL_HANDLES. */
static int index_of(MPI_T_pvar_handle handle)
{
    int index = -1;

    pthread_mutex_lock(&lock);
    size_t at = find(handle);

    if (at < count) {
        index = list[at].index;
    }
    pthread_mutex_unlock(&lock);
    return index;
}

void mwr_after_t_read(struct mwr_call *call, int result, MPI_T_pvar_handle handle,
                      const void *values)
{
    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS) {
        mwr_variables_drained(index_of(handle), values);
    }
}

void mwr_after_t_change(struct mwr_call *call, unsigned id, int result, MPI_T_pvar_handle handle)
{
    mwr_after_plain(call, result);
    if (result != MPI_SUCCESS) {
        return;
    }
    mwr_variables_foreign(index_of(handle), flag_of(id));
    if (flag_of(id) == MW_SAMPLE_FOREIGN) {
        mwr_variables_read_beside(call, MW_MEMBER_METRIC);
    }
}

int mwr_before_t_cvar(int index)
{
    char name[256] = "";
    int length = sizeof name;
    int verbosity, bind, scope, none = 0;
    MPI_Datatype datatype;

    if (MWR_PMPI(T_cvar_get_info)(index, name, &length, &verbosity, &datatype, NULL, NULL, &none,
                                  &bind, &scope) == MPI_SUCCESS &&
        mwr_cvar_danger(name)) {
        return INT_MAX;
    }
    return index;
}
