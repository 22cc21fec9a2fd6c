# One of several processes is stopped while they read: that is said, by the first one, or where it
# is that one by the other; when it goes on, all print what one prints. When it does not, all end.
. "$TOP_SRCDIR/test/system/lib.sh"
export XDG_CACHE_HOME=/dev/null
# Processes look for the library of their MPI beside the program.
cp "$TOP_BUILDDIR/test/system/any_order" .
for mpi in $(mpis); do
    [ ! -e "$(library "$mpi")" ] || ln -s "$(library "$mpi")" .
done
"$TOP_BUILDDIR/test/bench/generate" large 16 11000000 >/dev/null
cat >one.sh <<'SCRIPT'
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != "$1" ] || echo $$ >pid
shift
exec "$@" 2>>said
SCRIPT

# stop MPI PROCESS: while two read, one is stopped.
stop() {
    rm -f pid said
    MPIWATCH_PATIENCE=3 run_mpi "$1" 2 bash one.sh "$2" ./any_order report --json -j 1 large \
        >stdout 2>stderr &
    until [ -s pid ] && grep -q any_order "/proc/$(cat pid)/cmdline"; do
        sleep 0.05
    done
    sleep 0.7
    kill -STOP "$(cat pid)"
}

until_said() {
    for ((i = 0; i < 200; i++)); do
        ! grep -q "$1" said || return 0
        sleep 0.1
    done
    kill -CONT "$(cat pid)"
    wait
    fail "nobody says '$1': $(cat said)"
}

"$analyze" report --json -j 1 large >expected
for mpi in $(mpis); do
    [ -e "$(library "$mpi")" ] || continue
    [ "$mpi" = openmpi ] && process=1 || process=0
    stop "$mpi" $process
    until_said "process $process ($(cat pid) on .*) has been stopped for 3 s, and is waited for"
    kill -CONT "$(cat pid)"
    wait $! || fail "$mpi, process $process: $(cat stderr said)"
    cmp expected stdout || fail "$mpi, process $process: something else is said"
    stop "$mpi" 1
    ! wait $! || fail "$mpi: who is stopped for ever is waited for: $(cat said)"
    grep -q "process 1 ($(cat pid) on .*) has been stopped for 6 s, and is given up: so are all" \
        said || fail "$mpi: $(cat said)"
    [ ! -s stdout ] || fail "$mpi: something is said all the same"
done
