#ifndef MWR_API_USER_H
#define MWR_API_USER_H

#include <stdint.h>

/*
 * Regions, markers and counters of the program: the functions of mpiwatch.h, which say what
 * they do and return. Thread-safe.
 */
int mwr_region_begin(const char *name);
int mwr_region_end(const char *name);
int mwr_marker(const char *text);
int mwr_counter_set(const char *name, long long value);
int mwr_counter_set_double(const char *name, double value);
int mwr_counter_add(const char *name, long long value);

/* The number of a text in records, which is defined if need be; MWR_WORD_NONE: too many. */
uint32_t mwr_text_number(const char *text);

/* A thread ends, or MPI_Finalize begins: counts the regions that it has not ended. */
void mwr_regions_leave(void);

#endif
