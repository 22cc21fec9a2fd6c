# MPICH's MPI-IO ends where MPI_Finalize deletes the attribute of MPI_COMM_SELF that it has set in
# its first call, and fails at times where the archive is still to be written. Whoever sets
# attributes of MPI_COMM_SELF, and when, MPI-IO is there for the archive.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi mpich

# MPI-IO which has ended has an operation no longer that it opens files with: the program stands in
# front of the MPI's functions and sees that.
cat >opens.c <<'PROGRAM'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int PMPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    __typeof__(&PMPI_Allreduce) real =
        (__typeof__(real))dlsym(RTLD_NEXT, "PMPI_Allreduce");

    if (op == MPI_OP_NULL) {
        write(1, "it has ended\n", 13);
    }
    return real(from, to, count, type, op, comm);
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    write(1, "deleted\n", 8);
    return MPI_SUCCESS;
}

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *extra)
{
    return MPI_ERR_OTHER;
}

int main(int argc, char **argv)
{
    MPI_File file;
    int keyval;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyval, NULL);
    for (const char *what = argv[1]; *what != '\0'; what++) {
        if (*what == 'a') {
            MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
        } else if (*what == 'r') {
            MPI_Register_datarep("other", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent,
                                 NULL);
        } else {
            MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
            MPI_File_close(&file);
        }
    }
    MPI_Finalize();
    return 0;
}
PROGRAM
"$MPICC_MPICH" -rdynamic -o opens opens.c -ldl

# a: an attribute of MPI_COMM_SELF, f: a file, r: a data representation, in this order.
for what in f a fa af r ra afa; do
    rm -f opens.otf2.zip
    assert_equal 0 "$(status_of run_mpich 2 "$record" -q -o opens.otf2.zip ./opens "$what")" \
        "$what: status: $(cat stderr)"
    assert_lacks "$(cat stdout)" ended
    case $what in
    *a*) assert_contains "$(cat stdout)" deleted ;;
    esac
    assert_file opens.otf2.zip
done
finish
