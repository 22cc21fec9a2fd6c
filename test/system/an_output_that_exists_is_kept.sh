# An archive that is there already stays as it is: the new one takes the next free name,
# and says which. With --force it is replaced, but no directory that holds anything else.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

mpi=$(built_mpis | head -1)
recorded "$mpi" 2 empty
assert_file empty.otf2.zip
mv empty.otf2.zip first.otf2.zip
sum=$(sha256sum <first.otf2.zip)
run_mpi "$mpi" 2 "$record" -o first.otf2.zip "$(example ring "$mpi")" >ring.out 2>ring.err ||
    wrong "exit $?: $(cat ring.err)"
assert_equal "$sum" "$(sha256sum <first.otf2.zip)" "what was there"
other=$(ls ./*.otf2.zip | grep -v '/first.otf2.zip$')
assert_contains "$(cat ring.err)" "$(basename "$other")"
mv "$other" ring.otf2.zip
as_expected "$mpi" 2 ring.c

run_mpi "$mpi" 2 "$record" --force -o first.otf2.zip "$(example ring "$mpi")" >ring.out \
    2>ring.err || wrong "exit $?: $(cat ring.err)"
mv first.otf2.zip ring.otf2.zip
as_expected "$mpi" 2 ring.c
assert_equal "./ring.otf2.zip" "$(ls ./*.otf2.zip)" "the archives there"

# --- what is no file ---------------------------------------------------------------------------

mkfifo pipe
run_mpi "$mpi" 2 "$record" --force -o pipe "$(example ring "$mpi")" >out 2>err || true
[ -p pipe ] || wrong "a pipe was replaced"
assert_contains "$(cat err)" "pipe: this is no file: it is not replaced"
rm -rf "${spools:?}"/* pipe.run

# --- directories -------------------------------------------------------------------------------

# into_run COMMAND...: lists what is in the directory "run" before and afterwards.
into_run() {
    find run -exec ls -di {} + >before
    "$@" >out 2>err || true
    find run -exec ls -di {} + >after
}
ring_into() {
    run_mpi "$mpi" 2 "$record" --format=directory "$@" "$(example ring "$mpi")"
}
recover=$TOP_BUILDDIR/mpiwatch-recover
spools_of "$mpi" 2 ring
ring_into -o run >out 2>err || wrong "exit $?: $(cat err)"

for force in ring_into "$recover"; do
    words=--force
    [ "$force" = ring_into ] || words="--force --format=directory ring"
    # shellcheck disable=SC2086 # words
    into_run "$force" -o run $words
    assert_file run/traces.otf2
    ! cmp -s before after || wrong "$force: the archive was not replaced: $(cat err)"
    for place in run/notes.txt run/.hidden run/traces/notes.txt run/mine/traces.otf2; do
        mkdir -p "${place%/*}"
        echo "my own" >"$place"
        # shellcheck disable=SC2086
        into_run "$force" -o run $words
        cmp before after || wrong "$force: a directory with $place was replaced"
        assert_contains "$(cat err)" "run: this is no directory with an archive and nothing else: "
        rm "$place"
    done
    rmdir run/mine
    mv run kept
    mkdir run
    ln -s ../kept/traces run/traces
    touch run/traces.otf2
    # shellcheck disable=SC2086
    into_run "$force" -o run $words
    cmp before after || wrong "$force: a directory with a link was replaced"
    rm -r run
    mv kept run
    rm -rf "${spools:?}"/* run.run
done
finish
