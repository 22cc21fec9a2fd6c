/*
 * Files of /proc are opened for each reading: a descriptor that is kept is the program's to close.
 */
#include "recorder/state/kernel_counts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/own_file.h"

#define THREADS "/proc/self/task"

/*
 * Clocks of a thread, 0: the calling one, as the kernel numbers them (linux/posix-timers_types.h:
 * ~thread << 3, 4 of a thread, and which): its ticks in all, those in user mode, and its time on a
 * core, whatever ticks say. What getrusage tells is made of these, but never falls: with all the
 * time on a core times the share of ticks in the kernel up to now, so that after each tick it is
 * for a while of what came before. Where there are no such clocks it is no substitute: of ranks
 * that were in the kernel in MPI alone, for 1.5 ms at a time, a fourth was told as between calls.
 */
#define CLOCK_OF(thread, which) ((clockid_t)(~(thread) * 8 + 4 + (which)))
#define ALL_TICKS  CLOCK_OF(0, 0)
#define USER_TICKS CLOCK_OF(0, 1)

/* What read_text has read, for each thread its own. */
static __thread struct mwr_kernel_reads own_reads;

static uint64_t ns_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

/* 0: there is no such clock. */
static uint64_t time_of(clockid_t clock)
{
    struct timespec time = {0};

    (void)syscall(SYS_clock_gettime, clock, &time);
    return ns_of(&time);
}

static bool is_clock(clockid_t clock)
{
    struct timespec time;

    return syscall(SYS_clock_gettime, clock, &time) == 0;
}

uint64_t mwr_kernel_page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t mwr_kernel_thread_ns(void)
{
    return time_of(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t mwr_kernel_process_ns(void)
{
    return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

struct mwr_kernel_counts mwr_kernel_counts(void)
{
    struct rusage usage = {0};

    (void)syscall(SYS_getrusage, RUSAGE_THREAD, &usage);
    return (struct mwr_kernel_counts){.voluntary = (uint64_t)usage.ru_nvcsw,
                                      .involuntary = (uint64_t)usage.ru_nivcsw,
                                      .minor_faults = (uint64_t)usage.ru_minflt,
                                      .major_faults = (uint64_t)usage.ru_majflt,
                                      .blocks = (uint64_t)usage.ru_oublock};
}

bool mwr_kernel_tells_system(void)
{
    return is_clock(ALL_TICKS) && is_clock(USER_TICKS);
}

uint64_t mwr_kernel_system_ns(void)
{
    /* First: a tick in between is too little, not too much. */
    const uint64_t all = time_of(ALL_TICKS);
    const uint64_t user = time_of(USER_TICKS);

    return all > user ? all - user : 0;
}

uint64_t mwr_kernel_ran_ns(pid_t thread)
{
    return time_of(CLOCK_OF(thread, 2));
}

uint64_t mwr_kernel_tick_ns(void)
{
    struct timespec tick = {0};

    /* This clock goes on by them. */
    (void)syscall(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick);
    return ns_of(&tick);
}

/* Whether both are descriptors of one file. */
static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* A descriptor that is open for a moment. It may be the program's by the time it is to be closed:
 * another thread of it may close all there are. */
struct opened {
    long descriptor; /* below 0: there is none */
    struct stat is;
};

/* By system calls that no tool in the program sees, and that are no cancellation points. */
static struct opened open_now(const char *path, int how)
{
    struct opened opened = {
        .descriptor = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | how, 0)};

    if (opened.descriptor >= 0 && fstat((int)opened.descriptor, &opened.is) != 0) {
        opened.descriptor = -1;
    }
    return opened;
}

/* False: it was another's meanwhile, and is left to that one. */
static bool close_now(const struct opened *opened)
{
    struct stat now;
    const bool is_ours = fstat((int)opened->descriptor, &now) == 0 && is_same(&opened->is, &now);

    if (is_ours) {
        (void)syscall(SYS_close, opened->descriptor);
    }
    return is_ours;
}

/* Fills text, of size bytes, with the beginning of a file; false: it can't be read. */
static bool read_text(const char *path, char *text, size_t size)
{
    const struct opened opened = open_now(path, 0);
    long got = -1;

    if (opened.descriptor >= 0) {
        got = syscall(SYS_pread64, opened.descriptor, text, size - 1, (off_t)0);
        own_reads.bytes += got > 0 ? (uint64_t)got : 0;
        own_reads.calls++;
        got = close_now(&opened) ? got : -1;
    }
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* Number at place (0, 1 …) of a file of numbers; false: there is none. */
static bool read_number(const char *path, unsigned place, uint64_t *number)
{
    char text[128];
    const char *at = text;
    int end = 0;

    if (!read_text(path, text, sizeof text)) {
        return false;
    }
    for (unsigned i = 0; i <= place; i++, at += end) {
        if (sscanf(at, "%" SCNu64 "%n", number, &end) != 1) {
            return false;
        }
    }
    return true;
}

/* All but ours, and never less than before: another thread may be writing to its spool. */
static void take_but(uint64_t *value, uint64_t all, uint64_t ours)
{
    if (all > ours && all - ours > *value) {
        *value = all - ours;
    }
}

void mwr_kernel_io(struct mwr_kernel_io *io)
{
    struct mwr_kernel_io ours, all;
    char text[256];

    mw_own_file_all_written(&ours.chars, &ours.writes);
    if (read_text("/proc/self/io", text, sizeof text) &&
        sscanf(text, "rchar: %*u wchar: %" SCNu64 " syscr: %*u syscw: %" SCNu64, &all.chars,
               &all.writes) == 2) {
        take_but(&io->chars, all.chars, ours.chars);
        take_but(&io->writes, all.writes, ours.writes);
    }
}

bool mwr_kernel_reads(struct mwr_kernel_reads *reads)
{
    /* First: what is read here is counted behind it. */
    const struct mwr_kernel_reads own = own_reads;
    struct mwr_kernel_reads all;
    char text[256];

    if (!read_text("/proc/thread-self/io", text, sizeof text) ||
        sscanf(text, "rchar: %" SCNu64 " wchar: %*u syscr: %" SCNu64, &all.bytes, &all.calls) !=
            2) {
        return false;
    }
    reads->bytes = all.bytes > own.bytes ? all.bytes - own.bytes : 0;
    reads->calls = all.calls > own.calls ? all.calls - own.calls : 0;
    return true;
}

uint64_t mwr_kernel_delay_ns(uint64_t known)
{
    uint64_t delay = 0;

    return read_number("/proc/thread-self/schedstat", 1, &delay) ? delay : known;
}

uint64_t mwr_kernel_resident(void)
{
    uint64_t pages = 0;

    return read_number("/proc/self/statm", 1, &pages) ? pages * mwr_kernel_page_bytes() : 0;
}

bool mwr_kernel_turns(pid_t thread, uint64_t *ran, uint64_t *turns)
{
    char path[sizeof THREADS + 32];
    char text[96];

    snprintf(path, sizeof path, THREADS "/%ld/schedstat", (long)thread);
    return read_text(path, text, sizeof text) &&
           sscanf(text, "%" SCNu64 " %*u %" SCNu64, ran, turns) == 2;
}

/* Two links of a folder are its own, and one is each folder's in it. */
uint64_t mwr_kernel_thread_count(void)
{
    struct stat folder;

    return stat(THREADS, &folder) == 0 && folder.st_nlink > 2 ? folder.st_nlink - 2 : 0;
}

/* What getdents64(2) fills. */
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short bytes;
    unsigned char type;
    char name[];
};

bool mwr_kernel_each_thread(void (*tell)(pid_t thread))
{
    _Alignas(struct entry) char list[2048];
    const struct opened opened = open_now(THREADS, O_DIRECTORY);
    long bytes = -1;

    if (opened.descriptor < 0) {
        return false;
    }
    while ((bytes = syscall(SYS_getdents64, opened.descriptor, list, sizeof list)) > 0) {
        for (long at = 0; at < bytes;) {
            const struct entry *entry = (const void *)(list + at);
            const long thread = strtol(entry->name, NULL, 10); /* of "." and ".." 0 */

            if (thread > 0) {
                tell((pid_t)thread);
            }
            at += entry->bytes;
        }
    }
    return close_now(&opened) && bytes == 0;
}
