# Communicators made at random by every call that makes some: those that MPI says are one
# are one in the archive, and no others, on 2, 4 and 8 ranks and from several threads. $SEED:
# another number to choose them by.
. "$TOP_SRCDIR/test/system/lib.sh"

need otf2-print

# agree MPI RANKS STEPS THREADS LEAST
agree() {
    local what="$1, $2 ranks, $4 threads"
    run_mpi "$1" "$2" "$record" --force -o random.otf2.zip \
        "$TOP_BUILDDIR/test/system/random_comms-$1" "$3" "$4" \
        "${SEED:-20261120}" >log 2>&1 ||
        fail "$what: exit $?: $(tail -3 log)"
    rm -rf random
    unzip -q random.otf2.zip -d random
    "$python" "$TOP_SRCDIR/test/system/random_comms.py" random/traces.otf2 "$5" >log 2>&1 ||
        fail "$what: $(tail -3 log)"
    echo "$what: $(cat log)"
    # With steps enough, each of the 14 calls has come.
    [ "$3" -lt 600 ] || assert_equal 14 "$(tr ' ' '\n' <log | grep -c =)" "$what: calls"
}

for mpi in $(mpis); do
    [ -x "$TOP_BUILDDIR/test/system/random_comms-$mpi" ] || continue
    if [ "$mpi" = openmpi ]; then
        agree openmpi 2 600 0 1200
        agree openmpi 4 600 0 2000
        agree openmpi 8 300 0 2000
        agree openmpi 4 60 3 500
    else
        agree mpich 2 600 0 1200
        agree mpich 3 300 0 800
        agree mpich 2 60 3 300
    fi
done
