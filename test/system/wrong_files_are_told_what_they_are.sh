# Who gives mpiwatch-analyze what a run has left that did not finish, or what was made of an
# archive, and who gives mpiwatch-recover an archive, is told what it is and what to type.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
"$TOP_BUILDDIR/test/data/make_archive" plain plain

# refuses FILE SENTENCE [COMMAND...]: mpiwatch-analyze, or the command before FILE.
refuses() {
    local file=$1 sentence=$2
    shift 2
    [ $# -gt 0 ] || set -- "$analyze"
    assert_equal 3 "$(status_of "$@" "$file")" "$*: $file: $(cat stderr)"
    assert_contains "$(cat stderr)" "$file: $sentence"
    assert_equal 1 "$(wc -l <stderr)" "sentences: $(cat stderr)"
}

# --- neither an archive nor ours ------------------------------------------------------------
echo "some notes" >notes.txt
: >nothing
mkdir empty
for file in notes.txt nothing; do
    refuses $file "" # with an offset in between
    assert_contains "$(cat stderr)" "not an archive"
    assert_equal 3 "$(status_of "$analyze" validate $file)" "validate $file"
    assert_contains "$(cat stdout)" "not an archive"
done
assert_equal "nothing: offset 0: not an archive: the file is empty" "$("$analyze" nothing 2>&1 |
    sed 's/^mpiwatch-analyze: //')" "nothing"
refuses nowhere "cannot open: No such file" "$analyze" validate
assert_empty stdout # and not that it is corrupt
refuses empty "no OTF2 archive: there is no anchor file *.otf2 in it"
refuses nowhere "cannot open: No such file"
(cd plain && "$python" -m zipfile -c ../whole.otf2.zip traces traces.otf2 traces.def)
head -c 500 whole.otf2.zip >cut.otf2.zip
refuses cut.otf2.zip "" # damage is told as damage
assert_contains "$(cat stderr)" "not a whole ZIP file"

# --- what was made of one -------------------------------------------------------------------
"$analyze" calls --json -o calls.json plain
"$analyze" calls --csv -o calls.csv plain
"$analyze" report -o report.txt plain
"$analyze" report --html page.html plain
"$analyze" timeline --svg picture.svg -o timeline.txt plain
"$analyze" export --perfetto trace.perfetto --chrome trace.json plain
for made in "calls.json:JSON" "calls.csv:a table" "report.txt:text" "page.html:a page" \
    "picture.svg:an SVG picture" "trace.perfetto:a trace for Perfetto" \
    "trace.json:a trace for Chrome"; do
    refuses "${made%%:*}" "not an archive, but ${made#*:} that mpiwatch-analyze has made of one"
done
refuses calls.csv "not an archive, but a table" "$analyze" validate
refuses calls.csv "not an archive, but a table" "$analyze" compare plain

# --- what a run has left ----------------------------------------------------------------------
for mpi in $(built_mpis); do
    name="run of $mpi.otf2.zip"
    run_mpi "$mpi" 2 "$record" -o "$name" "$TOP_BUILDDIR/test/system/dies-$mpi" abort 1 10 \
        >out 2>err || true
    ranks_have_ended
    spool=$(echo "$spools"/mpiwatch-*-0)
    refuses "$name.run" "this is what a run has left that did not finish; its archive is made \
by: mpiwatch-recover '$name.run'"
    refuses "$name" "it is not there, since its run did not finish; its archive is made by: \
mpiwatch-recover '$name.run'"
    refuses "$spool" "there are the spools of a run"
    refuses "$spools" "there are the spools of a run that did not finish in it; its archive is \
made by: mpiwatch-recover $spools"
    refuses "$spool/definitions" "this is a part of a spool; its archive is made by: \
mpiwatch-recover $spool"
    # What it says to type makes the archive.
    command=$(sed 's/.*made by: mpiwatch-recover //' stderr)
    assert_equal 4 "$(eval "status_of \"$recover\" -o other.otf2.zip --force $command")" \
        "$command: $(cat stderr)"
    assert_equal 4 "$(status_of "$recover" "$name" --remove)" "$name: $(cat stderr)"

    refuses "$name" "this is an archive, and no spools are left of its run; next: \
mpiwatch-analyze '$name'" "$recover"
done

# --- of a run that goes on, and of one that has just ended ------------------------------------
cat >holds.c <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    while (access("go", F_OK) != 0) usleep(10000);
    return MPI_Finalize();
}
C
give_up() { touch go; }
for mpi in $(built_mpis); do
    rm -f go
    name="live of $mpi.otf2.zip"
    $(mpicc_of "$mpi") -o "holds-$mpi" holds.c || fail "mpicc of $mpi"
    run_mpi "$mpi" 2 "$record" -o "$name" "./holds-$mpi" >out 2>err &
    run=$!
    await "the run" test -e "$name.run"
    shown="what it does is shown by: mpiwatch-top"
    refuses "$name.run" "this is of a run that goes on; $shown '$name.run'"
    refuses "$name" "it is not there, since its run goes on; $shown '$name.run'"
    spool=$(echo "$spools"/mpiwatch-*-0)
    refuses "$spools" "there are the spools of a run that goes on in it; $shown $spools"
    refuses "$spool/definitions" "this is a part of a spool of a run that goes on; $shown $spool"
    touch go
    wait "$run" || fail "$mpi: $(cat err)"
    for command in "$analyze" "$TOP_BUILDDIR/mpiwatch-top" "$recover"; do
        refuses "$name.run" "it is not there any more, since its run has ended; next: \
mpiwatch-analyze '$name'" "$command"
    done
done
refuses plain "this is an archive, and no spools are left of its run; next: \
mpiwatch-analyze plain" "$recover"
refuses plain/traces.otf2 "this is an archive" "$recover"
refuses notes.txt "this is no NAME.run of mpiwatch" "$recover"
refuses empty "there are no spools in it" "$recover"
mkfifo pipe
assert_equal 3 "$(status_of timeout 20 "$recover" pipe)" "a pipe"
refuses pipe "not an archive: neither a regular file nor a directory" timeout 20 "$analyze"
for command in "compare plain" "check --max pop.runtime_ns=1 --baseline plain" dump; do
    refuses pipe "not an archive: neither" timeout 20 "$analyze" $command
done
assert_equal 3 "$(status_of timeout 20 "$analyze" validate pipe)" "validate of a pipe"
for file in traces.otf2 traces.def; do # of a directory, too
    rm -rf piped && cp -r plain piped && rm piped/$file && mkfifo piped/$file
    for command in report validate; do
        assert_equal 3 "$(status_of timeout 20 "$analyze" $command piped)" "$command of $file"
    done
    assert_equal 3 "$(status_of timeout 20 "$analyze" piped)" "a pipe as $file"
    assert_contains "$(cat stderr)" "regular file"
done
# A file of events that is missing, or has nothing in it, is told by who reads no events, too.
for what in "has no bytes" "is missing"; do
    rm -rf lacking lacking.otf2.zip
    cp -r plain lacking
    : >lacking/traces/0.evt
    [ "$what" = "has no bytes" ] || rm lacking/traces/0.evt
    (cd lacking && "$python" -m zipfile -c ../lacking.otf2.zip traces.otf2 traces.def traces)
    for archive in lacking lacking.otf2.zip; do
        for command in info "info --full" report; do
            assert_equal 3 "$(status_of "$analyze" $command $archive)" "$command $archive: $what"
            assert_contains "$(cat stderr)" "0.evt: offset 0: it $what, and its definition promises"
        done
    done
done
finish
