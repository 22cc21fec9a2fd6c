/*
 * Ends of communicators that are not the usual ones: freed while a receive and a send are
 * under way, which are complete later; disconnected; freed by the attribute of another one
 * that is freed; by a datatype's; and new ones in the place of each, perhaps with the same handles.
 *
 * Expected in the archive of n ranks (n >= 2):
 *     MPI_Comm_dup              9 * n
 *     MPI_Comm_set_name         9 * n
 *     MPI_Irecv                 n
 *     MPI_Isend                 n
 *     MPI_Waitall               n
 *     MPI_Barrier               4 * n
 *     MPI_Comm_free             6 * n
 *     MPI_Comm_disconnect       n
 *     messages                  n
 *     bytes                     n * 4
 *     collectives               4 * n
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Comm dup_with_name(const char *name)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, name);
    return comm;
}

/* A new one, perhaps with the handle of the one before, is another communicator. */
static void make_another(const char *name)
{
    MPI_Comm comm = dup_with_name(name);

    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

static void free_while_pending(int rank, int size)
{
    MPI_Comm comm = dup_with_name("freed while pending");
    MPI_Request requests[2];
    int received;

    MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 0, comm, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static int free_other(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    (void)state;
    return MPI_Comm_free(value);
}

static void free_by_attribute(void)
{
    MPI_Comm outer = dup_with_name("frees another");
    static MPI_Comm other;
    int key;

    other = dup_with_name("freed by an attribute");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_other, &key, NULL);
    MPI_Comm_set_attr(outer, key, &other);
    MPI_Comm_free(&outer);
    MPI_Comm_free_keyval(&key);
}

static int free_by_type(MPI_Datatype type, int key, void *value, void *state)
{
    (void)type;
    (void)key;
    (void)state;
    return MPI_Comm_free(value);
}

/* By a call that is not recorded unless types are. */
static void free_by_datatype(void)
{
    static MPI_Comm other;
    MPI_Datatype type;
    int key;

    other = dup_with_name("freed by a datatype");
    MPI_Type_dup(MPI_INT, &type);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, free_by_type, &key, NULL);
    MPI_Type_set_attr(type, key, &other);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&key);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    free_while_pending(rank, size);
    make_another("after the pending one");
    comm = dup_with_name("disconnected");
    MPI_Comm_disconnect(&comm);
    make_another("after the disconnected one");
    free_by_attribute();
    make_another("after those two");
    free_by_datatype();
    comm = dup_with_name("the last one");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
