# Programs that close descriptors which they did not open, put their files over them, replace
# stderr, remove the spools, give up the right to them or lower the limit on files after MPI_Init:
# their files hold what they wrote, they end as without the recorder, and calls in the archive and
# calls lost add up.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

# Of each rank: the calls, a communicator made and freed at every hundredth, Init and Finalize.
calls=20000
recorded_calls=$((calls + 2 * (calls / 100) + 2))

# lost_of: what the archive says in about.json of rank $1, all reasons.
lost_of() {
    json about.json "sum(d['ranks'][$1]['lost'].values())"
}

# own RANKS WAY [ARGUMENT...]: records own_files; the others' way is "none" if $who is a rank. Where
# files are limited what is said goes to pipes, as the limit is for the file of an output, too.
own() {
    local ranks=$1 way=$2 number
    shift 2
    rm -rf own.otf2.zip* out err "${spools:?}"/*
    cat >start.sh <<SCRIPT
rank=\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}
[ "${who-all}" = all ] || [ "\$rank" = "${who-all}" ] || exec "$program" none $calls
if [ $way = limit ]; then
    set -o pipefail
    { "$program" $way $calls $* 2>&1 >&3 | cat >&2; } 3>&1 | cat
    exit
fi
exec "$program" $way $calls $*
SCRIPT
    status=0
    run_mpi "$mpi" "$ranks" "$record" -o own.otf2.zip bash start.sh >out 2>err || status=$?
    assert_equal 0 "$status" "$mpi, $way $*: status: $(cat out err)"
    for number in $(seq 0 $((ranks - 1))); do
        assert_equal 1 "$(grep -c "^rank $number: 8 of 8 files are as they were written" out)" \
            "$mpi, $way $*: the program's files: $(cat out err)"
    done
    [ ! -e own.otf2.zip ] || unzip -p own.otf2.zip mpiwatch.json >about.json
}

# accounted RANKS WAY: calls and lost calls of each rank in about.json are all that were made.
accounted() {
    local number
    for number in $(seq 0 $(($1 - 1))); do
        assert_equal "$recorded_calls" \
            "$(($(json about.json "d['ranks'][$number]['calls']") + $(lost_of $number)))" \
            "$mpi, $2: calls and lost calls of rank $number"
    done
}

# lossless RANKS WAY: all calls are there.
lossless() {
    assert_file own.otf2.zip
    accounted "$1" "$2"
    assert_equal 0 "$(lost_of 0)" "$mpi, $2: lost"
}

# Ranks have the descriptors that they have without the recorder.
descriptors() {
    run_mpi "$mpi" 2 "$program" looks 100 >plain
    run_mpi "$mpi" 2 "$record" -o looks.otf2.zip "$program" looks 100 >recorded 2>err
    assert_equal "$(grep descriptors plain)" "$(grep descriptors recorded)" "$mpi: descriptors"
}

replaced_stderr() {
    own 1 stderr
    lossless 1 stderr
    own 1 fclose
    lossless 1 fclose
    assert_lacks "$(cat err)" "mpiwatch: "
}

# A lowered limit, of both ranks and of the one that writes nothing of its own but its spool.
limits() {
    own 2 limit 200000
    assert_contains "$(cat err)" "calls LOST"
    accounted 2 "limit 200000"
    assert_equal true "$(json about.json \
        "all(r['lost']['space'] > $calls / 2 and r['calls'] > 1000 for r in d['ranks'])")" \
        "$mpi, a low limit: $(cat about.json)"
    who=1 own 2 limit 100000
    [ ! -e own.otf2.zip ] || wrong "$mpi: an archive that is larger than one rank's limit"
    assert_contains "$(cat err)" "rank 1: the output would have"
    recovered 0 "limit 100000 of rank 1"
    assert_equal 0 "$(lost_of 0)" "$mpi, a low limit of rank 1: rank 0"
    own 2 limit 0
    assert_contains "$(cat err)" "no archive was written"
    assert_matches "$(cat err)" "File (is )?too large" # libc, libotf2
    recovered 04 "limit 0" # 4: communicators are unknown, if there was no room for them before
}

# recovered STATUS WAY: without the limit, from the spools; STATUS may be one of several digits.
recovered() {
    assert_matches "$(status_of "$recover" own.otf2.zip.run -o later.otf2.zip --remove)" "^[$1]$"
    unzip -p later.otf2.zip mpiwatch.json >about.json
    rm later.otf2.zip
    accounted 2 "$2"
}

# Spools that the program removes; the other rank's archive is whole, and says what is lost.
removed_spools() {
    who=1 own 2 removes
    assert_matches "$(cat err)" "rank 1: its spool in .* is gone, and with it $recorded_calls calls"
    assert_matches "$(cat err)" "of 1 of 2 ranks, $recorded_calls calls LOST, INCOMPLETE.*; next"
    accounted 2 removes
    assert_equal 4 "$(status_of "$analyze" validate own.otf2.zip)" "validate: $(cat stdout stderr)"
    "$analyze" info --json own.otf2.zip >info.json 2>/dev/null || true
    assert_equal $recorded_calls "$(json info.json 'd["lost_events"]')" "$mpi, info: lost"
    assert_equal 0 "$(lost_of 0)" "$mpi, removed spools of rank 1: rank 0"
    assert_equal "1 of 2" "$(json about.json \
        "'%d of %d' % (sum(r['recorded'] for r in d['ranks']), len(d['ranks']))")" \
        "$mpi, removed spools: ranks"
    # Of a rank that could make no spool nobody knows how many calls it made.
    sed -i "s/removes/none/; s/^exec/MPIWATCH_SPOOL=\/nowhere exec/" start.sh
    run_mpi "$mpi" 2 "$record" -o own.otf2.zip --force sh start.sh >out 2>err
    assert_matches "$(cat err)" "of 1 of 2 ranks, all calls of 1 rank LOST, INCOMPLETE.*; next"
    own 1 replaces
    assert_equal mine "$(cat "$spools"/*/0.events)" "$mpi: a file in the place of a spool"
}

# Spools that the program may not look at any more are not gone: they can be recovered.
left_spools() {
    own 2 leaves
    [ ! -e own.otf2.zip ] || wrong "$mpi: an archive of spools that nobody can read"
    assert_matches "$(cat err)" "can't open the definitions: Permission denied; the spools stay"
    assert_lacks "$(cat err)" "is gone"
    chmod 700 "$spools"
    recovered 04 leaves
    assert_equal true "$(json about.json "all(r['calls'] > 0 for r in d['ranks'])")" \
        "$mpi, spools that are left: $(cat about.json)"
}

for mpi in $(built_mpis); do
    program=$TOP_BUILDDIR/test/system/own_files-$mpi
    mkdir "$mpi"
    cd "$mpi"
    descriptors
    for way in closes dups; do
        own 1 $way
        lossless 1 $way
    done
    own 1 thread # two that make the calls
    assert_equal $((2 * (recorded_calls - 2) + 2)) \
        "$(json about.json 'd["ranks"][0]["calls"]')" "$mpi: calls of threads"
    replaced_stderr
    limits
    removed_spools
    left_spools
    cd ..
done
finish
