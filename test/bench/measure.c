/*
 * measure COMMAND [ARGUMENT...]: runs it without output and prints its status, the seconds of CPU
 * that it took, and its peak memory in KiB. Not in Python: what a process had in memory before it
 * became the command counts as well.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    pid_t child = argc > 1 ? fork() : -1;

    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        if (null >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0) {
            execv(argv[1], argv + 1);
        }
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        fprintf(stderr, "usage: measure COMMAND [ARGUMENT...]\n");
        return 2;
    }
    printf("%d %.6f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           seconds(&usage.ru_utime) + seconds(&usage.ru_stime), usage.ru_maxrss);
    return 0;
}
