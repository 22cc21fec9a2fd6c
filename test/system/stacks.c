/*
 * Calls MPI by ways that unwinders get wrong, and writes what glibc's backtrace() says of each,
 * for calls_know_their_stacks.sh: a line "WAY CALL LINE ADDRESS...", of the functions around the
 * one that makes the call, as their files count addresses, without those of the C library.
 * stacks.py compares. Arguments are the name of what is written, and libraries to load, call and
 * close in turn. C and C++.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <mpi.h>

#define NOINLINE __attribute__((noinline, noclone))

static FILE *truth;
static __thread const char *way;

/* A function that was loaded may ask for it, too (stacks_library.c). */
#ifdef __cplusplus
extern "C"
#endif
__attribute__((noinline)) void tell(const char *call, int line)
{
    void *addresses[128];
    int count = backtrace(addresses, 128);
    char text[4096];
    int used = 0;

    for (int i = 2; i < count; i++) { /* without this function and the one that calls MPI */
        Dl_info info;

        if (!dladdr(addresses[i], &info) || strstr(info.dli_fname, "libc.so") ||
            (info.dli_sname && strcmp(info.dli_sname, "_start") == 0)) {
            continue;
        }
        used += snprintf(text + used, sizeof text - used, " %lx",
                         (unsigned long)((uintptr_t)addresses[i] - (uintptr_t)info.dli_fbase));
    }
    fprintf(truth, "%s %s %d%s\n", way, call, line, used ? text : "");
    fflush(truth);
}

#define CALL(name, arguments)                                                                   \
    do {                                                                                        \
        tell(#name, __LINE__);                                                                  \
        name arguments; /* one line for both */                                                 \
        __asm__ volatile("");                                                                   \
    } while (0)

static volatile int sink;

static NOINLINE void leaf(void)
{
    int size;

    CALL(MPI_Comm_size, (MPI_COMM_WORLD, &size));
    sink = size;
}

static NOINLINE void down(int depth)
{
    if (depth > 0) {
        down(depth - 1);
    } else {
        leaf();
    }
    sink++;
}

static NOINLINE void pong(int depth);

static NOINLINE void ping(int depth)
{
    char room[200];

    memset(room, depth, sizeof room);
    if (depth > 0) {
        pong(depth - 1);
    } else {
        leaf();
    }
    sink += room[depth];
}

static NOINLINE void pong(int depth)
{
    ping(depth);
    sink++;
}

static NOINLINE void one(void)
{
    leaf();
    sink++;
}

static NOINLINE void other(void)
{
    volatile char room[300];

    room[7] = 1;
    leaf();
    sink += room[7];
}

static NOINLINE void by_pointer(void (*const *functions)(void), int count)
{
    for (int i = 0; i < count; i++) {
        functions[i % 2]();
    }
    sink++;
}

/* The frame's size is another one each time; nothing else differs. */
static NOINLINE void of_any_size(size_t bytes, int depth)
{
    char *room = (char *)alloca(bytes);

    memset(room, 1, bytes);
    if (depth > 0) {
        of_any_size(bytes / 2 + 16, depth - 1);
    } else {
        leaf();
    }
    sink += room[bytes - 1];
}

static NOINLINE void of_array(int count)
{
    volatile int room[count];

    room[count - 1] = count;
    leaf();
    sink += room[count - 1];
}

/* As functions with vector registers to spill do. */
static NOINLINE void of_aligned(int depth)
{
    volatile char room[128] __attribute__((aligned(64)));

    room[depth] = 1;
    if (depth > 0) {
        of_aligned(depth - 1);
    } else {
        leaf();
    }
    sink += room[depth];
}

static NOINLINE void of_aligned_and_any(int depth, size_t bytes)
{
    volatile char room[128] __attribute__((aligned(64)));
    char *more = (char *)alloca(bytes);

    memset(more, 1, bytes);
    room[depth] = 1;
    if (depth > 0) {
        of_aligned_and_any(depth - 1, bytes + 8);
    } else {
        leaf();
    }
    sink += room[depth] + more[0];
}

/*
 * Copies its part of the stack, or puts the copy below its own frame: every address that was met
 * stands where it stood, in front of the frames that there are.
 */
static char image[1024];

static NOINLINE void of_image(size_t bytes, int is_put)
{
    char *volatile room = (char *)alloca(bytes);

    memcpy(is_put ? room : image, is_put ? image : room, sizeof image);
    leaf();
    sink += room[0];
}

static NOINLINE void of_aligned_image(size_t bytes, int is_put)
{
    volatile char aligned[128] __attribute__((aligned(64)));
    char *volatile room = (char *)alloca(bytes);

    aligned[1] = 1;
    memcpy(is_put ? room : image, is_put ? image : room, sizeof image);
    leaf();
    sink += room[0] + aligned[1];
}

/* Two ways that come to the same depth. */
static NOINLINE void take_image(void (*of)(size_t, int), size_t bytes)
{
    char *volatile room = (char *)alloca(4096 - bytes);

    room[0] = 1;
    of(bytes, 0);
    sink += room[0];
}

static NOINLINE void put_image(void (*of)(size_t, int), size_t bytes)
{
    char *volatile room = (char *)alloca(4096 - bytes);

    room[0] = 1;
    of(bytes, 1);
    sink += 2 * room[0];
}

static NOINLINE void by_images(void (*of)(size_t, int))
{
    for (int i = 0; i < 9; i++) {
        void (*const next)(void (*)(size_t, int), size_t) = i % 3 < 2 ? take_image : put_image;

        next(of, i % 3 < 2 ? 64 : 2048);
    }
    sink++;
}

/* An array that the frame pointer is not for, with rbp used for something else. */
static NOINLINE long of_many(long a, long b, long c, long d, long e, long f)
{
    long g = a * b, h = c * d, i = e * f, j = a ^ f;

    leaf();
    return a + b * c + d * e + f * g + h * i + j;
}

static inline __attribute__((always_inline)) void inlined(int depth)
{
    down(depth);
    sink++;
}

static NOINLINE void of_inlined(void)
{
    inlined(1);
    inlined(2);
    sink++;
}

static int compare(const void *left, const void *right)
{
    leaf();
    return *(const int *)left - *(const int *)right;
}

static NOINLINE void by_library(void)
{
    int numbers[] = {2, 1};

    qsort(numbers, 2, sizeof numbers[0], compare);
    sink = numbers[0];
}

static jmp_buf back;

static NOINLINE void jumps(int depth)
{
    if (depth == 0) {
        leaf();
        longjmp(back, 1);
    }
    jumps(depth - 1);
    sink++;
}

static void handle(int number)
{
    leaf();
    sink++;
}

static NOINLINE void by_signal(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sink++;
}

static ucontext_t here, there;

static void elsewhere(void)
{
    leaf();
    sink++;
}

/* A stack of the program's own. */
static NOINLINE void by_context(void)
{
    static char stack[65536];

    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, elsewhere, 0);
    swapcontext(&here, &there);
    sink++;
}

static void *thread_main(void *argument)
{
    way = "thread";
    down(3);
    of_any_size(100, 2);
    of_aligned(2);
    return argument;
}

static NOINLINE void by_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, thread_main, NULL);
    pthread_join(thread, NULL);
}

static NOINLINE void by_libraries(int count, char **paths, uintptr_t *places)
{
    for (int turn = 0; turn < 10; turn++) {
        for (int i = 0; i < count; i++) {
            void *library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
            void (*enter)(void (*)(const char *, int), void (*)(void));

            if (!library) {
                fprintf(stderr, "%s\n", dlerror());
                exit(1);
            }
            *(void **)&enter = dlsym(library, "enter");
            places[i] = (uintptr_t)enter;
            enter(tell, leaf);
            dlclose(library);
        }
    }
}

/* Each way several times: what was remembered of the first is used by the next. */
static NOINLINE void by_all_ways(void)
{
    void (*const functions[])(void) = {one, other};

    for (int turn = 0; turn < 3; turn++) {
        way = "recursion";
        for (int depth = 0; depth < 6; depth++) {
            down(depth);
            ping(depth);
        }
        way = "pointer";
        by_pointer(functions, 4);
        way = "alloca";
        for (size_t bytes = 16; bytes < 5000; bytes = 3 * bytes + 8) {
            of_any_size(bytes, 0);
            of_any_size(bytes, turn);
        }
        way = "array";
        for (int count = 1; count < 2000; count = 5 * count + 1) {
            of_array(count);
        }
        way = "aligned";
        for (int depth = 0; depth < 4; depth++) {
            of_aligned(depth);
            of_aligned_and_any(depth, 24 * (size_t)(depth + turn + 1));
        }
        way = "image";
        by_images(of_image);
        by_images(of_aligned_image);
        way = "registers";
        sink += (int)of_many(turn, 2, 3, 4, 5, 6);
        way = "inlined";
        of_inlined();
        way = "library";
        by_library();
        way = "longjmp";
        if (setjmp(back) == 0) {
            jumps(2);
        }
        way = "signal";
        by_signal();
        way = "context";
        by_context();
    }
}

int main(int argc, char **argv)
{
    int level, rank;
    char name[4096];
    uintptr_t places[8] = {0};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    truth = fopen(name, "w");
    by_all_ways();
    by_thread();
    by_thread();
    way = "libraries";
    by_libraries(argc - 2 < 8 ? argc - 2 : 8, argv + 2, places);
    if (argc > 3 && rank == 0) {
        printf("%s\n", places[0] == places[1] ? "one place" : "two places");
    }
    MPI_Finalize();
    return 0;
}
