# Functions of the tests of mpiwatch-top on three hosts, which ranks 0, 1 and 2 of a job live on:
# each has a name of its own and sees its own spools only. A test sources lib.sh, recordings.sh,
# then this file.
need unshare hostname mount
unshare --uts --mount sh -c "hostname apart && mount --bind '$spools' '$TMPDIR'" 2>/dev/null ||
    skip "unshare --uts --mount is not permitted"
top=$TOP_BUILDDIR/mpiwatch-top
test_timeout=120

cat >place <<'SCRIPT'
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}
exec unshare --uts --mount sh -c '
    [ "$0" = 0 ] || hostname "node$0"
    mount --bind "spools$0" "$MPIWATCH_SPOOL" && exec "$@"' "$rank" "$@"
SCRIPT

# 300 messages of 8 bytes go round, then the ranks but 0, which computes until there is a file
# "go", wait for it: those spin, and leave the cores to whoever wants them.
cat >held.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    double sent = 1, got = 0;
    int rank, size;
    MPI_Comm all;
    FILE *here;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_set_name(all, "all three");
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    for (int i = 0; i < 300; i++) {
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, all, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        here = fopen("here", "w");
        if (here) {
            fclose(here);
        }
        while (access("go", F_OK) != 0) {
            usleep(10000);
        }
        for (int i = 1; i < size; i++) {
            MPI_Send(&sent, 1, MPI_DOUBLE, i, 9, all);
        }
    } else {
        setpriority(PRIO_PROCESS, 0, 19);
        MPI_Recv(&got, 1, MPI_DOUBLE, 0, 9, all, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# What await says when it gives up, having let the program go.
give_up() {
    touch go
    cat err
}

count() {
    ls "$1" | wc -l
}

# start_run MPI: records the program on three hosts, as $run, until its messages have gone round.
start_run() {
    rm -rf run.zip* go here lines spools[012]
    mkdir spools0 spools1 spools2
    [ -x "held-$1" ] || "$(mpicc_of "$1")" -g -o "held-$1" held.c
    run_mpi "$1" 3 sh place "$record" -q -o run.zip "./held-$1" >out 2>err &
    run=$!
    await "$1: the program" test -e here
}

# kill_run MPI: ends its ranks by SIGKILL.
kill_run() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$process/exe" -ef "held-$1" ]; then
            kill -KILL "${process#/proc/}" 2>/dev/null || true
        fi
    done
    wait "$run" || true
}

# run_hosts MPI OPTION...: mpiwatch-top, one process on each host, or on the first $hosts.
run_hosts() {
    local mpi=$1 launcher=$MPIRUN_OPENMPI
    shift
    [ "$mpi" = openmpi ] || launcher=$MPIRUN_MPICH
    timeout -k 10 "$test_timeout" "$launcher" ${mpirun_options-} -n "${hosts-3}" \
        sh place "$top" "$@" </dev/null
}

# on_host NAME PROGRAM: the numbers of its processes there, of this test.
on_host() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/cwd")" = "$PWD" ] &&
            grep -q "^$2" "$process/comm" 2>/dev/null &&
            [ "$(nsenter --uts="$process/ns/uts" hostname 2>/dev/null)" = "$1" ]; then
            echo "${process#/proc/}"
        fi
    done
}
