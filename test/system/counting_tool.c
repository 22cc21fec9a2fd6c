/*
 * A PMPI tool that counts calls, and copies of its attribute of MPI_COMM_WORLD, and tells of them
 * when the process ends. One of its wrappers goes on by the name of MPI, which enters it again, and
 * one finds who is next by dlsym.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int splits, frees, sizes, sizes_x, elements, inits, finalizes, dups, barriers, reductions;
static int copies;

static __attribute__((destructor)) void tell(void)
{
    fprintf(stderr, "tool: Init %d, Finalize %d, Type_size %d, Comm_split %d, Comm_free %d\n",
            inits, finalizes, sizes, splits, frees);
    fprintf(stderr, "tool: Comm_dup %d, Barrier %d, Allreduce %d\n", dups, barriers, reductions);
    fprintf(stderr, "tool: copies %d\n", copies);
    fprintf(stderr, "tool: Type_size_x %d, Status_set_elements_x %d\n", sizes_x, elements);
}

int MPI_Type_size(MPI_Datatype type, int *size)
{
    static int is_inside;
    int result;

    if (is_inside) {
        return PMPI_Type_size(type, size);
    }
    sizes++;
    is_inside = 1;
    result = MPI_Type_size(type, size);
    is_inside = 0;
    return result;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    int (*next)(MPI_Comm *) = (int (*)(MPI_Comm *))dlsym(RTLD_NEXT, "MPI_Comm_free");

    frees++;
    return next(comm);
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copied, int *is_copied)
{
    copies++;
    *is_copied = 0;
    return MPI_SUCCESS;
}

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    int keyval;

    inits++;
    PMPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    PMPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &copies);
    return result;
}

#define COUNT(name, counter, parameters, arguments)                                             \
    int MPI_##name parameters                                                                   \
    {                                                                                           \
        counter++;                                                                              \
        return PMPI_##name arguments;                                                           \
    }
COUNT(Finalize, finalizes, (void), ())
COUNT(Comm_split, splits, (MPI_Comm comm, int color, int key, MPI_Comm *made),
      (comm, color, key, made))
COUNT(Comm_dup, dups, (MPI_Comm comm, MPI_Comm *made), (comm, made))
COUNT(Barrier, barriers, (MPI_Comm comm), (comm))
COUNT(Allreduce, reductions,
      (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (from, to, count, type, op, comm))
COUNT(Type_size_x, sizes_x, (MPI_Datatype type, MPI_Count *size), (type, size))
COUNT(Status_set_elements_x, elements, (MPI_Status *status, MPI_Datatype type, MPI_Count count),
      (status, type, count))
