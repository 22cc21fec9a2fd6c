/*
 * Between the program and the C library, by --wrap of the linker: every allocation of its own that
 * fails is noted (analyzer/model/shortage.h), so that no part of it that prints has to. asprintf
 * has two names, the second where the compiler checks its room.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/model/shortage.h"
#include "formats/base/status.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t bytes);
int __wrap_asprintf(char **text, const char *format, ...) MW_PRINTF(2, 3);
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...) MW_PRINTF(3, 4);

static void *noted(void *memory)
{
    if (MW_UNLIKELY(!memory)) {
        mwa_shortage_note();
    }
    return memory;
}

void *__wrap_malloc(size_t bytes)
{
    return noted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return noted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return noted(__real_realloc(old, bytes));
}

char *__wrap_strdup(const char *text)
{
    return noted(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t bytes)
{
    return noted(__real_strndup(text, bytes));
}

static int print(char **text, const char *format, va_list arguments) MW_PRINTF(2, 0);

static int print(char **text, const char *format, va_list arguments)
{
    const int length = vasprintf(text, format, arguments);

    if (length < 0) {
        mwa_shortage_note();
    }
    return length;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = print(text, format, arguments);
    va_end(arguments);
    return length;
}

int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = print(text, format, arguments);
    va_end(arguments);
    return length;
}
