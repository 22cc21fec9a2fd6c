/*
 * Makes objects and sets the variables of fake_objects.c that are bound to them, as the
 * argument says:
 *
 *   objects   two windows, the second in place of the first; a file; what they count:
 *             first window   1 + 2 + … + 10              55
 *             second window  1000, and 10 times 7      1070
 *             file           a level, 4 at most           4
 *   comms     1000 communicators at once, of which three have a name: "halo x", "halo y"
 *             and "rows"; the one with number i counts to i + 1
 *   phases    counts 60 calls on MPI_COMM_WORLD, with MPI_Pcontrol after 20, 40 and 60 and
 *             a communicator made and freed after 30
 *   renames   counts 5 calls on a communicator "halo x", 6 is set when it becomes "rows", 7 later
 *   waits     counts inside of calls, on five communicators that are made and freed at once 0, on
 *             others 3, 2 (one of them while recording pauses), 0 and 1
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COMM, WINDOW, FILES };
enum { COMMS = 1000 };

void fake_set(int kind, uintptr_t handle, unsigned long value);
void fake_report(void);
extern int fake_barriers_count;

static void count_on_window(unsigned long start, unsigned long step, unsigned long growth)
{
    static int memory[16];
    unsigned long value = start;
    MPI_Win window;

    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_SELF, &window);
    fake_set(WINDOW, (uintptr_t)window, start);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 10; i++) {
        value += step;
        step += growth;
        fake_set(WINDOW, (uintptr_t)window, value);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

static void use_file(void)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_SELF, "used", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (unsigned long i = 0; i < 10; i++) {
        fake_set(FILES, (uintptr_t)file, i % 5);
        MPI_File_sync(file);
    }
    MPI_File_close(&file);
}

static void make_comms(void)
{
    static MPI_Comm comms[COMMS];

    for (unsigned long i = 0; i < COMMS; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    }
    MPI_Comm_set_name(comms[1], "halo x");
    MPI_Comm_set_name(comms[500], "halo y");
    MPI_Comm_set_name(comms[999], "rows");
    for (unsigned long i = 0; i < COMMS; i++) {
        fake_set(COMM, (uintptr_t)comms[i], i + 1);
        MPI_Barrier(comms[i]);
    }
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_free(&comms[i]);
    }
}

static void rename_one(void)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "halo x");
    for (unsigned long i = 1; i <= 5; i++) {
        fake_set(COMM, (uintptr_t)comm, i);
        MPI_Barrier(comm);
    }
    fake_set(COMM, (uintptr_t)comm, 6);
    MPI_Comm_set_name(comm, "rows");
    fake_set(COMM, (uintptr_t)comm, 7);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

static void use_late(void)
{
    MPI_Comm one, other;

    fake_barriers_count = 1;
    for (int i = 0; i < 5; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &one);
        MPI_Comm_free(&one);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &one);
    MPI_Comm_dup(MPI_COMM_SELF, &other);
    MPI_Comm_free(&other);
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(one);
    }
    MPI_Comm_free(&one);

    MPI_Comm_dup(MPI_COMM_SELF, &one);
    MPI_Pcontrol(0);
    MPI_Barrier(one);
    MPI_Pcontrol(1);
    MPI_Barrier(one);
    MPI_Comm_free(&one);

    MPI_Comm_dup(MPI_COMM_SELF, &one);
    MPI_Comm_dup(MPI_COMM_SELF, &other);
    MPI_Comm_free(&one);
    MPI_Barrier(other);
    MPI_Comm_free(&other);
}

static void go_through_phases(void)
{
    for (unsigned long i = 1; i <= 60; i++) {
        fake_set(COMM, (uintptr_t)MPI_COMM_WORLD, i);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == 30) {
            MPI_Comm made;

            MPI_Comm_dup(MPI_COMM_SELF, &made);
            MPI_Comm_free(&made);
        }
        if (i % 20 == 0) {
            MPI_Pcontrol(2);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "comms") == 0) {
        make_comms();
    } else if (strcmp(argv[1], "renames") == 0) {
        rename_one();
    } else if (strcmp(argv[1], "waits") == 0) {
        use_late();
    } else if (strcmp(argv[1], "phases") == 0) {
        go_through_phases();
    } else {
        count_on_window(0, 1, 1);
        count_on_window(1000, 7, 0);
        use_file();
    }
    MPI_Finalize();
    fake_report();
    return 0;
}
