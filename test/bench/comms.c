/*
 * What making and freeing a communicator costs: does it many times, one alive at a time, and
 * prints, of rank 0, a line a number. comms.py runs it with and without the recorder.
 *
 *     comms KIND [COUNT]    100,000 times if not said
 *
 *     dup, idup, split, create, group, cart, graph, inter
 *
 * wall, cpu and system are microseconds for each, over the whole loop: of the clock, of the
 * process, and of that in the kernel; writes are calls of write(2) and its like in the loop.
 * finalize and finalize_cpu are seconds; peak is in kB.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static int rank, size;
static MPI_Comm half; /* of those with ranks as odd as this one's */
static MPI_Group all;

static void make_dup(MPI_Comm *made)
{
    MPI_Comm_dup(MPI_COMM_WORLD, made);
}

static void make_idup(MPI_Comm *made)
{
    MPI_Request request;

    MPI_Comm_idup(MPI_COMM_WORLD, made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void make_split(MPI_Comm *made)
{
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, made);
}

static void make_create(MPI_Comm *made)
{
    MPI_Comm_create(MPI_COMM_WORLD, all, made);
}

static void make_group(MPI_Comm *made)
{
    MPI_Comm_create_group(MPI_COMM_WORLD, all, 7, made);
}

static void make_cart(MPI_Comm *made)
{
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, made);
}

static void make_graph(MPI_Comm *made)
{
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, &(int){1}, 1, &next,
                                   &(int){1}, MPI_INFO_NULL, 0, made);
}

static void make_inter(MPI_Comm *made)
{
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, made);
}

static const struct kind {
    const char *name;
    void (*make)(MPI_Comm *made);
} kinds[] = {
    {"dup", make_dup},     {"idup", make_idup}, {"split", make_split}, {"create", make_create},
    {"group", make_group}, {"cart", make_cart}, {"graph", make_graph}, {"inter", make_inter},
};

struct moment {
    double wall, cpu, system; /* seconds */
};

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static struct moment now(void)
{
    struct timespec time;
    struct rusage usage;
    struct moment moment;

    clock_gettime(CLOCK_MONOTONIC, &time);
    getrusage(RUSAGE_SELF, &usage);
    moment.wall = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
    moment.system = seconds_of(usage.ru_stime);
    moment.cpu = moment.system + seconds_of(usage.ru_utime);
    return moment;
}

/* -1: the system doesn't say. */
static long writes(void)
{
    char line[256];
    long count = -1;
    FILE *file = fopen("/proc/self/io", "r");

    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "syscw: %ld", &count) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return count;
}

static const struct kind *find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    fprintf(stderr, "comms: there is no kind %s\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return NULL;
}

static void measure(const struct kind *kind, long count)
{
    struct moment start, end;
    long written;
    MPI_Comm made;

    for (long i = 0; i < 100; i++) {
        kind->make(&made);
        MPI_Comm_free(&made);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    written = writes();
    start = now();
    for (long i = 0; i < count; i++) {
        kind->make(&made);
        MPI_Comm_free(&made);
    }
    end = now();
    written = writes() - written;
    if (rank == 0) {
        double each = 1e6 / (double)count;

        printf("wall %.3f\ncpu %.3f\nsystem %.3f\n", (end.wall - start.wall) * each,
               (end.cpu - start.cpu) * each, (end.system - start.system) * each);
        printf("writes %ld\nmade %ld\n", written, count + 100);
    }
}

int main(int argc, char **argv)
{
    struct moment start, end;
    struct rusage usage;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    measure(find(argc > 1 ? argv[1] : ""), argc > 2 ? atol(argv[2]) : 100000);
    MPI_Comm_free(&half);
    MPI_Group_free(&all);
    MPI_Barrier(MPI_COMM_WORLD);
    start = now();
    MPI_Finalize();
    end = now();
    getrusage(RUSAGE_SELF, &usage);
    if (rank == 0) {
        printf("finalize %.3f\nfinalize_cpu %.3f\npeak %ld\n", end.wall - start.wall,
               end.cpu - start.cpu, usage.ru_maxrss);
    }
    return 0;
}
