/*
 * Drives Open MPI's software performance counters (SPC), which Debian's library has but does
 * not use, with mpi_spc_attach=all. In 50 steps, a call of MPI after each:
 *
 *   SEND                      2 in each step                             100
 *   BYTES_SENT_USER           10 * step, from 1 on                     12750
 *   UNEXPECTED_IN_QUEUE       a level: 3, but in step 20 up to 17 and back before the call
 *   MAX_UNEXPECTED_IN_QUEUE   its high-water mark, which reading sets back   17
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ompi_spc_init(void);
void ompi_spc_record(unsigned event, size_t value);
void ompi_spc_update_watermark(unsigned mark, unsigned value);

/* The index of a performance variable; -1: there is none. */
static int find(const char *wanted)
{
    int count = 0;

    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        char name[256], description[512];
        int name_length = 256, description_length = 512, verbosity, class, bind, ro, cont, atomic;
        MPI_Datatype datatype;
        MPI_T_enum items;

        if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &datatype, &items,
                                description, &description_length, &bind, &ro, &cont,
                                &atomic) == MPI_SUCCESS &&
            strcmp(name, wanted) == 0) {
            return i;
        }
    }
    return -1;
}

/* Events are numbered in the order of their variables. */
static unsigned event(const char *name)
{
    char variable[128];

    snprintf(variable, sizeof variable, "runtime_spc_OMPI_SPC_%s", name);
    return (unsigned)(find(variable) - find("runtime_spc_OMPI_SPC_SEND"));
}

int main(int argc, char **argv)
{
    MPI_Comm noticed;
    int provided;

    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    ompi_spc_init();
    if (find("runtime_spc_OMPI_SPC_SEND") < 0) {
        return 77;
    }
    MPI_Comm_dup(MPI_COMM_SELF, &noticed); /* the recorder looks for new variables */
    for (unsigned step = 1; step <= 50; step++) {
        unsigned queue = event("UNEXPECTED_IN_QUEUE");
        unsigned most = event("MAX_UNEXPECTED_IN_QUEUE");

        ompi_spc_record(event("SEND"), 2);
        ompi_spc_record(event("BYTES_SENT_USER"), 10 * step);
        if (step == 1) {
            ompi_spc_record(queue, 3);
            ompi_spc_update_watermark(most, queue);
        } else if (step == 20) {
            ompi_spc_record(queue, 14);
            ompi_spc_update_watermark(most, queue);
            ompi_spc_record(queue, (size_t)-14);
        }
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Comm_free(&noticed);
    MPI_Finalize();
    return 0;
}
