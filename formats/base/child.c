/*
 * A program that runs as one's child tells of its end by SIGCHLD, and any wait() can take it: exec
 * makes it so, whatever clone(2) was told. So there is a process between, which runs no other
 * program, tells by no signal, and is found only by who asks for its id. As with posix_spawn both
 * borrow our memory, so that nothing of it is copied, and this thread stands still meanwhile.
 */
#include "formats/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (64u << 10)

/* A sanitizer thinks that there is one stack. */
#define ON_ANOTHER_STACK __attribute__((no_sanitize("address")))

#define LOOK_NS 2000000L

/* How the program ended. */
enum { ENDED_WELL, ENDED_BADLY, ENDED_LATE, NOT_RUN };

struct start {
    char *const *arguments;
    unsigned seconds;
    const sigset_t *signals; /* as they were */
    char *stack;             /* of the program, until it is one */
    int *ended;              /* in memory that both have, even if they are processes like others */
};

/*
 * This and the next one run on a stack of their own; nothing of the parent's may be changed, and no
 * function be called that a tool may have put its own in place of.
 */
ON_ANOTHER_STACK static int become(void *argument)
{
    static char *const environment[] = {"LC_ALL=C", NULL};
    const struct start *start = argument;
    long nowhere = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);

    for (int standard = 0; nowhere >= 0 && standard <= 2; standard++) {
        (void)syscall(SYS_dup3, nowhere, standard, 0);
    }
#ifdef SYS_close_range
    (void)syscall(SYS_close_range, 3u, ~0u, 0u);
#endif
    (void)sigprocmask(SIG_SETMASK, start->signals, NULL);
    (void)syscall(SYS_execve, start->arguments[0], start->arguments, environment);
    _exit(NOT_RUN);
}

/* The program's handlers are not to run in a process that is none of its own. */
ON_ANOTHER_STACK static void forget_handlers(void)
{
    struct sigaction action;

    for (int signal = 1; signal < NSIG; signal++) {
        if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
            (action.sa_handler != SIG_IGN || signal == SIGCHLD)) {
            memset(&action, 0, sizeof action);
            action.sa_handler = SIG_DFL;
            (void)sigaction(signal, &action, NULL);
        }
    }
}

/*
 * Valgrind makes a process like others of this one, and in each that exits it has the C library
 * write what the program's streams hold: it has to end without.
 */
ON_ANOTHER_STACK _Noreturn static void end(const struct start *start, int ended)
{
    *start->ended = ended;
    for (;;) {
        (void)syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    }
}

ON_ANOTHER_STACK static int stand_between(void *argument)
{
    const struct timespec pause = {0, LOOK_NS};
    struct start *start = argument;
    long ended = 0;
    int status = 0;
    pid_t child;

    forget_handlers();
    child = clone(become, start->stack, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
    if (child < 0) {
        end(start, NOT_RUN);
    }
    for (long look = 0; ended == 0 && look < start->seconds * (1000000000L / LOOK_NS); look++) {
        ended = syscall(SYS_wait4, child, &status, WNOHANG, NULL);
        if (ended == 0) {
            (void)syscall(SYS_nanosleep, &pause, NULL);
        }
    }
    if (ended == 0) {
        (void)syscall(SYS_kill, child, SIGKILL);
        (void)syscall(SYS_wait4, child, &status, 0, NULL);
        end(start, ENDED_LATE);
    }
    if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == NOT_RUN) {
        end(start, NOT_RUN);
    }
    end(start, ended == child && status == 0 ? ENDED_WELL : ENDED_BADLY);
}

static enum mw_status say(struct mw_diagnostic *diagnostic, const struct start *start, int ended)
{
    const char *path = start->arguments[0];

    errno = 0; /* it says nothing of the program */
    switch (ended) {
    case ENDED_WELL:
        return MW_OK;
    case ENDED_LATE:
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it took more than %u s", start->seconds);
    case ENDED_BADLY:
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it failed");
    default:
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "it can't be run");
    }
}

enum mw_status mw_child_run(char *const arguments[], unsigned seconds,
                            struct mw_diagnostic *diagnostic)
{
    sigset_t all;
    sigset_t before;
    struct start start = {.arguments = arguments, .seconds = seconds, .signals = &before};
    int ended;
    char *stacks;
    pid_t between;

    stacks = mmap(NULL, 2 * (size_t)STACK_BYTES, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED) {
        return mw_no_memory(diagnostic, arguments[0], "to run it");
    }
    start.stack = stacks + 2 * (size_t)STACK_BYTES;
    start.ended = (int *)stacks; /* the far end of the stack between */
    *start.ended = NOT_RUN;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    between = clone(stand_between, stacks + STACK_BYTES, CLONE_VM | CLONE_VFORK, &start);
    ended = between > 0 && waitpid(between, NULL, __WALL) == between ? *start.ended : NOT_RUN;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)munmap(stacks, 2 * (size_t)STACK_BYTES);
    return say(diagnostic, &start, ended);
}
