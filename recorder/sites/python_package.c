/*
 * Packages that call libraries (h5py) are installed in directories that have the same names
 * everywhere. A program may be installed there, too: then a script in bin is all that it has
 * elsewhere, and packages are told apart by their names.
 */
#include "recorder/sites/python_package.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "formats/base/index_table.h"

/* The name behind a directory of packages; null: the file is in none. */
static const char *find_name(const char *file)
{
    static const char *const directories[] = {"/site-packages/", "/dist-packages/"};
    const char *name = NULL;

    for (size_t i = 0; i < sizeof directories / sizeof directories[0] && !name; i++) {
        name = strstr(file, directories[i]);
        name += name ? strlen(directories[i]) : 0;
    }
    return name;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the function is one that a library writes for who asks for it, such as the constructor of
 * a dataclass: a text, and between who calls it and a package that it calls. */
static bool is_written(const char *file, const char *function)
{
    return begins(file, "<attrs generated ") || begins(file, "<decorator-gen-") ||
           (strcmp(file, "<string>") == 0 && begins(function, "__create_fn__."));
}

static bool is_standard(const char *file)
{
    return begins(file, "<frozen ") || strstr(file, "/lib/python3.") ||
           strstr(file, "/lib64/python3.");
}

/* Whether it lies in a directory bin itself. */
static bool starts(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash && slash - file >= 3 && strncmp(slash - 3, "bin", 3) == 0 &&
           (slash - file == 3 || slash[-4] == '/');
}

uint32_t mwr_python_package(const char *file, const char *function)
{
    const char *name = find_name(file);

    if (name) {
        return (uint32_t)mw_hash_bytes(MW_HASH_START, name, strcspn(name, "/.")) | 1u << 31;
    }
    return is_standard(file) || is_written(file, function) ? MWR_PYTHON_STANDARD
           : starts(file)                                  ? MWR_PYTHON_STARTS
                                                           : MWR_PYTHON_OWN;
}
