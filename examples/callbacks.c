/*
 * Functions of the program that MPI calls, and that call MPI themselves: an operator, an
 * attribute's copy and delete functions, an error handler. Their calls are a part of the
 * call that they are made in. MPI is also called before MPI_Init, from two constructors, and
 * after MPI_Finalize. Then a message of a datatype with holes: 3 blocks of 2 ints.
 *
 * Expected in the archive of n ranks:
 *     MPI_Allreduce         n
 *     MPI_Comm_dup          n
 *     MPI_Comm_free         n
 *     MPI_Send              n
 *     MPI_Sendrecv          n
 *     collectives           n
 *     moved ALLREDUCE       n * n * 4
 *     messages              n
 *     bytes                 n * 24
 *     errors                n
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int was_first, was_early, deletions, errors;

__attribute__((constructor(101))) static void first_of_all(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, flag = 1;

    MPI_Get_library_version(version, &length);
    MPI_Finalized(&flag);
    was_first = length > 0 && !flag;
}

__attribute__((constructor)) static void before_main(void)
{
    int version, subversion, flag = 1;

    MPI_Get_version(&version, &subversion);
    MPI_Initialized(&flag);
    was_early = !flag && version >= 3;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int size;

    MPI_Type_size(*type, &size);
    for (int i = 0; i < *count && size == sizeof(int); i++) {
        ((int *)inout)[i] += ((int *)in)[i];
    }
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copied, int *flag)
{
    int size = 0;

    (void)keyval;
    (void)extra;
    MPI_Comm_size(comm, &size);
    *(void **)copied = value;
    *flag = size > 0;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int rank;

    (void)keyval;
    (void)value;
    (void)extra;
    deletions += MPI_Comm_rank(comm, &rank) == MPI_SUCCESS;
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    int rank, error_class;

    MPI_Comm_rank(*comm, &rank);
    MPI_Error_class(*code, &error_class);
    errors += error_class == MPI_ERR_RANK;
}

static void holes(int next, int previous)
{
    int out[12] = {0}, in[12];
    MPI_Datatype blocks;

    MPI_Type_vector(3, 2, 4, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Sendrecv(out, 1, blocks, next, 0, in, 1, blocks, previous, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&blocks);
}

int main(int argc, char **argv)
{
    int rank, size, keyval, one = 1, sum = 0, flag = 0;
    MPI_Op op;
    MPI_Comm dup;
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Comm_create_keyval(copy, delete, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(dup, handler);
    MPI_Send(&one, 1, MPI_INT, size, 0, dup);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&dup);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
    holes((rank + 1) % size, (rank + size - 1) % size);
    MPI_Finalize();
    MPI_Finalized(&flag);
    if (!was_first || !was_early || sum != size || deletions != 2 || errors != 1 || !flag) {
        fprintf(stderr, "wrong: %d %d %d %d %d\n", was_early, sum, deletions, errors, flag);
        return 1;
    }
    return 0;
}
