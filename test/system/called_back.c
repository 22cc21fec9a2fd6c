/*
 * Functions of the program of every kind that MPI calls back, 12 times in all on one rank: an
 * attribute is copied (1) and deleted (2: of the duplicate, and by name) with a communicator,
 * deleted with a datatype (1), a window (1), and with MPI_COMM_SELF in MPI_Finalize (1); an error
 * of a communicator (1) and of a file (1) is handled; an operation reduces (1); a generalized
 * request is cancelled, asked and freed (3). Each time, MPI_Type_size is called by both its names,
 * and a communicator made and freed. Outside of these MPI_Type_size and MPI_Comm_split are called
 * once by MPI's name and twice by PMPI's, and two communicators freed by MPI's and two by PMPI's.
 *
 * With the argument FILE, it writes and reads FILE with a view instead.
 */
#include <mpi.h>
#include <stdio.h>

static int calls;

static void call_back(void)
{
    MPI_Comm own;
    int size;

    calls++;
    MPI_Type_size(MPI_INT, &size);
    PMPI_Type_size(MPI_INT, &size);
    MPI_Comm_split(MPI_COMM_SELF, 0, 0, &own);
    MPI_Comm_free(&own);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copied, int *flag)
{
    call_back();
    *(void **)copied = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    call_back();
    return MPI_SUCCESS;
}

static int delete_last(MPI_Comm comm, int keyval, void *value, void *extra)
{
    call_back();
    printf("called back %d times\n", calls);
    fflush(stdout);
    return MPI_SUCCESS;
}

static int delete_of_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    call_back();
    return MPI_SUCCESS;
}

static int delete_of_window(MPI_Win window, int keyval, void *value, void *extra)
{
    call_back();
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    call_back();
}

static void handle_of_file(MPI_File *file, int *code, ...)
{
    call_back();
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    call_back();
}

static int query(void *extra, MPI_Status *status)
{
    call_back();
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int give_up(void *extra)
{
    call_back();
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    call_back();
    return MPI_SUCCESS;
}

static void attributes(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Win window;
    int memory[4], keyval;

    MPI_Comm_create_keyval(copy, delete, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, memory);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_of_type, &keyval, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, keyval, memory);
    MPI_Type_free(&type);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_of_window, &keyval, NULL);
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_SELF, &window);
    MPI_Win_set_attr(window, keyval, memory);
    MPI_Win_free(&window);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_last, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, memory);
}

static void errors(void)
{
    MPI_Errhandler handler;

    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG);
    MPI_File_create_errhandler(handle_of_file, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_FILE);
}

static void others(void)
{
    MPI_Op op;
    MPI_Request request;
    int in = 1, out = 1;

    MPI_Op_create(add, 1, &op);
    MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
    MPI_Op_free(&op);
    MPI_Grequest_start(query, give_up, cancel, NULL, &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void outside(void)
{
    MPI_Comm comms[3];
    int size;

    MPI_Type_size(MPI_INT, &size);
    PMPI_Type_size(MPI_INT, &size);
    PMPI_Type_size(MPI_INT, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comms[0]);
    PMPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comms[1]);
    PMPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comms[2]);
    MPI_Comm_free(&comms[0]);
    PMPI_Comm_free(&comms[1]);
    PMPI_Comm_free(&comms[2]);
}

static int write_with_view(const char *name)
{
    int values[8] = {0};
    MPI_Datatype view;
    MPI_File file;
    MPI_Status status;

    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL,
                      &file) != MPI_SUCCESS) {
        return 1;
    }
    MPI_Type_vector(2, 1, 2, MPI_INT, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, values, 4, MPI_INT, &status);
    MPI_File_read_at(file, 0, values, 4, MPI_INT, &status);
    MPI_File_write(file, values, 4, MPI_INT, &status);
    MPI_File_close(&file);
    MPI_Type_free(&view);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;

    MPI_Init(&argc, &argv);
    if (argc > 1) {
        failed = write_with_view(argv[1]);
    } else {
        attributes();
        errors();
        others();
        outside();
    }
    MPI_Finalize();
    return failed;
}
