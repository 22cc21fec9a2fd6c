#ifndef MWR_SITES_PYTHON_PACKAGE_H
#define MWR_SITES_PYTHON_PACKAGE_H

#include <stdint.h>

/* Whose a function of Python is, by where its file lies. */

#define MWR_PYTHON_OWN 1u      /* the program's own */
#define MWR_PYTHON_STANDARD 2u /* Python's own, and what it or a library writes as it runs */
#define MWR_PYTHON_STARTS 3u   /* in a directory bin: it may start a program that is a package */

/* One of these, or a number, above them, for the package that the file was installed with; by
 * the function's name with those around it (co_qualname). */
uint32_t mwr_python_package(const char *file, const char *function);

#endif
