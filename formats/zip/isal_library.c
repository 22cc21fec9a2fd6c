/* By its soname: another major version has other structs. */
#include "formats/zip/isal_library.h"

#include "config.h"

#ifdef HAVE_ISAL

#include <dlfcn.h>
#include <isa-l.h>

#define TEXT_OF(number) #number
#define FILE_OF(major) "libisal.so." TEXT_OF(major)

void *mw_isal_library_open(void)
{
    return dlopen(FILE_OF(ISAL_MAJOR_VERSION), RTLD_NOW | RTLD_LOCAL);
}

/* ISO C turns no object's pointer into one of a function. */
bool mw_isal_library_find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    *(void **)function = found;
    return found;
}

#endif
