# A NAME.run that somebody else may have written names spools and nothing more: not where the
# archive goes, nor which directory is removed. What --remove takes is what the recorder has made,
# by its names, in the directory that was read.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
mpi=$(built_mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"
nobody=65534

umask 0
run_mpi "$mpi" 2 "$record" -o run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" SIGKILL -1 10 \
    >out 2>err || true
umask 022
assert_equal "644" "$(stat -c %a run.otf2.zip.run)" "the mode of NAME.run"
cp -a "$spools" kept
cp -a run.otf2.zip.run kept.run

# again: everything as the run has left it.
again() {
    rm -rf "${spools:?}" run.otf2.zip* other
    cp -a kept "$spools"
    cp -a kept.run run.otf2.zip.run
}

# untouched WHAT: no archive, and nothing is removed.
untouched() {
    assert_equal "run.otf2.zip.run" "$(find . -maxdepth 1 -name 'run*' -printf '%f ' | xargs)" \
        "$1: files there"
    diff -r kept "$spools" >differences || wrong "$1: the spools: $(cat differences)"
}

# refused WHAT [COMMAND...]: nothing is decided by a NAME.run that is not the caller's.
refused() {
    local what=$1
    shift
    assert_equal 2 "$(status_of "$@" "$recover" run.otf2.zip.run)" "$what"
    assert_contains "$(cat stderr)" "say it with --output"
    untouched "$what"
    assert_equal 2 "$(status_of "$@" "$recover" run.otf2.zip.run --remove -o other/x.otf2.zip)" \
        "$what, --remove"
    assert_contains "$(cat stderr)" "name the spool directories themselves"
    untouched "$what, --remove"
    assert_equal 4 "$(status_of "$@" "$recover" run.otf2.zip.run -o other/x.otf2.zip)" \
        "$what, --output: $(cat stderr)"
    assert_file other/x.otf2.zip
    untouched "$what, --output"
    assert_equal 0 "$(status_of "$@" "$recover" --list run.otf2.zip.run)" "$what, --list"
    assert_contains "$(cat stdout)" "next: mpiwatch-recover -o FILE run.otf2.zip.run"
}

# --- whose NAME.run it is ---------------------------------------------------------------
again
mkdir other
chmod 666 run.otf2.zip.run
refused "one that everybody may write"

if [ "$(id -u)" = 0 ] && chown $nobody kept.run 2>/dev/null; then
    again
    mkdir other
    refused "root with somebody's"
    chown -R $nobody kept kept.run
    again
    mkdir other
    refused "root with somebody's, and his spools"
    assert_equal 4 "$(status_of "$recover" "$spools" -o other/x.otf2.zip --remove)" \
        "root names somebody's spools"
    assert_equal "" "$(ls -A "$spools")" "root removes the spools that it names"

    chmod 755 "$scratch"
    chown 0 kept.run
    again
    mkdir other
    chown $nobody . other
    as_nobody="env TMPDIR=$PWD/other setpriv --reuid=$nobody --clear-groups"
    if $as_nobody "$recover" --version >/dev/null 2>&1; then
        refused "somebody with root's" $as_nobody
        chown $nobody kept.run
        again
        mkdir -m 777 other
        assert_equal 4 "$(status_of $as_nobody "$recover" run.otf2.zip.run --remove)" \
            "somebody with his own: $(cat stderr)"
        assert_equal "$nobody" "$(stat -c %u run.otf2.zip)" "whose archive it is"
        assert_equal "" "$(ls -A "$spools")" "somebody's own spools"
    else
        echo "skipped: another user as the caller, who can't run programs from here"
    fi
    chown -R 0 . kept kept.run
else
    echo "skipped: files of another user, since this is not root"
fi

# --- what is removed -------------------------------------------------------------------
again
spool=$(echo "$spools"/mpiwatch-*-0)
mkdir -p other/deep "$spool/archive-x" "$spool/more"
echo mine | tee other/deep/file "$spool/notes" "$spool/more/0.events" >/dev/null
ln -s "$PWD/other/deep" "$spool/archive-link"
ln -s "$PWD/other/deep" "$spool/archive-x/link"
ln -s "$PWD/other/deep/file" "$spool/7.filtered"
echo "archive to be" >run.otf2.zip.partial
assert_equal 4 "$(status_of "$recover" run.otf2.zip.run --remove)" "a spool with other files"
assert_contains "$(cat stderr)" "$spool: can't remove it: Directory not empty"
assert_equal "mine mine mine" "$(xargs < <(cat other/deep/file "$spool/notes" \
    "$spool/more/0.events"))" "files of others"
assert_equal "more notes" "$(ls -A "$spool" | xargs)" "what stays in the spool"
assert_equal "$(basename "$spool")" "$(ls -A "$spools")" "the spools that stay"
assert_equal "archive to be" "$(cat run.otf2.zip.partial)" "a partial file of others"
assert_file run.otf2.zip.run # which tells of the one that stays

again
mv "$spools"/mpiwatch-*-1 elsewhere
rm -rf "${spools:?}"/*
assert_equal 4 "$(status_of "$recover" elsewhere --remove -o other.otf2.zip)" \
    "a spool of another name"
assert_contains "$(cat stderr)" "it stays"
assert_file elsewhere/definitions

# The spool's place has become a link to another's: it is not there.
again
for directory in "$spools"/*; do
    mv "$directory" moved-"${directory##*-}"
    ln -s "$PWD/moved-${directory##*-}" "$directory"
done
status_of "$recover" run.otf2.zip.run --remove -o other.otf2.zip >/dev/null
assert_file moved-0/definitions
assert_file moved-1/definitions
finish
