#ifndef MW_FORMATS_ZIP_ISAL_LIBRARY_H
#define MW_FORMATS_ZIP_ISAL_LIBRARY_H

#include <stdbool.h>

/*
 * Intel's ISA-L, looked for when it is needed, as Debian has it as a shared library only, and the
 * recorder's own library needs none that a node may lack. Only where there is isa-l.h.
 */

/* Null: it isn't there. To be closed with dlclose. */
void *mw_isal_library_open(void);

/* Puts a function of the library where the pointer to a function points to. False: none is so
 * named. */
bool mw_isal_library_find(void *library, const char *name, void *function);

#endif
