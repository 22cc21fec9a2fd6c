/*
 * A library that is loaded where another one was, for stacks.c: the same addresses, other frames if
 * OTHER is defined, the same frames under other names if TWIN is.
 */
#include <mpi.h>

#ifdef TWIN
#define inner twin
#endif

__attribute__((noinline, noclone)) static int inner(void (*tell)(const char *, int),
                                                    void (*leaf)(void))
{
#ifdef OTHER
    volatile char room[40];
#else
    volatile char room[24];
#endif
    int size;

    room[1] = 1;
    leaf();
    tell("MPI_Comm_size", __LINE__ + 1);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return room[1] + size;
}

void enter(void (*tell)(const char *, int), void (*leaf)(void))
{
    volatile int sum = inner(tell, leaf);

    sum++;
}
