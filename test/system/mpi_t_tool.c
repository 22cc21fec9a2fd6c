/*
 * A program that is itself a tool of MPI_T: reads all variables that it may, and says how
 * many. With an argument it initialises MPI_T before MPI. Variables of UCX and OFI, whose
 * memory is gone when Open MPI has unloaded them, it leaves alone.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_pvars(void)
{
    MPI_T_pvar_session session;
    int slots = 0;
    int done = 0;

    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_num(&slots);
    for (int i = 0; i < slots; i++) {
        char name[256], description[1024];
        int name_length = 256, description_length = 1024, verbosity, class, bind, ro, cont, atomic;
        int count = 0;
        MPI_Datatype datatype;
        MPI_T_enum items;
        MPI_T_pvar_handle handle;
        MPI_Comm world = MPI_COMM_WORLD;

        if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &datatype, &items,
                                description, &description_length, &bind, &ro, &cont,
                                &atomic) != MPI_SUCCESS ||
            (bind != MPI_T_BIND_NO_OBJECT && bind != MPI_T_BIND_MPI_COMM) ||
            MPI_T_pvar_handle_alloc(session, i, &world, &handle, &count) != MPI_SUCCESS) {
            continue;
        }
        void *room = calloc((size_t)count + 1, 16);

        done += MPI_T_pvar_read(session, handle, room) == MPI_SUCCESS;
        (void)MPI_T_pvar_reset(session, handle);
        free(room);
        MPI_T_pvar_handle_free(session, &handle);
    }
    MPI_T_pvar_session_free(&session);
    return done;
}

static int read_cvars(void)
{
    int slots = 0;
    int done = 0;

    MPI_T_cvar_get_num(&slots);
    for (int i = 0; i < slots; i++) {
        char name[256];
        int length = sizeof name, verbosity, bind, scope, none = 0;
        MPI_Datatype datatype;
        MPI_T_enum items;
        MPI_T_cvar_handle handle;
        int count = 0;

        if (MPI_T_cvar_get_info(i, name, &length, &verbosity, &datatype, &items, NULL, &none,
                                &bind, &scope) == MPI_SUCCESS &&
            !strstr(name, "_ucx_") && !strstr(name, "_ofi_") &&
            MPI_T_cvar_handle_alloc(i, NULL, &handle, &count) == MPI_SUCCESS) {
            void *room = calloc((size_t)count + 1, 16);

            done += MPI_T_cvar_read(handle, room) == MPI_SUCCESS;
            free(room);
            MPI_T_cvar_handle_free(&handle);
        }
    }
    return done;
}

int main(int argc, char **argv)
{
    int provided = -7;

    if (argc > 1) {
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    }
    MPI_Init(&argc, &argv);
    if (argc <= 1) {
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    }
    printf("provided %d pvars %d cvars %d\n", provided == MPI_THREAD_SINGLE, read_pvars() > 0,
           read_cvars() > 300);
    MPI_Finalize();
    return 0;
}
