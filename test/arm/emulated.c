/*
 * Preloaded into programs of another machine that qemu-user runs in a root of their own: what they
 * execute is run by it, too. Linux does so by itself where binfmt_misc knows the machine, which is
 * a setting of the whole host. QEMU lies at /qemu. Besides, a process that ends without a signal to
 * its parent, which QEMU refuses to make (formats/base/child.c), ends with one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 4096
#define FEW_WORDS_MAX 256
#define PATH_BYTES 4096

extern char **environ;

/* The program and its own word of a script's first line, in text. False: it is no script. */
static int is_script(const char *path, char *text, size_t size, char **program, char **word)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : read(file, text, size - 1);

    if (file >= 0) {
        close(file);
    }
    text[bytes > 0 ? bytes : 0] = '\0';
    if (strncmp(text, "#!", 2) != 0) {
        return 0;
    }
    text[strcspn(text, "\n")] = '\0';
    *program = strtok(text + 2, " \t");
    *word = strtok(NULL, "");
    return *program != NULL;
}

/* As syscall(2), which is one of the functions here. */
static long call_kernel(long number, const long *words)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = words[0];
    register long x1 __asm__("x1") = words[1];
    register long x2 __asm__("x2") = words[2];
    register long x3 __asm__("x3") = words[3];
    register long x4 __asm__("x4") = words[4];
    register long x5 __asm__("x5") = words[5];

    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8)
                     : "memory");
    if (x0 < 0 && x0 > -4096) {
        errno = (int)-x0;
        return -1;
    }
    return x0;
}

/* As execve(2), by QEMU. */
static int run(const char *path, char *const arguments[], char *const environment[])
{
    const char *words[WORDS_MAX];
    char text[PATH_BYTES];
    char self[PATH_BYTES];
    char *program;
    char *word = NULL;
    size_t count = 0;
    ssize_t length;

    if (access(path, X_OK) != 0) {
        return -1; /* and errno says why */
    }
    length = strcmp(path, "/proc/self/exe") == 0 ? readlink(path, self, sizeof self - 1) : 0;
    if (length > 0) { /* it would be QEMU's */
        self[length] = '\0';
        path = self;
    }
    words[count++] = "/qemu";
    words[count++] = "-0";
    if (is_script(path, text, sizeof text, &program, &word)) {
        words[count++] = program;
        words[count++] = program;
        if (word) {
            words[count++] = word;
        }
    } else {
        words[count++] = arguments[0] ? arguments[0] : path;
    }
    words[count++] = path;
    for (size_t i = 1; arguments[0] && arguments[i] && count < WORDS_MAX - 1; i++) {
        words[count++] = arguments[i];
    }
    words[count] = NULL;
    return (int)call_kernel(SYS_execve, (long[6]){(long)words[0], (long)words, (long)environment});
}

/* The same of a name that is looked for in PATH. */
static int run_found(const char *name, char *const arguments[], char *const environment[])
{
    const char *at = getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin";
    char path[PATH_BYTES];

    if (strchr(name, '/')) {
        return run(name, arguments, environment);
    }
    for (size_t length; *at; at += length + (at[length] == ':')) {
        length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0) {
            return run(path, arguments, environment);
        }
    }
    errno = ENOENT;
    return -1;
}

long syscall(long number, ...)
{
    long words[6];
    va_list rest;

    va_start(rest, number);
    for (size_t i = 0; i < 6; i++) {
        words[i] = va_arg(rest, long);
    }
    va_end(rest);
    return number == SYS_execve
               ? run((const char *)words[0], (char *const *)words[1], (char *const *)words[2])
               : call_kernel(number, words);
}

int execve(const char *path, char *const arguments[], char *const environment[])
{
    return run(path, arguments, environment);
}

int execv(const char *path, char *const arguments[])
{
    return run(path, arguments, environ);
}

int execvp(const char *name, char *const arguments[])
{
    return run_found(name, arguments, environ);
}

int execvpe(const char *name, char *const arguments[], char *const environment[])
{
    return run_found(name, arguments, environment);
}

/* Takes what a function was called with up to the null, which is next to be followed. */
static void take(char **words, const char *first, va_list *rest)
{
    size_t count = 0;

    words[count] = (char *)first;
    while (words[count] && count < FEW_WORDS_MAX - 1) {
        words[++count] = va_arg(*rest, char *);
    }
    words[count] = NULL;
}

#define TAKE_WORDS(first, behind)                                                               \
    char *words[FEW_WORDS_MAX];                                                                 \
    char *const *environment = environ;                                                         \
    va_list rest;                                                                               \
    va_start(rest, first);                                                                      \
    take(words, first, &rest);                                                                  \
    behind;                                                                                     \
    va_end(rest)

int execl(const char *path, const char *first, ...)
{
    TAKE_WORDS(first, (void)0);
    return run(path, words, environment);
}

int execle(const char *path, const char *first, ...)
{
    TAKE_WORDS(first, environment = va_arg(rest, char *const *));
    return run(path, words, environment);
}

int execlp(const char *name, const char *first, ...)
{
    TAKE_WORDS(first, (void)0);
    return run_found(name, words, environment);
}

/* --- what the C library executes by itself ------------------------------------------------- */

static int spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[],
                 char *const environment[])
{
    int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                const posix_spawnattr_t *, char *const[], char *const[]) =
        (void *)dlsym(RTLD_NEXT, "posix_spawn");
    const char *words[WORDS_MAX] = {"/qemu", "-0", arguments[0], path};
    size_t count = 4;

    for (size_t i = 1; arguments[0] && arguments[i] && count < WORDS_MAX - 1; i++) {
        words[count++] = arguments[i];
    }
    return next(child, words[0], actions, attributes, (char *const *)words, environment);
}

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[],
                char *const environment[])
{
    return spawn(child, path, actions, attributes, arguments, environment);
}

/* env finds it. */
int posix_spawnp(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[],
                 char *const environment[])
{
    char *words[WORDS_MAX] = {(char *)"env", (char *)name};
    size_t count = 2;

    for (size_t i = 1; arguments[0] && arguments[i] && count < WORDS_MAX - 1; i++) {
        words[count++] = arguments[i];
    }
    return spawn(child, "/usr/bin/env", actions, attributes, words, environment);
}

int system(const char *command)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        run("/bin/sh", words, environ);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* One at a time is enough for tests. */
static pid_t beside;

FILE *popen(const char *command, const char *mode)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    const int is_read = mode[0] == 'r';
    int ends[2];

    if (beside != 0 || pipe2(ends, O_CLOEXEC) != 0) {
        return NULL;
    }
    beside = fork();
    if (beside == 0) {
        dup2(ends[is_read], is_read);
        run("/bin/sh", words, environ);
        _exit(127);
    }
    close(ends[is_read]);
    return fdopen(ends[!is_read], mode);
}

int pclose(FILE *file)
{
    int status = -1;

    fclose(file);
    while (waitpid(beside, &status, 0) < 0 && errno == EINTR) {
    }
    beside = 0;
    return status;
}

int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    int (*next)(int (*)(void *), void *, int, void *, ...) = (void *)dlsym(RTLD_NEXT, "clone");

    return next(function, stack, flags | (flags & 0xff ? 0 : SIGCHLD), argument);
}
