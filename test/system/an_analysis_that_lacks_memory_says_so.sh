# The n-th allocation of mpiwatch-analyze fails: what it prints is what it prints without, to the
# last byte, with the same status; or it says that it lacks memory, and ends with status 3. Never
# is the archive blamed. All n with TORTURE=all; otherwise some of them, and all of the last.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
failing=$scratch/libfailing.so
$CC -shared -fPIC -O1 -o "$failing" "$TOP_SRCDIR/test/system/failing_malloc.c"
"$TOP_BUILDDIR/test/data/make_archive" waits_messages archive
unset FAIL_RANK FAIL_ON

# starved AT IN WORD...: the analyzer with these words, the AT-th allocation of IN failing.
starved() {
    local at=$1 in=$2
    shift 2
    rm -f count page.html
    status=$(status_of env LD_PRELOAD="$failing" FAIL_COUNT="$PWD/count" FAIL_AT="$at" \
        FAIL_IN="$in" XDG_CACHE_HOME=/dev/null "$analyze" "$@")
    [ ! -e page.html ] || cat page.html >>stdout
}

# held AT IN WORD...: such a run is as it should be.
held() {
    starved "$@"
    runs=$((runs + 1))
    if [ "$status" = 0 ]; then
        cmp -s stdout expected || wrong "$*: the output differs, and the status is 0"
    else
        assert_equal 3 "$status" "$*"
        grep -q '^mpiwatch-analyze: .*memory' stderr || wrong "$*: $(cat stderr)"
    fi
}

# torture IN STEP WORD...: every STEP-th allocation, and each of the last thirty.
torture() {
    local in=$1 step=$2 most at
    shift 2
    starved 0 "$in" "$@"
    assert_equal 0 "$status" "$*: $(cat stderr)"
    cp stdout expected
    most=$(cat count)
    [ "$most" -gt 100 ] || fail "$*: only $most allocations: are they seen?"
    [ "${TORTURE-}" != all ] || step=1
    runs=0
    for at in $(seq 1 "$step" $((most - 30))) $(seq $((most - 29)) "$most"); do
        held "$at" "$in" "$@"
    done
    echo "$*: $runs runs, $most allocations"
}

for words in 'report --json' report 'report --html page.html' 'calls --csv' info; do
    torture program 151 $words -j1 archive
done
torture all 301 report --json -j1 archive

# Settings and circumstances, which archives of mpiwatch have.
for mpi in $(mpis); do
    run_mpi "$mpi" 2 "$record" -q -o "$mpi.otf2.zip" "$(example ring "$mpi")" >out
    torture program 13 info "$mpi.otf2.zip"
done

# What times count from is looked for while the archive is opened.
torture program 5 messages -j1 archive
finish
