#ifndef MWR_SITES_PYTHON_PACKAGE_H
#define MWR_SITES_PYTHON_PACKAGE_H

#include <stdint.h>

/* Whose a file of Python is, by where it lies. */

#define MWR_PYTHON_OWN 1u      /* the program's own */
#define MWR_PYTHON_STANDARD 2u /* Python's own, and what it has no file of */
#define MWR_PYTHON_STARTS 3u   /* in a directory bin: it may start a program that is a package */

/* One of these, or a number, above them, for the package that the file was installed with. */
uint32_t mwr_python_package(const char *file);

#endif
