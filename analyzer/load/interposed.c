/*
 * What --wrap of the linker does to the calls of a static libotf2, done to those of a shared one:
 * its fopen, fread and stat are those of the program, which has functions of these names, and these
 * lead to the wrappers in files.c and member.c. The linker exports them since a library that it is
 * given asks for them. All else of the program and of its libraries comes through here, too, as it
 * does with --wrap.
 *
 * Only where configure found no static libotf2. Thread-safe, as the functions of libc.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>

/* Names of the assembler's: headers may define the functions of C's as inline or as macros. */
FILE *mwa_interposed_fopen(const char *path, const char *mode) __asm__("fopen");
size_t mwa_interposed_fread(void *buffer, size_t size, size_t count, FILE *file) __asm__("fread");
int mwa_interposed_stat(const char *path, struct stat *found) __asm__("stat");

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
size_t __real_fread(void *buffer, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *buffer, size_t size, size_t count, FILE *file);
int __real_stat(const char *path, struct stat *found);
int __wrap_stat(const char *path, struct stat *found);

FILE *mwa_interposed_fopen(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}

size_t mwa_interposed_fread(void *buffer, size_t size, size_t count, FILE *file)
{
    return __wrap_fread(buffer, size, count, file);
}

int mwa_interposed_stat(const char *path, struct stat *found)
{
    return __wrap_stat(path, found);
}

/* libc's: what comes after the program in the order of search. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

FILE *__real_fopen(const char *path, const char *mode)
{
    FILE *(*of_libc)(const char *, const char *) = next("fopen");

    return of_libc(path, mode);
}

size_t __real_fread(void *buffer, size_t size, size_t count, FILE *file)
{
    size_t (*of_libc)(void *, size_t, size_t, FILE *) = next("fread");

    return of_libc(buffer, size, count, file);
}

int __real_stat(const char *path, struct stat *found)
{
    int (*of_libc)(const char *, struct stat *) = next("stat");

    return of_libc(path, found);
}
