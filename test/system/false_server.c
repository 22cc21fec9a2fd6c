/*
 * A job that opens a port as mpiwatch-top --serve does, writes it into the file "ports", and tells
 * the first who connects what it should not: false_server KIND. The head is that of
 * formats/ARCHIVE.md, section 8.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG_BYTES 100000

static char message[LONG_BYTES];

/* \return the bytes of it. */
static int make(const char *kind)
{
    int bytes = 60;

    memcpy(message, "MWLIVE\0\0\2\0\0\0", 12);
    if (strcmp(kind, "version") == 0) {
        message[8] = 99;
    } else if (strcmp(kind, "long") == 0) {
        bytes = LONG_BYTES;
    } else {
        memset(message, 'x', LONG_BYTES);
    }
    return bytes;
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    int bytes, is_done = 0, has_come = 0;
    MPI_Comm client;
    MPI_Request request;
    FILE *file;

    MPI_Init(&argc, &argv);
    bytes = make(argc > 1 ? argv[1] : "noise");
    MPI_Open_port(MPI_INFO_NULL, port);
    file = fopen("ports.new", "w");
    fprintf(file, "%s\n", port);
    fclose(file);
    rename("ports.new", "ports");
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &client);
    MPI_Isend(message, bytes, MPI_BYTE, 0, 1, client, &request);
    while (!has_come) {
        MPI_Iprobe(0, 2, client, &has_come, MPI_STATUS_IGNORE);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 2, client, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, 2, client);
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&client);
    MPI_Finalize();
    return 0;
}
