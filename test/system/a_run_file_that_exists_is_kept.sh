# NAME.run takes no other file's place: what is there, of a run that was killed or anything else,
# stays as it is, and so do the spools that only it knows of. The run's own file has the next free
# name, and goes with the run; of runs with the same output each has its own.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

# dies WAY [OPTION...]: records a run of 2 ranks that ends so, of which rank 1 dies.
dies() {
    local way=$1
    shift
    run_mpi "$mpi" 2 "$record" "$@" -o run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" "$way" \
        1 10 >out 2>err || true
    ranks_have_ended
}

# nonce_in FILE
nonce_in() { sed -n '1s/.*"nonce":"\([0-9a-f]*\)".*/\1/p' "$1"; }

# there PATTERN: the names that match it, in a line.
there() { find . -maxdepth 1 -name "$1" | sort | xargs; }

# Files of others, of every kind that can be in the way.
others() {
    echo "somebody's notes" >run.otf2.zip.run
    mkdir run-1.otf2.zip.run
    mkfifo run-2.otf2.zip.run
    ln -s nowhere run-3.otf2.zip.run
    dies finalize
    [ -e run.otf2.zip ] || wrong "$mpi: no archive beside files of others: $(cat err)"
    assert_equal "somebody's notes" "$(cat run.otf2.zip.run)" "$mpi: a file of that name"
    { [ -d run-1.otf2.zip.run ] && [ -p run-2.otf2.zip.run ] && [ -L run-3.otf2.zip.run ] &&
        [ ! -e nowhere ]; } || wrong "$mpi: what was in the way: $(ls -l)"
    assert_equal "" "$(there 'run-4*')" "$mpi: the run's own file"
    dies MPI_Abort
    # MPICH's mpiexec may end without passing on what was said last.
    if [ "$mpi" = openmpi ] || grep -q '^mpiwatch: ' err; then
        assert_contains "$(cat err)" "next: mpiwatch-recover $PWD/run-4.otf2.zip.run"
    fi
    assert_equal "somebody's notes" "$(cat run.otf2.zip.run)" "$mpi: a file of that name, later"
    assert_matches "$(cat run-4.otf2.zip.run)" '"rank":1,"ended":"abort","code":3'
    assert_equal 4 "$(status_of "$recover" run-4.otf2.zip.run --remove)" "$mpi: the fifth name"
    assert_equal "./run-1.otf2.zip ./run.otf2.zip" "$(there '*.zip')" "$mpi: archives"
    [ ! -e run-4.otf2.zip.run ] || wrong "$mpi: --remove has left the fifth name"
    rm -rf run*
}

# Runs that were killed, and what comes after them with the same -o.
killed_runs() {
    local first second
    dies SIGKILL
    first=$(nonce_in run.otf2.zip.run)
    cp run.otf2.zip.run first
    dies SIGKILL
    second=$(nonce_in run-1.otf2.zip.run)
    cmp first run.otf2.zip.run || wrong "$mpi: the first run's file is another"
    dies finalize --force
    dies finalize --force
    cmp first run.otf2.zip.run || wrong "$mpi: --force has changed the first run's file"
    assert_equal "$second" "$(nonce_in run-1.otf2.zip.run)" "$mpi: the second run's file"
    assert_equal "./run.otf2.zip" "$(there '*.zip')" "$mpi: archives with --force"

    assert_equal 0 "$(status_of "$recover")" "$mpi: without arguments"
    assert_equal "2 2" "$(grep -c "^$first\|^$second" stdout) $(grep -c next: stdout)" \
        "$mpi: runs that are found without arguments"
    assert_equal 2 "$(status_of "$recover" run.otf2.zip)" "$mpi: by the output's name"
    assert_contains "$(cat stderr stdout)" "next: mpiwatch-recover run.otf2.zip.run"
    assert_contains "$(cat stderr stdout)" "next: mpiwatch-recover run-1.otf2.zip.run"
    assert_equal 2 "$(status_of "$recover" "$PWD/run.otf2.zip")" "$mpi: by the output's whole name"
    assert_contains "$(cat stderr stdout)" "next: mpiwatch-recover $PWD/run-1.otf2.zip.run"

    assert_equal 4 "$(status_of "$recover" run.otf2.zip.run --remove)" "$mpi: the first"
    assert_contains "$(cat stdout)" "$PWD/run-1.otf2.zip: "
    assert_equal "./run-1.otf2.zip.run" "$(there '*.run')" "$mpi: after the first is removed"
    assert_equal "$spools/mpiwatch-$second-0 $spools/mpiwatch-$second-1" \
        "$(find "$spools" -mindepth 1 -maxdepth 1 | sort | xargs)" "$mpi: spools of the second"
    assert_equal 4 "$(status_of "$recover" run.otf2.zip --remove)" "$mpi: the only one that is left"
    assert_equal "" "$(there '*.run')$(ls -A "$spools")" "$mpi: after all are removed"
    rm -rf run* first
}

# Two at the same moment; each mpirun has a directory of its own, since the first one to end takes
# away what the other one begins to use.
twins() {
    local way pid
    for way in SIGKILL finalize; do
        dies_with="$TOP_BUILDDIR/test/system/dies-$mpi"
        for side in a b; do
            mkdir $side
            (cd $side && export OMPI_MCA_orte_tmpdir_base="$PWD" &&
                run_mpi "$mpi" 2 "$record" -o "$scratch/$mpi/run.otf2.zip" "$dies_with" \
                    $way 1 10 >out 2>err || true) &
            [ $side = b ] || pid=$!
        done
        wait "$pid" $!
        if [ $way = SIGKILL ]; then
            assert_equal "./run-1.otf2.zip.run ./run.otf2.zip.run" "$(there 'run*')" \
                "$mpi: two that are killed: $(cat a/err b/err)"
            assert_equal 2 "$({ nonce_in run.otf2.zip.run; nonce_in run-1.otf2.zip.run; } |
                sort -u | wc -l)" "$mpi: two that are killed: runs"
            assert_equal 4 "$(find "$spools" -mindepth 1 -maxdepth 1 | wc -l)" "$mpi: their spools"
        else
            assert_equal "./run-1.otf2.zip ./run.otf2.zip" "$(there 'run*')" \
                "$mpi: two that end well: $(cat a/err b/err)"
        fi
        rm -rf run* a b "${spools:?}"/*
    done
}

for mpi in $(built_mpis); do
    mkdir "$mpi"
    cd "$mpi"
    others
    killed_runs
    twins
    cd ..
done
finish
