/*
 * Runs mpiwatch-analyze over and over without starting it each time, for test/fuzz/archives.py. A
 * line of the standard input is a job: the name of a file for the standard error, then commands
 * with their words, all divided by tabs, and a word ";" between commands. A process of its own runs
 * them one after the other in the program's main, which the build renames. The answer is a line:
 * how the process ended, as waitpid says, its greatest memory in KiB, and the statuses of the
 * commands that came to an end.
 */
#undef main
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int mpiwatch_analyze_main(int count, char **words);

#define WORDS_MAX       256
#define SECONDS_OF_CPU  40u
#define SECONDS_AT_MOST 300u

static void redirect(const char *path, int to)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (descriptor < 0 || dup2(descriptor, to) < 0) {
        _exit(125);
    }
    close(descriptor);
}

/* In the child: words of commands up to a null pointer. */
static void run_all(char **words, int answers)
{
    struct rlimit limit = { SECONDS_OF_CPU, SECONDS_OF_CPU };

    setrlimit(RLIMIT_CPU, &limit);
    alarm(SECONDS_AT_MOST);
    while (*words) {
        char *command[WORDS_MAX + 1] = { "mpiwatch-analyze" };
        unsigned char code;
        int count = 1;

        while (*words && strcmp(*words, ";") != 0) {
            command[count++] = *words++;
        }
        words += *words != NULL;
        code = (unsigned char)mpiwatch_analyze_main(count, command);
        fflush(NULL);
        if (write(answers, &code, 1) != 1) {
            _exit(125);
        }
    }
    _exit(0);
}

static void serve(char **words)
{
    struct rusage usage = { 0 };
    unsigned char code;
    int ends[2];
    int status = 0;
    pid_t child;

    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("serve");
        exit(2);
    }
    if (child == 0) {
        close(ends[0]);
        redirect(words[0], STDERR_FILENO);
        redirect("/dev/null", STDOUT_FILENO);
        run_all(words + 1, ends[1]);
    }
    close(ends[1]);
    while (wait4(child, &status, 0, &usage) != child) {
    }
    printf("%d %ld", status, usage.ru_maxrss);
    while (read(ends[0], &code, 1) == 1) {
        printf(" %u", code);
    }
    printf("\n");
    fflush(stdout);
    close(ends[0]);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, stdin) > 0) {
        char *words[WORDS_MAX] = { NULL };
        char *rest = line;
        int count = 0;

        line[strcspn(line, "\n")] = 0;
        while (count < WORDS_MAX - 1 && (words[count] = strsep(&rest, "\t"))) {
            count++;
        }
        if (count > 1) {
            serve(words);
        }
    }
    free(line);
    return 0;
}
