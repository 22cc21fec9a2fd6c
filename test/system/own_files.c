/*
 * A program that treats descriptors and files as its own: own_files WAY CALLS. Each rank
 * makes CALLS calls of MPI_Sendrecv with itself, and dups and frees a communicator at every
 * hundredth, while eight files of its own are open; in the end these hold what it wrote
 * into them, or they are told and the status is 1. What WAY does after MPI_Init:
 *
 *   closes     closes all descriptors that lead below $MPIWATCH_SPOOL; its files get their numbers
 *   dups       puts its files over them, by dup2
 *   stderr     closes descriptor 2, so that one of its files gets that number
 *   fclose     the same by fclose(stderr)
 *   thread     makes the calls in a thread, while others open, write, check and close files
 *   limit N    lowers the limit on the size of files to N bytes
 *   removes    removes what lies below $MPIWATCH_SPOOL
 *   replaces   removes all event spools there and puts files of its own in their place
 *   leaves     may not look below $MPIWATCH_SPOOL from then on
 *   looks      prints how many descriptors are open
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 8
#define FILE_BYTES 5000

static int rank;
static int calls;
static int files[FILES];

static char byte_of(int file, int at)
{
    return (char)('A' + (file * 7 + at) % 26);
}

static void name_of(int file, char *name)
{
    sprintf(name, "own.%d.%d", rank, file);
}

static void stop(const char *why)
{
    printf("rank %d: %s\n", rank, why);
    fflush(stdout);
    _exit(99);
}

static void open_files(int first)
{
    char name[64];

    for (int i = first; i < FILES; i++) {
        name_of(i, name);
        files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
        if (files[i] < 0) {
            stop("can't open a file");
        }
    }
}

static void write_files(void)
{
    char bytes[FILE_BYTES];

    for (int i = 0; i < FILES; i++) {
        for (int at = 0; at < FILE_BYTES; at++) {
            bytes[at] = byte_of(i, at);
        }
        if (pwrite(files[i], bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
            stop("can't write a file");
        }
    }
}

/* How many of the files are not as they were written, or can't be closed any more. */
static int check_files(void)
{
    int wrong = 0;

    for (int i = 0; i < FILES; i++) {
        char name[64];
        char bytes[2 * FILE_BYTES];
        int at = 0;
        int is_open = close(files[i]) == 0;

        name_of(i, name);
        files[i] = open(name, O_RDONLY);
        ssize_t got = read(files[i], bytes, sizeof bytes);

        while (at < got && bytes[at] == byte_of(i, at)) {
            at++;
        }
        if (!is_open || got != FILE_BYTES || at != FILE_BYTES) {
            printf("rank %d: %s: %s, %ld bytes, %d of them right\n", rank, name,
                   is_open ? "open" : "closed", (long)lseek(files[i], 0, SEEK_END), at);
            wrong++;
        }
        close(files[i]);
    }
    return wrong;
}

/* Calls what with each descriptor that leads below the spools' place. */
static void each_foreign(void (*what)(int descriptor, int number))
{
    const char *spools = getenv("MPIWATCH_SPOOL");
    DIR *stream = opendir("/proc/self/fd");
    int found[1024];
    int count = 0;

    for (struct dirent *entry; (entry = readdir(stream));) {
        char link[64 + sizeof entry->d_name];
        char target[PATH_MAX];

        sprintf(link, "/proc/self/fd/%s", entry->d_name);
        ssize_t length = readlink(link, target, sizeof target - 1);

        target[length > 0 ? length : 0] = '\0';
        if (spools && strncmp(target, spools, strlen(spools)) == 0 && count < 1024) {
            found[count++] = atoi(entry->d_name);
        }
    }
    closedir(stream);
    for (int i = 0; i < count; i++) {
        what(found[i], i);
    }
}

static void close_it(int descriptor, int number)
{
    close(descriptor);
}

static void put_over(int descriptor, int number)
{
    dup2(files[number % FILES], descriptor);
}

/* Removes a file of each directory below the spools' place whose name ends so; or replaces. */
static void remove_spools(const char *ending, int replace)
{
    char command[PATH_MAX + 100];

    sprintf(command, "find '%s' -name '*%s' -path '*-%d/*' -type f -delete -exec %s {} ';'",
            getenv("MPIWATCH_SPOOL"), ending, rank, replace ? "sh -c 'echo mine >$0'" : "true");
    if (system(command) != 0) {
        stop("can't remove spools");
    }
}

static void look(void)
{
    DIR *stream = opendir("/proc/self/fd");
    int count = -3; /* ".", ".." and the stream's own */

    while (readdir(stream)) {
        count++;
    }
    closedir(stream);
    printf("rank %d: %d descriptors are open\n", rank, count);
}

static void *make_calls(void *unused)
{
    int out = rank;
    int in = -1;

    for (int i = 0; i < calls; i++) {
        MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        if (i % 100 == 99) {
            MPI_Comm copy;

            MPI_Comm_dup(MPI_COMM_SELF, &copy);
            MPI_Comm_free(&copy);
        }
    }
    return NULL;
}

static volatile int is_over;

/* Opens, writes, checks and closes a file of its own until the calls are over. */
static void *use_files(void *argument)
{
    int number = *(int *)argument;
    char name[64];
    char text[64];

    sprintf(name, "own.%d.thread-%d", rank, number);
    for (int i = 0; !is_over; i++) {
        char again[64] = "";
        int length = sprintf(text, "thread %d, round %d\n", number, i);
        int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);

        if (file < 0 || write(file, text, (size_t)length) != length ||
            pread(file, again, sizeof again, 0) != length || strcmp(text, again) != 0 ||
            close(file) != 0) {
            stop("a thread's file is not as it was written");
        }
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t callers[2];
    pthread_t users[2];
    int numbers[] = {0, 1};

    for (int i = 0; i < 2; i++) {
        pthread_create(&users[i], NULL, use_files, &numbers[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&callers[i], NULL, make_calls, NULL);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(callers[i], NULL);
    }
    is_over = 1;
    for (int i = 0; i < 2; i++) {
        pthread_join(users[i], NULL);
    }
}

/* As a daemon that gives up its user's rights, or with none to the directory. */
static void leave_spools(void)
{
    if (geteuid() == 0 ? seteuid(65534) : chmod(getenv("MPIWATCH_SPOOL"), 0)) {
        perror("leaves");
    }
}

static void after_init(const char *way, const char *number)
{
    struct rlimit limit;

    if (strcmp(way, "closes") == 0) {
        each_foreign(close_it);
    } else if (strcmp(way, "stderr") == 0) {
        close(2);
    } else if (strcmp(way, "fclose") == 0) {
        fclose(stderr);
    } else if (strcmp(way, "removes") == 0) {
        remove_spools("", 0);
    } else if (strcmp(way, "replaces") == 0) {
        remove_spools(".events", 1);
    } else if (strcmp(way, "looks") == 0) {
        look();
    }
    open_files(0);
    write_files();
    if (strcmp(way, "dups") == 0) {
        each_foreign(put_over);
    } else if (strcmp(way, "limit") == 0) {
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = (rlim_t)atoll(number);
        setrlimit(RLIMIT_FSIZE, &limit);
    } else if (strcmp(way, "leaves") == 0) {
        leave_spools();
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "closes";
    int provided, wrong;

    calls = argc > 2 ? atoi(argv[2]) : 20000;
    MPI_Init_thread(&argc, &argv,
                    strcmp(way, "thread") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    after_init(way, argc > 3 ? argv[3] : "0");
    if (strcmp(way, "thread") == 0) {
        run_threads();
    } else {
        make_calls(NULL);
    }
    MPI_Finalize();
    wrong = check_files();
    printf("rank %d: %d of %d files are as they were written\n", rank, FILES - wrong, FILES);
    return wrong > 0;
}
