#ifndef MWR_SITES_RESOLVER_H
#define MWR_SITES_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds mpiwatch-resolve near the library or the program that this is in: in the build tree, an
 * installation, or a moved one. False: there is none.
 */
bool mwr_resolver_find(char *path, size_t size);

#endif
