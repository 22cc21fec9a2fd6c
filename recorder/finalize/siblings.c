/*
 * A process can't ask the MPI for those that run without the recorder: they are in no job of its,
 * or would be waited for. So it looks at what launchers leave to be seen.
 */
#include "recorder/finalize/siblings.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "formats/base/launched_job.h"
#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/own_mpi.h"

/* A number that the launcher gives in the environment, -1: none. */
static long launcher_says(const char *name)
{
    const char *text = getenv(name);
    char *end;
    long number;

    if (!text) {
        return -1;
    }
    number = strtol(text, &end, 10);
    return end != text && *end == '\0' && number >= 0 ? number : -1;
}

/* The process that has all ranks of the host as its children: it made PMI_FD. 0: unknown. */
static pid_t proxy(void)
{
    long descriptor = launcher_says("PMI_FD");
    struct ucred maker = {0};
    socklen_t size = sizeof maker;

    if (descriptor < 0 || launcher_says("MPI_LOCALNRANKS") < 2 ||
        getsockopt((int)descriptor, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0) {
        return 0;
    }
    return maker.pid;
}

/*
 * The name of a mark; the size of the address. Containers may count processes for themselves
 * and share the names of sockets.
 */
static socklen_t name_mark(struct sockaddr_un *name, pid_t launcher, long number)
{
    struct stat space = {0};
    int length;

    if (stat("/proc/self/ns/pid", &space) != 0) {
        space.st_ino = 0;
    }
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    length = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "mpiwatch-%llu-%ld-%ld",
                      (unsigned long long)space.st_ino, (long)launcher, number);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int open_socket(void)
{
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

void mwr_siblings_mark(void)
{
    pid_t launcher = proxy();
    struct sockaddr_un name;
    struct stat about = {0};
    socklen_t size;

    if (launcher == 0 || mwr_recorder.mark >= 0) {
        return;
    }
    size = name_mark(&name, launcher, launcher_says("MPI_LOCALRANKID"));
    mwr_recorder.mark = open_socket();
    if (mwr_recorder.mark < 0) {
        return;
    }
    fstat(mwr_recorder.mark, &about);
    mwr_recorder.mark_device = about.st_dev;
    mwr_recorder.mark_inode = about.st_ino;
    if (bind(mwr_recorder.mark, (struct sockaddr *)&name, size) != 0) {
        mwr_siblings_unmark();
    }
}

/* Without a descriptor nothing can be said; the first collective operation will. */
static bool has_mark(pid_t launcher, long number)
{
    struct sockaddr_un name;
    socklen_t size = name_mark(&name, launcher, number);
    int probe = open_socket();
    bool has = probe < 0 || connect(probe, (struct sockaddr *)&name, size) == 0 ||
               errno != ECONNREFUSED;

    if (probe >= 0) {
        close(probe);
    }
    return has;
}

/* With sessions alone there may be no MPI_COMM_WORLD: MPICH 4.2 ends who asks for its size. */
static bool is_alone(void)
{
    int size = 0;
    int status = mwr_recorder.world != MPI_GROUP_NULL
                     ? MWR_PMPI(Group_size)(mwr_recorder.world, &size)
                     : MWR_PMPI(Comm_size)(MPI_COMM_WORLD, &size);

    return status == MPI_SUCCESS && size == 1;
}

bool mwr_siblings_are_missing(void)
{
    pid_t launcher = proxy();
    long count = launcher_says("MPI_LOCALNRANKS");
    bool is_missing = launcher != 0 && mwr_recorder.mark < 0;
    bool is_first = true;

    if (is_alone()) {
        return false;
    }
    for (long i = 0; launcher != 0 && i < count; i++) {
        bool has = has_mark(launcher, i);

        is_missing |= !has;
        is_first &= !has || i >= launcher_says("MPI_LOCALRANKID");
    }
    if (is_missing && is_first) {
        mwr_say("not recording: other ranks of the job run without mpiwatch-record");
    }
    return is_missing;
}

/* Between sessions the program may have closed the mark and put a file of its own there. */
void mwr_siblings_unmark(void)
{
    struct stat about;

    if (mwr_recorder.mark >= 0 && fstat(mwr_recorder.mark, &about) == 0 &&
        about.st_dev == mwr_recorder.mark_device && about.st_ino == mwr_recorder.mark_inode) {
        close(mwr_recorder.mark);
    }
    mwr_recorder.mark = -1;
}

void mwr_siblings_tell_strangers(void)
{
    bool is_openmpi = mwr_mpi_is_openmpi();
    const char *own = is_openmpi ? "Open MPI" : "MPICH";
    const char *way = is_openmpi ? "srun --mpi=pmix" : "srun --mpi=pmi2";
    const char *launcher = mw_launched_by();
    uint32_t size = mw_launched_size();

    if (size == 1 || !is_alone() || !mw_launched_first()) {
        return;
    }
    mwr_say("each of the %u processes is a job of its own, recorded by itself: %s started "
            "them and the program uses %s, which needs %s%s",
            size, launcher, own, strcmp(launcher, "srun") == 0 ? way : "mpirun of ",
            strcmp(launcher, "srun") == 0 ? "" : own);
}
