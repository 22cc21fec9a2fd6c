#ifndef MW_FORMATS_BASE_NEARBY_H
#define MW_FORMATS_BASE_NEARBY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes DIRECTORY PLACE /NAME, resolved, to path of size bytes, if there is such a file: for what
 * belongs together in the build tree, an installation, and a moved one. False: there is none, or
 * no room for its path.
 */
bool mw_nearby_take(const char *directory, const char *place, const char *name, char *path,
                    size_t size);

/*
 * The same for a program that no user runs: beside the library or program that own is the path of
 * (and that of its directory afterwards; null: beside the program that calls), or where it was
 * installed.
 */
bool mw_nearby_program(char *own, const char *installed, const char *name, char *path,
                       size_t size);

/*
 * The same for a program of the users', and for the one that calls: in the build tree, an
 * installation, a moved one, or where it was installed.
 */
bool mw_nearby_command(const char *installed, const char *name, char *path, size_t size);

#endif
