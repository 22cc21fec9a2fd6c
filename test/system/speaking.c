/*
 * Says everything wrong that there is to say to the recorder, and prints on rank 0 what it
 * was told: "NAME VALUE", a line each.
 */
#include <mpi.h>
#include <mpiwatch.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int rank = -1;

static void told(const char *name, int value)
{
    if (rank == 0) {
        printf("%s %d\n", name, value);
    }
}

static void *in_a_thread(void *unused)
{
    for (int i = 0; i < 100; i++) {
        mpiwatch_region_begin("thread");
        mpiwatch_counter_add("sum", 1);
        mpiwatch_region_end("thread");
    }
    mpiwatch_region_begin("never ended in the thread");
    return NULL;
}

static void threads(void)
{
    pthread_t all[4];

    for (int i = 0; i < 4; i++) {
        pthread_create(&all[i], NULL, in_a_thread, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(all[i], NULL);
    }
}

static int delete_function(MPI_Comm comm, int key, void *value, void *state)
{
    told("inside.marker", mpiwatch_marker("inside"));
    told("inside.region", mpiwatch_region_begin("inside"));
    told("inside.register", mpiwatch_comm_register(comm, "at its end"));
    return MPI_SUCCESS;
}

static void in_a_callback(void)
{
    MPI_Comm comm;
    int key;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_function, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, NULL);
    MPI_Comm_delete_attr(comm, key);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
}

static void regions(void)
{
    told("end.unknown", mpiwatch_region_end("unknown"));
    mpiwatch_region_begin("a");
    mpiwatch_region_begin("b");
    mpiwatch_region_begin("c");
    told("end.outer", mpiwatch_region_end("a"));
    told("end.again", mpiwatch_region_end("b"));
    mpiwatch_region_begin("before the pause");
    told("pause", mpiwatch_pause());
    told("pause.recording", mpiwatch_is_recording());
    told("pause.begin", mpiwatch_region_begin("in the pause"));
    told("pause.marker", mpiwatch_marker("in the pause"));
    told("pause.end", mpiwatch_region_end("in the pause"));
    told("pause.end.before", mpiwatch_region_end("before the pause"));
    MPI_Barrier(MPI_COMM_WORLD);
    told("resume", mpiwatch_resume());
    told("resume.recording", mpiwatch_is_recording());
    mpiwatch_pause();
    MPI_Pcontrol(1);
    told("pcontrol.recording", mpiwatch_is_recording());
    mpiwatch_region_begin("never ended");
}

static void arguments(void)
{
    static char name[1002];
    MPI_Comm comm = MPI_COMM_NULL;

    memset(name, 'n', sizeof name - 1);
    told("name.null", mpiwatch_region_begin(NULL));
    told("name.long", mpiwatch_marker(name));
    name[1000] = '\0';
    told("name.longest", mpiwatch_marker(name));
    told("comm.null", mpiwatch_comm_register(comm, "null"));
    told("comm.name.null", mpiwatch_comm_register(MPI_COMM_SELF, NULL));
    told("comm.unregister", mpiwatch_comm_unregister(MPI_COMM_SELF));
    told("comm.world", mpiwatch_comm_is_registered(MPI_COMM_WORLD));
    told("comm.self", mpiwatch_comm_is_registered(MPI_COMM_SELF));
    told("comm.bytes", mpiwatch_comm_register_handle(&comm, 3, "three bytes"));
    mpiwatch_counter_add("balance", 5);
    mpiwatch_counter_add("balance", -2);
    mpiwatch_counter_add("balance", 4);
    told("counter.sort", mpiwatch_counter_set("level", 1) + mpiwatch_counter_add("level", 1));
}

int main(int argc, char **argv)
{
    int before = mpiwatch_region_begin("before MPI_Init");

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    told("before", before);
    told("recording", mpiwatch_is_recording());
    arguments();
    regions();
    threads();
    in_a_callback();
    MPI_Finalize();
    told("after", mpiwatch_marker("after MPI_Finalize"));
    return 0;
}
