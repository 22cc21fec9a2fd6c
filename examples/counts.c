/*
 * Lengths that are not count times sizeof: datatypes with holes, with nothing in them, with
 * more in them than any memory (of which only a little arrives), messages that end within
 * an element, and counts over 2^31 where the MPI has them (MPI 4: large = 1). Statuses that
 * the program changes, or a generalized request fills, change nothing.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Sendrecv            5 * n
 *     MPI_Sendrecv_c          n * large
 *     MPI_Bcast               n
 *     MPI_Bcast_c             n * large
 *     MPI_Irecv               n
 *     MPI_Isend               n
 *     MPI_Grequest_start      n
 *     MPI_Grequest_complete   n
 *     MPI_Waitall             n
 *     messages                6 * n + n * large
 *     bytes                   n * (4 + 1200 + 45 + 0 + 12 + 4)
 *     collectives             n + n * large
 *     moved BCAST             n * 2 ** 40 + n * large * 2 ** 33
 */
#include <mpi.h>
#include <stdlib.h>

static int partner;

static void exchange(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
                     MPI_Datatype in_type)
{
    MPI_Status status;

    MPI_Sendrecv(out, out_count, out_type, partner, 0, in, in_count, in_type, partner, 0,
                 MPI_COMM_WORLD, &status);
    MPI_Status_set_elements(&status, MPI_DOUBLE, 12345);
    MPI_Status_set_cancelled(&status, 1);
}

/* 2^40 bytes: of all processes alone, so that nobody moves them. */
static void be_huge(void)
{
    MPI_Datatype gigabyte, huge;
    int out = 1, in[4];

    MPI_Type_contiguous(1 << 30, MPI_BYTE, &gigabyte);
    MPI_Type_contiguous(1 << 10, gigabyte, &huge);
    MPI_Type_commit(&huge);
    MPI_Bcast(in, 1, huge, 0, MPI_COMM_SELF);
    exchange(&out, 1, MPI_INT, in, 1, huge);
    MPI_Type_free(&huge);
    MPI_Type_free(&gigabyte);
}

/* 3 times 100 ints, one in ten; 5 times a char and a double in 64 bytes, from -4 on. */
static void have_holes(void)
{
    MPI_Datatype sparse, pair, wide, types[2] = {MPI_CHAR, MPI_DOUBLE};
    MPI_Aint places[2] = {0, 8};
    int lengths[2] = {1, 1};
    char *out = calloc(3, 4000), *in = calloc(3, 4000);

    MPI_Type_vector(100, 1, 10, MPI_INT, &sparse);
    MPI_Type_commit(&sparse);
    MPI_Type_create_struct(2, lengths, places, types, &pair);
    MPI_Type_create_resized(pair, -4, 64, &wide);
    MPI_Type_commit(&wide);
    exchange(out, 3, sparse, in, 3, sparse);
    exchange(out, 5, wide, in, 5, wide);
    MPI_Type_free(&sparse);
    MPI_Type_free(&pair);
    MPI_Type_free(&wide);
    free(out);
    free(in);
}

/* A thousand times nothing; 3 ints for two elements of 2. */
static void be_odd(void)
{
    MPI_Datatype nothing, two;
    int out[4] = {0}, in[4];

    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    exchange(out, 1000, nothing, in, 1000, nothing);
    exchange(out, 3, MPI_INT, in, 2, two);
#if MPI_VERSION >= 4
    MPI_Sendrecv_c(out, (MPI_Count)1 << 33, nothing, partner, 0, in, (MPI_Count)1 << 33, nothing,
                   partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast_c(out, (MPI_Count)1 << 33, MPI_BYTE, 0, MPI_COMM_SELF);
#endif
    MPI_Type_free(&nothing);
    MPI_Type_free(&two);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 1000);
    MPI_Status_set_cancelled(status, 1);
    status->MPI_SOURCE = 0;
    status->MPI_TAG = 0;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

/* A generalized request says that it was cancelled, and has received. */
static void be_general(void)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int out = 1, in;

    MPI_Grequest_start(query, release, cancel, NULL, &requests[1]);
    MPI_Irecv(&in, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitall(3, requests, statuses);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &partner);
    partner ^= 1;
    be_huge();
    have_holes();
    be_odd();
    be_general();
    MPI_Finalize();
    return 0;
}
