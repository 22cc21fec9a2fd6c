# One of several processes is stopped while they read: that is said, by the first one, or where it
# is that one by the other; when it goes on, all print what one prints. When it does not, all end.
# Of three, two are stopped: the third one says it of both.
. "$TOP_SRCDIR/test/system/lib.sh"
export XDG_CACHE_HOME=/dev/null
# Processes look for the library of their MPI beside the program.
cp "$TOP_BUILDDIR/test/system/any_order" .
for mpi in $(mpis); do
    [ ! -e "$(library "$mpi")" ] || ln -s "$(library "$mpi")" .
done
"$TOP_BUILDDIR/test/bench/generate" large 16 6000000 >/dev/null
cat >one.sh <<'SCRIPT'
echo $$ >"pid${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
exec "$@" 2>>said
SCRIPT

# stop MPI PROCESSES PROCESS...: while so many read, those are stopped; pid is that of the last.
stop() {
    local mpi=$1 processes=$2
    shift 2
    rm -f pid? said
    MPIWATCH_PATIENCE=3 run_mpi "$mpi" "$processes" bash one.sh ./any_order report --json -j 1 \
        large >stdout 2>stderr &
    for process; do
        until [ -s "pid$process" ] &&
            ls -l "/proc/$(cat "pid$process")/fd" 2>&1 | grep -q large/traces/; do
            sleep 0.05
        done
    done
    for process; do
        pid=$(cat "pid$process")
        kill -STOP "$pid"
    done
}

until_said() {
    for ((i = 0; i < 200; i++)); do
        ! grep -q "$1" said || return 0
        sleep 0.1
    done
    kill -CONT "$pid"
    wait
    fail "nobody says '$1': $(cat said)"
}

"$analyze" report --json -j 1 large >expected
for mpi in $(mpis); do
    [ -e "$(library "$mpi")" ] || continue
    [ "$mpi" = openmpi ] && process=1 || process=0
    stop "$mpi" 2 $process
    until_said "process $process ($pid on .*) has been stopped for 3 s, and is waited for"
    kill -CONT "$pid"
    wait $! || fail "$mpi, process $process: $(cat stderr said)"
    cmp expected stdout || fail "$mpi, process $process: something else is said"
    stop "$mpi" 2 1
    ! wait $! || fail "$mpi: who is stopped for ever is waited for: $(cat said)"
    grep -q "process 1 ($pid on .*) has been stopped for 6 s, and is given up: so are all" \
        said || fail "$mpi: $(cat said)"
    assert_lacks "$(cat stdout)" '"schema"' # Hydra says there who was killed
    stop "$mpi" 3 0 1
    ! wait $! || fail "$mpi: who are stopped for ever are waited for: $(cat said)"
    for process in 0 1; do
        grep -q "process $process ($(cat pid$process) on .*) has been stopped for . s, and is" \
            said || fail "$mpi: $(cat said)"
    done
done
