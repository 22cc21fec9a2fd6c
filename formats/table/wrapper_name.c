/* Lines with calls of MPI say little where a program has one for each function of MPI: by their
 * names the recorder and the analyzer know such functions, and tell who calls them. */
#include "formats/table/wrapper_name.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/table/calls.h"

#define NAME_BYTES 256 /* what is longer is no such function's */

/* Of calls' names without "MPI_": all functions of a program are asked about when it starts. */
static const uint8_t bare_lengths[] = {
#define MW_CALL(prefix, name, ...) sizeof #name - 1,
#define MW_CALL_VOID(prefix, name, ...) sizeof #name - 1,
#define MW_CALL_VARIADIC(prefix, name, ...) sizeof #name - 1,
#include "formats/table/calls.def"
};

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

static bool is_call(const char *name, size_t length)
{
    const char *call;

    for (unsigned i = 0; i < MW_CALL_COUNT; i++) {
        call = mw_call_name(i);
        if (strncasecmp(call, name, length) == 0 && call[length] == '\0') {
            return true;
        }
    }
    return false;
}

/* Of "MPI_Recv", "mpi_recv__", "MPI_Recv+0x12" at its beginning. */
static bool begins_with_call(const char *name)
{
    size_t length = strspn(name, letters);

    while (length > 0 && name[length - 1] == '_') {
        length--;
    }
    return is_call(name, length);
}

/* Whether the text has the name of the call in it, however it is written: MPI_Wait, mpiWait. */
static bool has_name(const char *text, const char *call)
{
    for (; *text; text++) {
        const char *at = text;
        const char *name = call;

        while (*name && *at && tolower((unsigned char)*at) == tolower((unsigned char)*name)) {
            at += 1 + strspn(at + 1, "_");
            name += 1 + strspn(name + 1, "_");
        }
        if (*name == '\0') {
            return true;
        }
    }
    return false;
}

/* Where the function's own name is in one of C++, the linker's or for people, and its length. */
static const char *own_name(const char *function, size_t *length)
{
    const char *name = function;
    const char *at;

    if (strncmp(function, "_Z", 2) != 0) {
        for (at = strstr(name, "::"); at; at = strstr(name, "::")) {
            name = at + 2;
        }
        *length = strspn(name, letters);
        return isdigit((unsigned char)name[*length]) ? "" : name;
    }
    *length = 0;
    at = function + 2 + strspn(function + 2, "NKVL"); /* nested, and what its object is */
    while (isdigit((unsigned char)*at)) {
        char *behind;
        const unsigned long count = strtoul(at, &behind, 10);

        if (strnlen(behind, count) < count) {
            break;
        }
        name = behind;
        *length = count;
        at = behind + count;
    }
    return name;
}

/*
 * Whether that is the call's without "MPI_", as classes and namespaces around MPI have it: Waitall,
 * IProbe. As MPI writes its first letter: test and send are anybody's words.
 */
static bool is_bare_name(const char *name, size_t length, const char *call)
{
    const char *bare = strchr(call, '_');

    return bare && *name == bare[1] && strlen(bare + 1) == length &&
           strncasecmp(name, bare + 1, length) == 0;
}

static bool is_named_as(const char *function, const char *call)
{
    size_t length;
    const char *name = own_name(function, &length);

    return is_bare_name(name, length, call);
}

bool mw_is_named_as_a_call(const char *function)
{
    size_t length;
    const char *name = own_name(function, &length);
    bool is = false;

    for (unsigned i = 0; isupper((unsigned char)*name) && i < MW_CALL_COUNT && !is; i++) {
        is = bare_lengths[i] == length && is_bare_name(name, length, mw_call_name(i));
    }
    return is;
}

/* Of one that programs have a module for; of a name of C++ for people any part may be that. */
static bool is_of_module(const char *name)
{
    bool is = false;

    while (name && !is) {
        is = strncmp(name, "mp_", 3) == 0 || strncmp(name, "xmpi_", 5) == 0;
        name = strstr(name, "::");
        name = name ? name + 2 : NULL;
    }
    return is;
}

static bool wraps(const char *name, const char *call)
{
    bool is = (call && has_name(name, call)) || is_of_module(name);

    while (!is && (name = strcasestr(name, "mpi_"))) {
        is = begins_with_call(name);
        name += strlen("mpi_");
    }
    return is;
}

/* The same of names that are in that of C++, each behind its length. */
static bool has_wrapping_part(const char *mangled, const char *call)
{
    char part[NAME_BYTES];
    bool is = false;

    while (*mangled && !is) {
        char *behind;
        unsigned long length = isdigit((unsigned char)*mangled) ? strtoul(mangled, &behind, 10) : 0;

        if (length == 0) {
            mangled++;
            continue;
        }
        if (length >= sizeof part || strnlen(behind, length) < length) {
            return false;
        }
        memcpy(part, behind, length);
        part[length] = '\0';
        is = wraps(part, call);
        mangled = behind + length;
    }
    return is;
}

bool mw_wraps_calls(const char *function, const char *call)
{
    const char *module = strstr(function, "_MOD_"); /* gfortran's */

    if (call && is_named_as(function, call)) {
        return true;
    }
    return strncmp(function, "_Z", 2) == 0
               ? has_wrapping_part(function + 2, call)
               : wraps(module ? module + strlen("_MOD_") : function, call);
}

bool mw_may_wrap_calls(const char *function)
{
    bool may = false;

    for (unsigned i = 0; i < MW_CALL_COUNT && !may; i++) {
        may = mw_wraps_calls(function, mw_call_name(i));
    }
    return may;
}

bool mw_is_installed_header(const char *file)
{
    static const char *const places[] = {"/usr/include/", "/usr/local/include/", "/usr/lib/gcc/",
                                         NULL};
    static const char *const names[] = {"mpicxx.h", "_inln.h", "mpi_cxx.h", NULL};
    const size_t all = strlen(file);

    for (size_t i = 0; places[i]; i++) {
        if (strncmp(file, places[i], strlen(places[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; names[i]; i++) {
        const size_t length = strlen(names[i]);

        if (all >= length && strcmp(file + all - length, names[i]) == 0) {
            return true;
        }
    }
    return strstr(file, "/ompi/mpi/cxx/") != NULL;
}
