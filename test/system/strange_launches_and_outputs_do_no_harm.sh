# Jobs of several programs, programs started by time and the like, children of ranks, and outputs
# that are directories or have remains of an earlier run beside them: the program's result is its
# own, and what is done instead is said.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
test_timeout=60

# rings WORD...: mpirun's words; the ring's output, of 2 ranks if $visits says nothing else.
rings() {
    status=0
    timeout -k 10 "$test_timeout" "$mpirun" "$@" </dev/null >out 2>err || status=$?
    assert_equal 0 "$status" "$mpi: $*: status: $(cat err)"
    assert_equal "visits = ${visits-20}" "$(cat out)" "$mpi: $*: the program's output"
}

# calls_in ARCHIVE: how often MPI_Send was called in it.
calls_in() {
    "$analyze" calls --json "$1" >calls.json 2>calls.err || wrong "$1: $(cat calls.err)"
    json calls.json 'sum(c["count"] for c in d["calls"] if c["name"] == "MPI_Send")'
}

several_programs() {
    if ! timeout -k 10 "$test_timeout" "$mpirun" -n 1 "$ring" : -n 1 "$ring" </dev/null >out 2>err
    then # Open MPI 5.0.7's dies of it
        echo "skipped: several programs, which this mpirun of $mpi can't start itself"
        return
    fi
    local why="the job has several application contexts"
    [ "$mpi" = openmpi ] || why="other ranks of the job run without mpiwatch-record"
    rings -n 1 "$record" -o some.otf2.zip "$ring" : -n 1 "$ring"
    assert_contains "$(cat err)" "mpiwatch: not recording: $why"
    visits=30 rings -n 1 "$ring" : -n 2 "$record" -o some.otf2.zip "$ring"
    assert_equal 1 "$(grep -c "mpiwatch: not recording: $why" err)" "$mpi: said once"
    [ ! -e some.otf2.zip ] || wrong "$mpi: an archive of a job that is not recorded"
    rings -n 1 "$record" -o any.otf2.zip "$ring" : -n 1 "$record" -o any.otf2.zip "$ring"
    if [ "$mpi" = openmpi ]; then
        assert_contains "$(cat err)" "--mpmd"
    else # whose ranks see that all are recorded
        assert_equal 20 "$(calls_in any.otf2.zip)" "a job of two recorded programs: calls"
        status=0
        timeout -k 10 "$test_timeout" "$mpirun" -n 1 "$(example sessions mpich)" : \
            -n 1 "$record" -o some.otf2.zip "$(example sessions mpich)" </dev/null >out 2>err ||
            status=$?
        assert_equal 0 "$status" "sessions: $(cat err)"
        assert_contains "$(cat err)" "mpiwatch: not recording: $why"
    fi
    rings -n 1 "$record" --mpmd -o all.otf2.zip "$ring" : \
        -n 1 "$record" --mpmd -o all.otf2.zip "$ring"
    assert_equal 20 "$(calls_in all.otf2.zip)" "a job of several programs: calls"
}

starters() {
    local starter
    for starter in "env A=b" "nice -n 1" "timeout 50" time "numactl --all" "setarch -R"; do
        command -v "${starter%% *}" >/dev/null || continue
        # shellcheck disable=SC2086
        $starter true >/dev/null 2>&1 || continue
        rm -f started.otf2.zip
        # shellcheck disable=SC2086
        rings -n 2 "$record" -o started.otf2.zip $starter "$ring"
        assert_equal 20 "$(calls_in started.otf2.zip)" "$starter: calls"
    done
}

cat >children.sh <<'SCRIPT'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true; done
times
SCRIPT

# cpu_ms: of all that children.sh starts, the least of five times.
cpu_ms() {
    for _ in 1 2 3 4 5; do
        env "$@" sh "$scratch/children.sh" | tail -1
    done | sed 's/[ms]/ /g' | awk '{ print int(60e3 * ($1 + $3) + 1e3 * ($2 + $4)) }' |
        sort -n | head -1
}

# CPU time of children of ranks, which a busy machine makes little longer.
children() {
    local plain recorded
    plain=$(cpu_ms A=b)
    recorded=$(cpu_ms LD_PRELOAD="$(library "$mpi")" MPIWATCH_OUTPUT="$PWD/child.otf2.zip")
    echo "20 children: $plain ms, with the library preloaded $recorded ms"
    [ $((recorded - plain)) -lt $((20 * 60)) ] ||
        wrong "$mpi: a child costs $(((recorded - plain) / 20)) ms"
    [ ! -e child.otf2.zip ] || wrong "children write an archive"
    [ -z "$(ls -A "$spools")" ] || wrong "children leave spools"
}

taken_outputs() {
    mkdir taken.otf2.zip
    rings -n 2 "$record" -o taken.otf2.zip "$ring"
    assert_equal 20 "$(calls_in taken-1.otf2.zip)" "a directory of the output's name"
    assert_contains "$(cat err)" "taken-1.otf2.zip"
    rings -n 2 "$record" --force -o taken.otf2.zip "$ring"
    assert_contains "$(cat err)" "no archive was written"
    assert_contains "$(cat err)" "next: mpiwatch-recover"
    [ -d taken.otf2.zip ] && [ -z "$(ls -A taken.otf2.zip)" ] || wrong "a directory was touched"
    assert_equal 2 "$(find "$spools" -mindepth 1 -maxdepth 1 | wc -l)" "spools of the forced output"
    assert_equal 0 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" taken.otf2.zip.run \
        -o late.otf2.zip --remove)" "recovered: $(cat stderr)"
    assert_equal 20 "$(calls_in late.otf2.zip)" "recovered: calls"

    echo "an earlier run's" >stale.otf2.zip.partial
    rings -n 2 "$record" -o stale.otf2.zip "$ring"
    assert_equal 20 "$(calls_in stale.otf2.zip)" "beside a stale .partial: calls"
    assert_equal "an earlier run's" "$(cat stale.otf2.zip.partial)" "a stale .partial"
}

# Read-only from the start: refused before the job.
read_only_outputs() {
    if can_mount && [ "$(id -u)" = 0 ]; then
        mkdir readonly
        status=0
        unshare --mount sh -c "mount -t tmpfs -o ro none readonly &&
            '$record' -o readonly/x.otf2.zip '$ring'" >out 2>err || status=$?
        assert_equal 125 "$status" "a read-only output"
        assert_contains "$(cat err)" "can't be written to"
    fi
}

# What rank 0 alone refuses ends the job, though the others are in MPI_Init by then.
refused_outputs() {
    status=0
    timeout -k 10 "$test_timeout" "$mpirun" -n 3 "$record" -o nowhere/x.otf2.zip "$ring" \
        </dev/null >out 2>err || status=$?
    assert_equal 125 "$status" "$mpi: an output that cannot be written to: $(cat err)"
    assert_contains "$(cat err)" "can't be written to"
}

# Outputs with blanks and quotes in their names.
quoted_outputs() {
    local next
    mkdir "it's a place"
    rings -n 2 "$record" -o "it's a place/my run.otf2.zip" "$ring"
    next=$(sed -n 's/^mpiwatch: .*; next: mpiwatch-analyze //p' err)
    eval "set -- $next"
    assert_equal "1 $PWD/it's a place/my run.otf2.zip" "$# $1" "what the last line has to paste"
    assert_equal 20 "$(calls_in "$1")" "an archive in a place with a quote: calls"
}

for mpi in $(built_mpis); do
    mpirun=$MPIRUN_OPENMPI
    [ "$mpi" = openmpi ] || mpirun=$MPIRUN_MPICH
    ring=$(example ring "$mpi")
    mkdir "$mpi"
    cd "$mpi"
    several_programs
    starters
    children
    taken_outputs
    read_only_outputs
    refused_outputs
    quoted_outputs
    cd ..
done
finish
