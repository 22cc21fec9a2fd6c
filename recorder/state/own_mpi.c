/* What the library for the MPI ABI asks once: the others know. */
#include "recorder/state/own_mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "recorder/dispatch/chain.h"

#ifdef MWR_MPI_IS_ABI
/* Written once, by ask. */
static struct {
    pthread_once_t once;
    bool is_openmpi;
    const void *empty;      /* Open MPI's shared requests; null: it has none of the name */
    const void *empty_send;
} own = {.once = PTHREAD_ONCE_INIT};

static void ask(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;

    MWR_PMPI(Get_library_version)(version, &length);
    own.is_openmpi = strncmp(version, "Open MPI", 8) == 0;
    own.empty = dlsym(RTLD_DEFAULT, "ompi_request_empty");
    own.empty_send = dlsym(RTLD_DEFAULT, "ompi_request_empty_send");
}

bool mwr_mpi_is_openmpi(void)
{
    pthread_once(&own.once, ask);
    return own.is_openmpi;
}

bool mwr_request_is_shared(MPI_Request handle)
{
    if (!mwr_mpi_is_openmpi()) {
        return (uint32_t)MWR_PMPI(Request_toint)(handle) >> 30 == 1;
    }
    return handle && (handle == own.empty || handle == own.empty_send);
}
#endif
