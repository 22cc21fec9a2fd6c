#ifndef MWR_LIBRARY_INTERFACE_H
#define MWR_LIBRARY_INTERFACE_H

#include <stddef.h>

/*
 * Between libmpiwatch.a, which is linked into programs, and the recorder, which is loaded
 * before them and may be of another version: the recorder exports one object of this type,
 * mpiwatch_interface_1. It never changes but by more functions at its end; bytes tells how
 * many there are. The functions are those of mpiwatch.h.
 */
struct mpiwatch_interface {
    size_t bytes; /* of this struct */
    int (*region_begin)(const char *name);
    int (*region_end)(const char *name);
    int (*marker)(const char *text);
    int (*counter_set)(const char *name, long long value);
    int (*counter_set_double)(const char *name, double value);
    int (*counter_add)(const char *name, long long value);
    int (*pause)(void);
    int (*resume)(void);
    int (*snapshot)(void);
    int (*is_recording)(void);
    int (*comm_register)(const void *handle, size_t bytes, const char *name);
    int (*comm_unregister)(const void *handle, size_t bytes);
    int (*comm_is_registered)(const void *handle, size_t bytes);
};

#endif
