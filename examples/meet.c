/*
 * Two jobs that were started apart meet, each with 2 ranks. Arguments: one side's role, and a file
 * by which the two find each other.
 *
 *   accept FILE, connect FILE   all of both jobs meet by a port of MPI, twice
 *   listen FILE, dial FILE      ranks 0 of both jobs meet by a socket (MPI_Comm_join), twice
 *
 * Each time every process sends one message to each of the other job, and gets one from each, on
 * the inter-communicator; then as many on the communicator merged from it, and there one to each
 * of its own job, itself included. Rank 0 of each job says "met". Ends with status 3
 * where the MPI can't, and says why.
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE 60 /* seconds */

/* Where the MPI can't, it says why. */
static void must(int result)
{
    char why[MPI_MAX_ERROR_STRING];
    int length;

    if (result != MPI_SUCCESS) {
        MPI_Error_string(result, why, &length);
        fprintf(stderr, "meet: %s\n", why);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

/* Shows text in the file at once, not bit by bit. */
static void tell(const char *file, const char *text)
{
    char unseen[4096];
    FILE *stream;

    snprintf(unseen, sizeof unseen, "%s.new", file);
    stream = fopen(unseen, "w");
    if (!stream || fputs(text, stream) < 0 || fclose(stream) != 0 || rename(unseen, file) != 0) {
        perror(file);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* What the other job has told, which may take its time. */
static void hear(const char *file, char *text, int size)
{
    const double until = MPI_Wtime() + PATIENCE;
    FILE *stream;

    while (!(stream = fopen(file, "r"))) {
        if (MPI_Wtime() > until) {
            fprintf(stderr, "nobody wrote %s\n", file);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        usleep(10000);
    }
    if (!fgets(text, size, stream)) {
        text[0] = '\0';
    }
    fclose(stream);
}

/* All n processes of a communicator send to each that stands behind it, and receive from each. */
static void speak(MPI_Comm comm, int n)
{
    MPI_Request requests[16];
    MPI_Status statuses[16];
    int in[8], out = 1;

    for (int i = 0; i < n; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, i, 1, comm, &requests[i]);
        MPI_Isend(&out, 1, MPI_INT, i, 1, comm, &requests[n + i]);
    }
    MPI_Waitall(2 * n, requests, statuses);
}

static void meet(MPI_Comm other, int is_high)
{
    MPI_Comm all;
    int size;

    MPI_Comm_remote_size(other, &size);
    speak(other, size);
    MPI_Intercomm_merge(other, is_high, &all);
    MPI_Comm_size(all, &size);
    speak(all, size);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
}

static void meet_by_port(const char *file, int accepts)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && accepts) {
        must(MPI_Open_port(MPI_INFO_NULL, port));
        tell(file, port);
    } else if (rank == 0) {
        hear(file, port, sizeof port);
    }
    for (int i = 0; i < 2; i++) {
        if (accepts) {
            must(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other));
        } else {
            must(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other));
        }
        meet(other, accepts);
    }
    if (rank == 0 && accepts) {
        MPI_Close_port(port);
    }
}

/* A stream between the two, over the loopback device. */
static int stream_to_other(const char *file, int listens)
{
    struct sockaddr_in place = {.sin_family = AF_INET};
    int stream = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof place;
    char text[32] = "";
    int ends = -1;

    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!listens) {
        hear(file, text, sizeof text);
        place.sin_port = htons((unsigned short)atoi(text));
        return connect(stream, (struct sockaddr *)&place, size) == 0 ? stream : -1;
    }
    if (bind(stream, (struct sockaddr *)&place, size) == 0 && listen(stream, 1) == 0 &&
        getsockname(stream, (struct sockaddr *)&place, &size) == 0) {
        snprintf(text, sizeof text, "%d", ntohs(place.sin_port));
        tell(file, text);
        ends = accept(stream, NULL, NULL);
    }
    close(stream);
    return ends;
}

static void meet_by_socket(const char *file, int listens)
{
    MPI_Comm other;
    int rank, stream;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        return;
    }
    stream = stream_to_other(file, listens);
    if (stream < 0) {
        perror("meet");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 2; i++) {
        must(MPI_Comm_join(stream, &other));
        meet(other, listens);
    }
    close(stream);
}

int main(int argc, char **argv)
{
    const char *role = argc == 3 ? argv[1] : "";
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(role, "accept") == 0 || strcmp(role, "connect") == 0) {
        meet_by_port(argv[2], strcmp(role, "accept") == 0);
    } else if (strcmp(role, "listen") == 0 || strcmp(role, "dial") == 0) {
        meet_by_socket(argv[2], strcmp(role, "listen") == 0);
    } else {
        fprintf(stderr, "usage: meet accept|connect|listen|dial FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) {
        puts("met");
    }
    MPI_Finalize();
    return 0;
}
