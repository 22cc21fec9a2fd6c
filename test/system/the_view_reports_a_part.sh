# A span and ranks that are selected in mpiwatch-view have the report that mpiwatch-analyze makes of
# them: one at a time, which ends when another one is asked for, and failures are sentences.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

"$TOP_BUILDDIR/test/data/make_archive" waits_messages waits_messages
mkdir parts
export TMPDIR=$PWD/parts

ask() {
    curl -s -b jar "$base/part?$1"
}

# wait_job JOB: asks until it is done, or has failed; leaves what is told in told.
wait_job() {
    local at
    for ((at = 0; at < 600; at++)); do
        ask "job=$1" >told
        grep -q -e '"cutting"' -e '"reporting"' told || return 0
        sleep 0.1
    done
    fail "it takes too long: $(cat told)"
}

show waits_messages
enter
ask "from=1100&to=3100&ranks=0,2" >begun
grep -q '"job":1,"stage":"cutting"' begun || fail "it has not begun: $(cat begun)"
wait_job 1
grep -q '"stage":"done"' told || fail "no report: $(cat told)"
"$analyze" export --quiet --otf2=part.otf2.zip --from=1us --to=3us --ranks=0,2 waits_messages
"$analyze" --quiet --json part.otf2.zip >report.json || [ $? = 4 ]
"$python" - <<'PYTHON' || fail "numbers of the part"
import json
told, report = (json.load(open(name)) for name in ("told", "report.json"))
seen = told["report"]
for key in "verdict", "advice", "doubt":
    assert seen[key] == report[key], key
for part in "info", "pop", "waits", "messages":
    for key, value in report[part].items():
        if not isinstance(value, (list, dict)):
            assert seen[part][key] == value, (part, key)
for part, rows in (("calls", "calls"), ("waits", "patterns"), ("messages", "pairs"),
                   ("ranks", "ranks")):
    assert seen[part]["all"] == len(report[part][rows]) == len(seen[part][rows]), part
    for mine, row in zip(seen[part][rows], report[part][rows]):
        assert all(row[key] == value for key, value in mine.items()) and mine, (part, mine)
assert len(report["ranks"]["ranks"]) > 0 and report["waits"]["total_ns"] == 700, report["waits"]
PYTHON

# The next one ends it, whoever asks; what is wrong is said; nothing stays.
ask "from=0&to=5100&ranks=9" >/dev/null
wait_job 2
grep -q '"failed","why":"--ranks is a list' told || fail "what is wrong: $(cat told)"
ask job=1 | grep -q '"ended"' || fail "the first one goes on: $(ask job=1)"
[ "$(code -b jar "$base/part?ranks=0;id")" = 400 ] || fail "any words are a list: $(cat body)"
[ "$(code "$base/part?from=0")" = 403 ] || fail "whoever asks may start it"
mv waits_messages gone
ask "from=0&to=5100" >/dev/null
wait_job 3
grep -q '"failed","why":"waits_messages: ' told || fail "a lost archive: $(cat told)"

# Of another archive that has come to be in its place there is no report: it is not what is shown.
"$TOP_BUILDDIR/test/data/make_archive" plain waits_messages
assert_equal '400 {"error":"The archive has been changed since it was opened."}' \
    "$(code -b jar "$base/part?from=0") $(cat body)" "an archive that was replaced"
rm -r waits_messages
mv gone waits_messages
ask "from=0&to=5100" >/dev/null
ask "job=4&end=1" | grep -q '"ended"' || fail "it can't be ended"
leave || fail "it ended with $?: $(cat view.err)"
[ -z "$(ls -A parts)" ] || fail "it left: $(find parts)"

# A view that is killed takes what works for it along, and the next one removes what it has left,
# but nothing of one that is there.
mkdir slow
cp "$view" slow/
cat >slow/mpiwatch-analyze <<'SHELL'
#!/bin/sh
echo $$ >"$TMPDIR/child"
exec sleep 300
SHELL
chmod +x slow/mpiwatch-analyze
# work: a view whose mpiwatch-analyze takes long; leaves that one's number in $child.
work() {
    local at
    view=slow/mpiwatch-view show waits_messages
    enter
    ask "from=0&to=5100" >/dev/null
    for ((at = 0; at < 300; at++)); do
        child=$(cat parts/*/child 2>/dev/null) && [ -n "$child" ] && return
        sleep 0.1
    done
    fail "it does not start what it needs: $(find parts)"
}
work
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
timeout 30 tail --pid="$child" -f /dev/null || { kill "$child" && fail "its child goes on"; }
assert_equal 1 "$(find parts -mindepth 1 -maxdepth 1 -name 'mpiwatch-view-*' | wc -l)" "left over"
mkdir parts/mpiwatch-view-mine parts/mpiwatch-view-others # the one has another name
[ "$(id -u)" != 0 ] || chown 65534 parts/mpiwatch-view-others
rm -f parts/*/child
work
assert_equal 1 "$(find parts -name said | wc -l)" "what a killed one left is still there"
[ -d parts/mpiwatch-view-mine ] || fail "what nobody asked it to remove is gone"
[ "$(id -u)" != 0 ] || [ -d parts/mpiwatch-view-others ] || fail "another user's is gone"
rm -rf parts/mpiwatch-view-mine parts/mpiwatch-view-others
first_pid=$pid
show waits_messages
trap 'kill "$first_pid" "$pid" 2>/dev/null || true; wait || true; clean_up' EXIT
[ -e parts/mpiwatch-view-*/child ] || fail "what a living view needs is gone"
leave || fail "the other one ended with $?"
pid=$first_pid
kill -0 "$child" || fail "what works for a living view is gone"
leave || fail "it ended with $?: $(cat view.err)"
[ -z "$(ls -A parts)" ] || fail "it left: $(find parts)"

# Without a program, and without room.
export TMPDIR=$PWD/none
mkdir none beside
show waits_messages
enter
rmdir none
ask "from=0&to=5100" >told
grep -q '"failed","why":"' told || fail "no directory: $(cat told)"
leave || fail "it ended with $?"
mkdir none

has_browser || exit 0
export PATH=$PWD/beside:$PATH
ln -s "$(realpath "$analyze")" beside/mpiwatch-analyze
show waits_messages
timeout 300 "$python" -B "$TOP_SRCDIR/test/system/view_page.py" "$base" "$url" - - part ||
    fail "in the browser"
leave || fail "it ended with $?"
