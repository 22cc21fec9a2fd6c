/*
 * A program that reads the MPI's own variables itself, after each of its steps, and says of each
 * "truth RANK NAME CLASS RUNS FIRST LAST GREATEST": sums over the elements, CLASS as a letter,
 * RUNS 0 if it had to start it. Two ranks.
 * Under an MPICH of --with-device=ch3 --enable-mpit-pvars=all, in each of ROUNDS rounds
 *
 *   rank 1 sends LATE messages of BYTES bytes, and one that rank 0 receives before them: LATE are
 *   unexpected then, LATE * BYTES bytes; rank 0 receives them one by one;
 *   rank 0 posts POSTED receives, and cancels them.
 *
 * An Open MPI of --enable-spc has as many unexpected ones.
 * Then both make a window, which makes variables appear, put into it and free it.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 5
#define LATE   20
#define POSTED 7
#define BYTES  100
#define MOST   256
#define ELEMENTS 64

struct variable {
    char name[256];
    int class;
    MPI_Datatype type;
    MPI_T_pvar_handle handle;
    int count;
    int runs;
    double first, last, greatest;
};

static MPI_T_pvar_session session;
static struct variable variables[MOST];
static int count, looked_at;

static double element(const struct variable *variable, const char *raw, int i)
{
    unsigned long long wide;
    unsigned narrow;
    double real;

    if (variable->type == MPI_DOUBLE) {
        memcpy(&real, raw + i * sizeof real, sizeof real);
        return real;
    }
    if (variable->type == MPI_UNSIGNED) {
        memcpy(&narrow, raw + i * sizeof narrow, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, raw + i * sizeof wide, sizeof wide);
    return (double)wide;
}

static double value_of(struct variable *variable)
{
    char raw[ELEMENTS * sizeof(double)] = {0};
    double sum = 0;

    MPI_T_pvar_read(session, variable->handle, raw);
    for (int i = 0; i < variable->count; i++) {
        sum += element(variable, raw, i);
    }
    return sum;
}

/* Those that have appeared. */
static void find(void)
{
    int there;

    MPI_T_pvar_get_num(&there);
    for (; looked_at < there && count < MOST; looked_at++) {
        struct variable *variable = &variables[count];
        int length = sizeof variable->name, none = 0, verbosity, bind, flag;
        MPI_T_enum items;

        if (MPI_T_pvar_get_info(looked_at, variable->name, &length, &verbosity,
                                &variable->class, &variable->type, &items, NULL, &none, &bind,
                                &flag, &variable->runs, &flag) == MPI_SUCCESS &&
            bind == MPI_T_BIND_NO_OBJECT &&
            MPI_T_pvar_handle_alloc(session, looked_at, NULL, &variable->handle,
                                    &variable->count) == MPI_SUCCESS &&
            variable->count <= ELEMENTS &&
            (variable->runs || MPI_T_pvar_start(session, variable->handle) == MPI_SUCCESS)) {
            variable->first = variable->last = variable->greatest = value_of(variable);
            count++;
        }
    }
}

static void look(void)
{
    for (int i = 0; i < count; i++) {
        variables[i].last = value_of(&variables[i]);
        if (variables[i].last > variables[i].greatest) {
            variables[i].greatest = variables[i].last;
        }
    }
}

#define STEP(call) (call, look())

static void send_round(void)
{
    char bytes[BYTES] = {0};

    for (int i = 0; i < LATE; i++) {
        STEP(MPI_Send(bytes, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD));
    }
    STEP(MPI_Send(bytes, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD));
    STEP(MPI_Recv(bytes, 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void receive_round(void)
{
    char bytes[BYTES] = {0};
    MPI_Request requests[POSTED];

    STEP(MPI_Recv(bytes, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < LATE; i++) {
        STEP(MPI_Recv(bytes, BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < POSTED; i++) {
        STEP(MPI_Irecv(bytes, BYTES, MPI_CHAR, 1, 99, MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = 0; i < POSTED; i++) {
        STEP(MPI_Cancel(&requests[i]));
        STEP(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    }
    STEP(MPI_Send(bytes, 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD));
}

static void use_window(int rank)
{
    MPI_Win window;
    int *memory;

    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &window);
    find();
    look();
    for (int i = 0; i < ROUNDS; i++) {
        STEP(MPI_Win_fence(0, window));
        STEP(MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window));
        STEP(MPI_Win_fence(0, window));
    }
    STEP(MPI_Win_free(&window));
}

static char letter_of(int class)
{
    return class == MPI_T_PVAR_CLASS_TIMER     ? 'T'
           : class == MPI_T_PVAR_CLASS_COUNTER ? 'C'
           : class == MPI_T_PVAR_CLASS_LEVEL   ? 'L'
                                               : '?';
}

int main(int argc, char **argv)
{
    int rank, provided;

    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    find();
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0) {
            receive_round();
        } else {
            send_round();
        }
    }
    use_window(rank);
    for (int i = 0; i < count; i++) {
        const struct variable *variable = &variables[i];

        printf("truth %d %s %c %d %.17g %.17g %.17g\n", rank, variable->name,
               letter_of(variable->class), variable->runs != 0, variable->first,
               variable->last, variable->greatest);
    }
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
