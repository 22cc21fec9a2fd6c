# mpiwatch-record --hang=TIME:kill: ranks that seem to wait for each other, and do not. What is
# late comes when there is a file "said", and the run goes on to its end. In each case rank 1 waits
# for rank 0, which seems to wait for rank 1. Where nothing of the kind is the run is ended.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/hangs.sh"
gently

# ends CASE: three ranks. Rank 2, or what MPI calls in rank 0, waits for "said".
cat >ends.c <<'PROGRAM'
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>

#include "stands.h"

static int data[8];

/* Rank 0 has got rank 1's part, and waits for that of 2; rank 1 has gone on. */
static void reduce(void)
{
    int sum;

    if (rank == 2) {
        until_said();
    }
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        receive(0);
    } else if (rank == 0) {
        send(1);
    }
}

/* Of rank 1 the first operation failed, and is not counted; it was another one for the others. */
static void failed(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Bcast(data, rank == 1 ? 1 : 8, MPI_INT, 0, MPI_COMM_WORLD);
    reduce();
}

/* Rank 0 starts before what the others start behind it. */
static void started(void)
{
#if MPI_VERSION >= 4
    MPI_Request request;

    MPI_Bcast_init(data, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0) {
        MPI_Start(&request);
    }
    reduce();
    if (rank != 0) {
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
#endif
}

/* In its call, which has failed, rank 0 tells rank 1. */
static void handle(MPI_Comm *comm, int *error, ...)
{
    until_said();
    send(1);
}

static void handler(void)
{
    MPI_Errhandler made;

    MPI_Comm_create_errhandler(handle, &made);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, made);
    if (rank == 0) {
        MPI_Recv(data, -1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        receive(0);
    }
    MPI_Errhandler_free(&made);
}

/* Before rank 1 makes the communicator it waits for what copying the attribute does. */
static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    if (rank == 0) {
        until_said();
        send(1);
    }
    *flag = 0;
    return MPI_SUCCESS;
}

static void attribute(void)
{
    MPI_Comm twin;
    int keyval;

    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
    if (rank == 1) {
        receive(0);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_free(&twin);
}

/* Rank 0 is in MPI_Finalize, where an attribute of MPI_COMM_SELF is deleted before all else. */
static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    if (rank == 0) {
        until_said();
        send(1);
    }
    return MPI_SUCCESS;
}

static void finalize(void)
{
    int keyval;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    if (rank == 1) {
        receive(0);
    }
}

/* Rank 0 needs the other group alone, that is rank 2. */
static void groups(void)
{
    MPI_Comm mine, both;

    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &mine);
    MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 9, &both);
    if (rank == 1) {
        receive(0);
    } else if (rank == 2) {
        until_said();
    }
    MPI_Alltoall(data, 1, MPI_INT, data + 4, 1, MPI_INT, both);
    if (rank == 0) {
        send(1);
    }
}

/* Rank 0 receives from the program that it has spawned, which nobody here knows. */
static void spawned(void)
{
    MPI_Comm child;

    MPI_Comm_get_parent(&child);
    if (child != MPI_COMM_NULL) {
        until_said();
        MPI_Send(data, 1, MPI_INT, 0, 1, child);
        MPI_Comm_disconnect(&child);
        return;
    }
    MPI_Comm_spawn("./ends", (char *[]){"spawned", NULL}, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &child, MPI_ERRCODES_IGNORE);
    if (rank == 1) {
        receive(0);
    } else if (rank == 0) {
        MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, child, MPI_STATUS_IGNORE);
        send(1);
    }
    MPI_Comm_disconnect(&child);
}

/* Rank 1 does the same as rank 0, but gives hints, or counts by another type: both wait for 2. */
static void hinted(void)
{
    MPI_Comm twin;

    if (rank == 2) {
        until_said();
    }
    if (rank == 1) {
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &twin);
    } else {
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    }
    MPI_Comm_free(&twin);
}

static void counted(void)
{
#if MPI_VERSION >= 4
    if (rank == 2) {
        until_said();
    }
    if (rank == 1) {
        MPI_Bcast_c(data, 8, MPI_INT, 2, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(data, 8, MPI_INT, 2, MPI_COMM_WORLD);
    }
#endif
}

/* Rank 0 needs no part of rank 1's: it gets nothing of it, or nothing at all. */
static void gathered(void)
{
    static const int counts[] = {1, 0, 1}, places[] = {0, 1, 2};

    if (rank == 1) {
        receive(0);
    } else if (rank == 2) {
        until_said();
    }
    MPI_Gatherv(&rank, counts[rank], MPI_INT, data, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        send(1);
    }
}

/* Of three ranks MPICH's first gives what it has to the second, which is late, and is through. */
static void scattered(void)
{
    static const int counts[] = {0, 0, 1 << 16};
    static int all[1 << 16], mine[1 << 16];

    if (rank == 2) {
        receive(0);
    } else if (rank == 1) {
        until_said();
    }
    MPI_Reduce_scatter(all, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        send(2);
    }
}

/* What rank 1 sends has been received; it is in a handler of a signal, and does not see that. */
static void handle_signal(int signal)
{
    (void)!creat("handling", 0600);
    until_said();
}

static void interrupted(void)
{
    if (rank == 1) {
        signal(SIGALRM, handle_signal);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 200000}}, NULL);
        MPI_Ssend(data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        send(0);
    } else if (rank == 0) {
        while (access("handling", F_OK) != 0) {
            usleep(20000);
        }
        MPI_Recv(data, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        receive(1);
    }
}

/* Rank 0 waits for rank 1 and for a request that MPICH lets the program complete in that wait. */
static MPI_Request own;

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    return MPI_SUCCESS;
}

static int cancel(void *state, int is_complete)
{
    return MPI_SUCCESS;
}

#ifdef MPICH
static int poll_own(void *state, MPI_Status *status)
{
    static int is_over;

    if (!is_over && access("said", F_OK) == 0) {
        is_over = 1;
        send(1);
        MPI_Grequest_complete(own);
    }
    return MPI_SUCCESS;
}

static int await_own(int count, void **states, double timeout, MPI_Status *status)
{
    until_said();
    return poll_own(NULL, status);
}
#endif

static void polled(void)
{
#ifdef MPICH
    MPI_Request requests[2];
    MPI_Status statuses[2];

    if (rank == 0) {
        MPIX_Grequest_start(query, release, cancel, poll_own, await_own, NULL, &own);
        requests[0] = own;
        MPI_Irecv(data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    } else if (rank == 1) {
        receive(0);
        send(0);
    }
#endif
}

/* MPI_Win_free deletes an attribute of the window first, by what does there what the others do. */
static int fence(MPI_Win window, int keyval, void *value, void *extra)
{
    until_said();
    return MPI_Win_fence(0, window);
}

static void window(void)
{
    MPI_Win made;
    int keyval;

    MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, fence, &keyval, NULL);
    if (rank == 0) {
        MPI_Win_set_attr(made, keyval, NULL);
    } else {
        MPI_Win_fence(0, made);
    }
    MPI_Win_free(&made);
    MPI_Win_free_keyval(&keyval);
}

/* A deadlock: rank 0 has keyvals, which are of no matter where no communicator is made; it needs
 * rank 1 for an operation that both count alike, and of all of this job. */
static void dead(void)
{
    int keyval, all[8];

    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Bcast(data, 8, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        receive(MPI_ANY_SOURCE);
    }
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
}

/* The same of who makes a communicator and whose keyvals copy nothing. */
static void dead_twin(void)
{
    MPI_Comm twin;
    int keyval;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    if (rank == 1) {
        receive(0);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
}

/* The same of functions of a request that is over, where the wait is none for requests. */
static void dead_request(void)
{
    MPI_Request request;

    MPI_Grequest_start(query, release, cancel, NULL, &own);
    request = own;
    MPI_Grequest_complete(own);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    receive((rank + 1) % 3);
}

/* The root needs what rank 1 has. */
static void dead_gather(void)
{
    int all[8];

    if (rank == 1) {
        receive(0);
    }
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* Of two messages the first has been received. */
static void dead_send(void)
{
    if (rank == 0) {
        receive(1);
        MPI_Ssend(data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        send(0);
        MPI_Ssend(data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"failed", failed}, {"started", started}, {"handler", handler},
                 {"attribute", attribute}, {"finalize", finalize}, {"groups", groups},
                 {"spawned", spawned},
                 {"hinted", hinted}, {"counted", counted},
                 {"gathered", gathered}, {"scattered", scattered},
                 {"interrupted", interrupted}, {"polled", polled}, {"window", window},
                 {"dead", dead}, {"dead_twin", dead_twin},
                 {"dead_request", dead_request}, {"dead_gather", dead_gather},
                 {"dead_send", dead_send}};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
        }
    }
    if (rank == 0 && strcmp(argv[1], "spawned") != 0) {
        puts("through");
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# The functions "attribute" and "handler" in Fortran, which Open MPI does not come to by C.
cat >fortran.f90 <<'PROGRAM'
subroutine until_said_and_send()
    use mpi
    integer :: error, data = 1
    logical :: is_said = .false.

    do while (.not. is_said)
        inquire(file='said', exist=is_said)
        call sleep(1)
    end do
    call MPI_Send(data, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, error)
end subroutine

subroutine copy(comm, keyval, extra, value, made, flag, error)
    use mpi
    integer :: comm, keyval, error, rank
    integer(MPI_ADDRESS_KIND) :: extra, value, made
    logical :: flag

    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (rank == 0) call until_said_and_send()
    flag = .false.
    error = MPI_SUCCESS
end subroutine

subroutine handle(comm, code)
    integer :: comm, code

    call until_said_and_send()
end subroutine

program fortran
    use mpi
    external :: copy, handle
    integer :: error, keyval, rank, twin, handler, data
    integer(MPI_ADDRESS_KIND) :: value = 0
    character(16) :: what

    call MPI_Init(error)
    call get_command_argument(1, what)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (what == 'attribute') then
        call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, keyval, value, error)
        call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, error)
    else
        call MPI_Comm_create_errhandler(handle, handler, error)
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, error)
        if (rank == 0) call MPI_Recv(data, -1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, &
                                     MPI_STATUS_IGNORE, error)
    end if
    if (rank == 1) call MPI_Recv(data, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, &
                                 MPI_STATUS_IGNORE, error)
    if (what == 'attribute') call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
    if (rank == 0) print '(a)', 'through'
    call MPI_Finalize(error)
end program
PROGRAM

# hang MPI CASE [PROGRAM]: its status; what is said is in stderr.
hang() {
    rm -rf said handling outputs.*
    status_of run_mpi "$1" 3 "$TOP_BUILDDIR/mpiwatch-record" --hang=1s:kill -o "$1-$2.otf2.zip" \
        "./${3-ends}" "$2"
}

# goes_on MPI CASE [PROGRAM]: it is said not to be proved, and runs to its end.
goes_on() {
    local mpi=$1 case=$2

    (await "word of the hang" is_told && touch said) &
    status=$(hang "$@")
    touch said
    wait
    assert_equal 0 "$status" "$mpi, $case: status of a run that goes on: $(cat stderr)"
    [ $case = spawned ] || assert_equal through "$(cat stdout)" "$mpi, $case: what it prints"
    assert_lacks "$(cat stderr)" ": deadlock: "
    assert_contains "$(cat stderr)" "not killed: this is no deadlock that is proved"
}

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o ends ends.c
    cases="handler attribute finalize groups hinted gathered interrupted"
    case $mpi in
        # Whoever fails in a broadcast of Open MPI does not get on, and 4.1 starts nothing.
        mpich) cases="$cases failed started counted scattered polled window" ;;
        openmpi) cases="$cases spawned" ;; # MPICH's launcher is not there for it under ucx
    esac
    for case in $cases; do
        goes_on "$mpi" $case
    done
    if command -v "mpifort.$mpi" >/dev/null &&
        "mpifort.$mpi" -w -fallow-argument-mismatch -o fortran fortran.f90; then
        goes_on "$mpi" attribute fortran
        goes_on "$mpi" handler fortran
    fi
    for case in dead dead_twin dead_request dead_gather dead_send; do
        status=$(hang "$mpi" $case)
        assert_contains "$(cat stderr)" ": deadlock: rank 0 in MPI_"
        assert_contains "$(cat stderr)" "the deadlock is proved"
    done
done
