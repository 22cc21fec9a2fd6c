/*
 * Performance variables that a program starts, stops and resets in two sessions of its own, beside
 * the recorder's. They are those of a queue (pvar_queue.c, to be preloaded: no MPI has them); one
 * process. What happens, with an MPI_Barrier after each step, and what both sessions read
 * of what arrived and of the highest mark ("-": not started yet):
 *
 *   step                                 level  one      two
 *   5 arrive                              5      -        -
 *   session one starts both, 3 arrive     8      3,  8    -
 *   6 leave                               2      3,  8    -
 *   session two starts both, 4 arrive     6      7,  8    4,  6
 *   session one stops both, 10 arrive    16      7,  8   14, 16
 *   16 leave                              0      7,  8   14, 16
 *   session one starts both, 1 arrives    1      8,  8   15, 16
 *   session two resets the sum,
 *   2 arrive                              3     10,  8    2, 16
 *
 * It prints the last line's: "one 10 8, two 2 16". The archive has, whatever the program did in its
 * sessions: queue_level, which runs all the time, 16 at most, 3 at last. queue_arrived and
 * queue_highest are not observed, as nobody started them in the recorder's session; with
 * --pvar-start 5 + 3 + 4 + 10 + 1 + 2 = 25 arrived, without a reset, and the mark is 16.
 */
#include <mpi.h>
#include <stdio.h>

/* Of pvar_queue.c; null without it. */
void queue_change(int number) __attribute__((weak));

struct own {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle arrived;
    MPI_T_pvar_handle highest;
};

static void begin(struct own *own)
{
    int index, count;

    MPI_T_pvar_session_create(&own->session);
    MPI_T_pvar_get_index("queue_arrived", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(own->session, index, NULL, &own->arrived, &count);
    MPI_T_pvar_get_index("queue_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index);
    MPI_T_pvar_handle_alloc(own->session, index, NULL, &own->highest, &count);
}

static void start(const struct own *own)
{
    MPI_T_pvar_start(own->session, own->arrived);
    MPI_T_pvar_start(own->session, own->highest);
}

static void stop(const struct own *own)
{
    MPI_T_pvar_stop(own->session, own->arrived);
    MPI_T_pvar_stop(own->session, own->highest);
}

static unsigned long long value(const struct own *own, MPI_T_pvar_handle handle)
{
    unsigned long long read = 0;

    MPI_T_pvar_read(own->session, handle, &read);
    return read;
}

static void end(struct own *own)
{
    MPI_T_pvar_handle_free(own->session, &own->arrived);
    MPI_T_pvar_handle_free(own->session, &own->highest);
    MPI_T_pvar_session_free(&own->session);
}

static void change(int number)
{
    queue_change(number);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run(struct own *one, struct own *two)
{
    change(5);
    start(one);
    change(3);
    change(-6);
    start(two);
    change(4);
    stop(one);
    change(10);
    change(-16);
    start(one);
    change(1);
    MPI_T_pvar_reset(two->session, two->arrived);
    change(2);
}

int main(int argc, char **argv)
{
    struct own one, two;
    int provided;

    MPI_Init(&argc, &argv);
    if (!queue_change) {
        printf("no queue: preload pvar_queue\n");
    } else {
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
        begin(&one);
        begin(&two);
        run(&one, &two);
        printf("one %llu %llu, two %llu %llu\n", value(&one, one.arrived),
               value(&one, one.highest), value(&two, two.arrived), value(&two, two.highest));
        end(&one);
        end(&two);
    }
    MPI_Finalize();
    return 0;
}
