/*
 * A variable of the receiving side, preloaded behind the recorder: "arrivals" counts messages when
 * they are sent to the rank, whether it has asked for them or not, as an MPI does that counts what
 * comes from the network; the recorder's own barriers send one to each other rank.
 * "pml_monitoring_departures" counts what the rank itself sends, and "apart" nothing but
 * MPI_Comm_size. With it, rank 2 leaves the last barrier in MPI_Init only when the program's first
 * messages are there, and what rank 0 reads behind them, it reads when rank 1 is in MPI_Finalize.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fake_sessions.h"

enum { RANKS = 3, FIRST = 5, PATIENCE = 2000 };

static unsigned *arrivals; /* of each rank, in memory that all share */
static unsigned departures, apart;
static int barriers;

static int world_rank(void)
{
    int rank = 0;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static void share(void)
{
    const size_t bytes = RANKS * sizeof *arrivals;
    int file;

    if (!arrivals) {
        file = open(getenv("ARRIVALS"), O_RDWR);
        arrivals = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
}

static void depart(int to)
{
    share();
    departures++;
    __atomic_add_fetch(&arrivals[to], 1, __ATOMIC_SEQ_CST);
}

/* What has arrived at rank; it waits, some seconds at most, until there are so many. */
unsigned arrivals_await(int rank, unsigned count)
{
    const struct timespec moment = {.tv_nsec = 5000000};

    share();
    for (int i = 0; i < PATIENCE && __atomic_load_n(&arrivals[rank], __ATOMIC_SEQ_CST) < count;
         i++) {
        nanosleep(&moment, NULL);
    }
    return __atomic_load_n(&arrivals[rank], __ATOMIC_SEQ_CST);
}

#define NEXT(name) ((int (*)())dlsym(RTLD_NEXT, name))

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    depart(to);
    return NEXT("MPI_Send")(data, n, type, to, tag, comm);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    apart++;
    return NEXT("MPI_Comm_size")(comm, size);
}

int PMPI_Barrier(MPI_Comm comm)
{
    int rank = world_rank();
    int result;

    for (int to = 0; to < RANKS; to++) {
        if (to != rank) {
            depart(to);
        }
    }
    result = NEXT("PMPI_Barrier")(comm);
    if (++barriers == 2 && rank == 2) {
        arrivals_await(2, 2 * (RANKS - 1) + FIRST);
    }
    return result;
}

/* --- the variables ---------------------------------------------------------------------- */

static const char *const names[] = {"arrivals", "pml_monitoring_departures", "apart"};

int PMPI_T_pvar_get_num(int *count)
{
    *count = 3;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_get_info(int index, char *name, int *name_length, int *verbosity, int *class,
                         MPI_Datatype *datatype, MPI_T_enum *items, char *description,
                         int *description_length, int *bind, int *is_readonly,
                         int *is_continuous, int *is_atomic)
{
    snprintf(name, (size_t)*name_length, "%s", names[index]);
    snprintf(description, (size_t)*description_length, "a fake");
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *class = MPI_T_PVAR_CLASS_COUNTER;
    *datatype = MPI_UNSIGNED;
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
    share();
    *handle = (MPI_T_pvar_handle)(index == 0   ? &arrivals[world_rank()]
                                  : index == 1 ? &departures
                                               : &apart);
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
    if (world_rank() == 0 && departures == 2 * (RANKS - 1) + FIRST) {
        arrivals_await(0, 2 * (RANKS - 1) + 1);
    }
    memcpy(buffer, (void *)handle, sizeof(unsigned));
    return MPI_SUCCESS;
}
