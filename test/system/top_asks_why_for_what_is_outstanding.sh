# mpiwatch-top --why reads what was recorded once: a run of 200,000 messages with changing tags
# takes no more memory to explain than a short one, and no file; on the screen the second question
# reads what came since the first. Of ranks with a thread that goes on calling MPI, and variables
# that it reads, the open call of the main thread is told while the run lasts and of the archive
# after a kill, with the same words.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/terminal.sh"
export COLUMNS=500 # a sentence is a line
test_timeout=300   # a busy machine takes long
top=$TOP_BUILDDIR/mpiwatch-top

# talk ROUNDS [threads]: so many messages each way, then both ranks wait for ever.
cat >talk.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static MPI_Comm own;
static int calls;

static void *call(void *unused)
{
    int got = 0;
    for (;;) {
        MPI_Sendrecv_replace(&got, 1, MPI_INT, 0, 5, 0, 5, own, MPI_STATUS_IGNORE);
        if (++calls == 1000) {
            fclose(fopen("called", "w"));
        }
        usleep(100);
    }
    return unused;
}

int main(int argc, char **argv)
{
    MPI_Request requests[100]; /* a busy machine changes between ranks once for all of them */
    pthread_t thread;
    int rank, got, sent = 0, received[100];

    MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &got);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    for (int i = 0; i < atoi(argv[1]); i++) {
        MPI_Irecv(&received[i % 100], 1, MPI_INT, 1 - rank, i % 20000, MPI_COMM_WORLD,
                  &requests[i % 100]);
        MPI_Send(&sent, 1, MPI_INT, 1 - rank, i % 20000, MPI_COMM_WORLD);
        if (i % 100 == 99) {
            MPI_Waitall(100, requests, MPI_STATUSES_IGNORE);
        }
    }
    if (argc > 2) {
        pthread_create(&thread, NULL, call, NULL);
    }
    fclose(fopen(rank == 0 ? "inside.0" : "inside.1", "w"));
    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 30000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
PROGRAM

# tell_ranks SIGNAL: stopped they use no core, and can be asked nevertheless.
tell_ranks() {
    "$python" - "$1" <<'PYTHON'
import json, os, signal, sys

for line in open("run.otf2.zip.run"):
    pid = json.loads(line).get("pid")
    try:
        if pid:
            os.kill(pid, getattr(signal, sys.argv[1]))
    except ProcessLookupError:
        if sys.argv[1] != "SIGKILL":  # of which mpirun ends the others, too
            raise
PYTHON
}

# begin MPI ARGUMENT...: until both ranks wait.
begin() {
    rm -rf inside.* called run.otf2.zip* "${TMPDIR:?}"/mpiwatch-*
    run_mpi "$1" 2 "$record" -q -o run.otf2.zip "./talk-$1" "${@:2}" >out 2>err &
    run=$!
    for attempt in $(seq 1500); do # machines are busy
        if [ -e inside.0 ] && [ -e inside.1 ] && { [ $# -lt 3 ] || [ -e called ]; }; then
            break
        fi
        sleep 0.1
    done
    [ -e inside.0 ] && [ -e inside.1 ] || fail "$1 ${*:2}: the ranks do not wait: $(cat err)"
    sleep 1
    tell_ranks SIGSTOP
}
end() {
    tell_ranks SIGKILL
    wait "$run" || true
}

cat >asked.py <<'PYTHON'
import resource, subprocess, sys

# An archive of all of it would be larger than any file may be.
limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
subprocess.run(sys.argv[1:], stdout=open("why", "w"), check=True, preexec_fn=limit)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON

waits='rank 0 in MPI_Recv from 1 \(tag 30000, MPI_COMM_WORLD\) at talk\.c:[0-9]+ for [0-9.]+ s <-'
ask() {
    kilobytes=$("$python" asked.py "$top" --why run.otf2.zip.run) || fail "it was not told"
    assert_matches "$(cat why)" "^$1: $waits"
}
give_up() {
    close_terminal
}

# What the mpiwatch-top in the terminal has read, in bytes.
has_read() {
    sed -n 's/^rchar: //p' "/proc/$watcher/io"
}

mpi=$(mpis | head -1)
for each in $(mpis); do
    "$(mpicc_of "$each")" -g -pthread -o "talk-$each" talk.c
done
begin "$mpi" 1000
ask deadlock
short=$kilobytes
end
begin "$mpi" 100000
ask deadlock
[ "$kilobytes" -lt $((short + 4000)) ] ||
    fail "$kilobytes KiB for many messages, $short for few"
if has_terminal "$top" run.otf2.zip.run; then
    open_terminal why 150 20 "exec '$top' run.otf2.zip.run"
    await "ranks" shown "MPI_Recv"
    watcher=$(tmux -L "$socket" list-panes -F '#{pane_pid}')
    before=$(has_read)
    key w
    await "the first answer" shown "back with Enter"
    shown "deadlock: rank 0" || fail "asked on the screen: $(cat screen)"
    first=$(($(has_read) - before))
    key Enter
    await "ranks again" shown "MPI 1 s"
    before=$(has_read)
    key w
    await "the second answer" shown "back with Enter"
    second=$(($(has_read) - before))
    shown "deadlock: rank 0" || fail "asked again: $(cat screen)"
    close_terminal
    [ $((4 * second)) -lt "$first" ] || fail "$first bytes were read at first, then $second"
fi
end

for each in $(mpis); do
    begin "$each" 1000 threads
    ask "possible deadlock"
    end
    "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run -o back.otf2.zip --force >recovered 2>&1 ||
        true
    "$analyze" hang back.otf2.zip >said 2>/dev/null || true
    assert_equal "$(sed -E '/^$/,$d; s/ for [0-9.]+ s//g' why)" "$(sed '/^$/,$d' said)" \
        "$each: what is said after the kill"
done
