#ifndef MPIWATCH_H
#define MPIWATCH_H

/*
 * What a program can say to mpiwatch's recorder. Link with -lmpiwatch, a small static
 * library that knows no MPI; without the recorder (mpiwatch-record) the functions do nothing,
 * and take a nanosecond or so. See mpiwatch.h(3).
 *
 *     #include <mpiwatch.h>
 *
 *     mpiwatch_comm_register(columns, "columns");
 *     mpiwatch_region_begin("solve");
 *     …
 *     mpiwatch_region_end("solve");
 *
 * All functions may be called at any time, before MPI_Init and after MPI_Finalize too, by
 * any thread. They communicate with no other process, never end the program, keep no
 * pointer, and return one of the values below, which may well be ignored. Define
 * MPIWATCH_NO_MPI before to do without mpi.h, and without functions on communicators.
 */

#include <stddef.h>

#ifndef MPIWATCH_NO_MPI
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum mpiwatch_result {
    MPIWATCH_OK = 0,
    MPIWATCH_ABSENT = 1, /* there is no recorder */
    MPIWATCH_IDLE = 2,   /* it does not record now: not yet, no more, paused, stepped aside */
    MPIWATCH_ERROR_ARGUMENT = -1,   /* a null pointer, MPI_COMM_NULL, a name over 1000 bytes,
                                       a communicator that is not registered */
    MPIWATCH_ERROR_UNBALANCED = -2, /* not the region begun last; see mpiwatch_region_end */
    MPIWATCH_ERROR_INSIDE = -3,     /* in a callback: the thread is inside a call of MPI */
    MPIWATCH_ERROR_LIMIT = -4       /* too many names, no memory, no room in the spool */
};

/*
 * A region of the program, which nests within its thread. Names that are equal are one
 * region, on all ranks. The end of a region that is not the one begun last ends those inside
 * it as well; the end of one that has not begun does nothing. Both are
 * MPIWATCH_ERROR_UNBALANCED, and counted. What is still open ends with the thread, or with
 * MPI_Finalize. Regions begun while recording is paused are not recorded.
 */
int mpiwatch_region_begin(const char *name);
int mpiwatch_region_end(const char *name);

/* A moment, with what there is to say of it. */
int mpiwatch_marker(const char *text);

/*
 * A counter of the program: its value from now on, or what is added to its sum over all
 * threads of the process, which is 0 at first. The first call of a name tells which it is;
 * others than those of the same function are MPIWATCH_ERROR_ARGUMENT then.
 */
int mpiwatch_counter_set(const char *name, long long value);
int mpiwatch_counter_set_double(const char *name, double value);
int mpiwatch_counter_add(const char *name, long long value);

/* Stops and goes on recording in this process, like MPI_Pcontrol(0) and MPI_Pcontrol(1). */
int mpiwatch_pause(void);
int mpiwatch_resume(void);

/* Records the values of all performance variables of the MPI that are selected, now. */
int mpiwatch_snapshot(void);

/* Whether the recorder is there and records; 1 or 0. */
int mpiwatch_is_recording(void);

/*
 * For the functions below and for Fortran: a communicator without mpi.h. handle points to a
 * MPI_Comm of so many bytes; bytes 0: to a Fortran INTEGER.
 */
int mpiwatch_comm_register_handle(const void *handle, size_t bytes, const char *name);
int mpiwatch_comm_unregister_handle(const void *handle, size_t bytes);
int mpiwatch_comm_is_registered_handle(const void *handle, size_t bytes);

#ifndef MPIWATCH_NO_MPI
/*
 * Registers a communicator under name, which counts more than one by MPI_Comm_set_name.
 * With --comms=registered only calls on such communicators are recorded. It is a matter of
 * this process alone, and may be taken back and done again, also under another name: it
 * stays the same communicator. MPI_COMM_WORLD is registered from the start, unless
 * --no-world says otherwise.
 */
static inline int mpiwatch_comm_register(MPI_Comm comm, const char *name)
{
    return mpiwatch_comm_register_handle(&comm, sizeof comm, name);
}

static inline int mpiwatch_comm_unregister(MPI_Comm comm)
{
    return mpiwatch_comm_unregister_handle(&comm, sizeof comm);
}

/* 1 or 0; 0 without the recorder. */
static inline int mpiwatch_comm_is_registered(MPI_Comm comm)
{
    return mpiwatch_comm_is_registered_handle(&comm, sizeof comm);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
