/* What the library for the MPI ABI asks once: the others know. */
#include "recorder/state/own_mpi.h"

#include <string.h>

#include "recorder/dispatch/chain.h"

#ifdef MWR_MPI_IS_ABI
bool mwr_mpi_is_openmpi(void)
{
    /* 0: not asked yet. Threads that ask at the same time find the same. */
    static int known;
    int is = __atomic_load_n(&known, __ATOMIC_RELAXED);
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;

    if (is == 0) {
        MWR_PMPI(Get_library_version)(version, &length);
        is = strncmp(version, "Open MPI", 8) == 0 ? 1 : -1;
        __atomic_store_n(&known, is, __ATOMIC_RELAXED);
    }
    return is == 1;
}
#endif
