/*
 * A program whose MPI is linked into it, or that has none, runs under the recorder without a word
 * of it: nothing calls us. Whoever waits for an archive then is told why there is none, once a job:
 * by the process that mpiwatch-record became in the job's first place, when it ends.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/dispatch/chain.h"
#include "recorder/finalize/names.h"
#include "recorder/launched.h"
#include "recorder/recorder.h"

/* Of a program, more is not looked through for a name. */
#define MOST_BYTES ((size_t)256 << 20)

/* What mpiwatch-record said; "": this process is not what it became. */
static char linked_with[64];
static bool is_watched;

/* What children had cost when the program began: mpiwatch-record has some itself. */
static long faults_of_children;

static long count_faults_of_children(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage.ru_minflt : 0;
}

/* The program may change its environment, and with it what was said. */
static __attribute__((constructor)) void watch(void)
{
    is_watched = mwr_launched_as(linked_with, sizeof linked_with);
    faults_of_children = count_faults_of_children();
}

/* Whether the program's file has the name of MPI_Init in it, as a symbol or for dlsym. */
static bool names_mpi_init(void)
{
    static const char name[] = "MPI_Init";
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat about = {0};
    bool has_name = false;
    size_t size;
    void *bytes;

    if (file < 0) {
        return false;
    }
    if (fstat(file, &about) == 0 && about.st_size > 0) {
        size = (size_t)about.st_size < MOST_BYTES ? (size_t)about.st_size : MOST_BYTES;
        bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            has_name = memmem(bytes, size, name, sizeof name) != NULL;
            munmap(bytes, size);
        }
    }
    close(file);
    return has_name;
}

/* Whether the MPI's shared library was started by somebody who found it past us. */
static bool was_started_past_us(void)
{
    int (*initialized)(int *) = (int (*)(int *))dlsym(RTLD_NEXT, "PMPI_Initialized");
    int flag = 0;

    return initialized && initialized(&flag) == MPI_SUCCESS && flag != 0;
}

/* A script's work is done by what it starts, and waits for. */
static bool had_children(void)
{
    return count_faults_of_children() > faults_of_children;
}

/* Behind the program's own exit handlers, any of which may call MPI_Init. */
static __attribute__((destructor)) void tell_that_nothing_was_seen(void)
{
    char program[MWR_PATH_BYTES];

    if (!is_watched || mwr_chain_is_ready() || !mwr_launched_as(NULL, 0) || had_children()) {
        return;
    }
    mwr_name_program(program, sizeof program);
    if (was_started_past_us()) {
        mwr_say("nothing recorded: %s looked up MPI_Init in the handle of MPI's library (as ctypes "
                "and Julia do), past every preloaded library",
                program);
    } else if (linked_with[0]) {
        mwr_say("nothing recorded: %s, linked with %s, ended before it called MPI_Init", program,
                linked_with);
    } else if (names_mpi_init()) {
        mwr_say("nothing recorded: no MPI_Init was seen in %s, which has an MPI linked into it or "
                "finds it by dlsym; link it with the MPI's shared library",
                program);
    } else {
        mwr_say("nothing recorded: no MPI_Init was seen in %s, which is not linked with MPI",
                program);
    }
}
