# mpiwatch-view of a run that goes on: its looks are what mpiwatch-top --json --waits says, to the
# end, on both MPIs, and so is who waits for whom; then the archive is opened by the same server.
# The page shows it in a browser, and asks for nothing while nobody sees it. Runs that are killed,
# and what is none, get sentences; others see nothing.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view
top=$TOP_BUILDDIR/mpiwatch-top

# Rank 1 is late at a message and a collective, now and then for longer than a look, until there is
# a file "go".
cat >late.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    double sent = 1, got;
    int rank, size, ends = 0;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_set_name(ring, "<img src=x onerror=hostile=1>");
    for (int i = 0; !ends; i++) {
        usleep(rank != 1 ? 10000 : i % 8 == 4 ? 2500000 : 150000);
        ends = access("go", F_OK) == 0;
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, ring, MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, &ends, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        printf("done\n");
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# What await says when it gives up, having let the program go.
give_up() {
    touch go
    cat view.err looks 2>/dev/null
}

# looks NUMBER: there are so many, in the file of that name.
looks() {
    curl -s -b jar "$base/looks" >looks
    [ "$(json looks 'len(d["looks"])' 2>/dev/null)" -ge "$1" ]
}
# archive_is STATE
archive_is() {
    curl -s -b jar "$base/looks" >looks
    [ "$(json looks 'd["about"]["archive"]')" = "$1" ]
}
# start MPI PROGRAM...: records it as run.otf2.zip, with $run.
start() {
    local mpi=$1
    shift
    rm -rf run.otf2.zip* go inside.*
    run_mpi "$mpi" 3 "$record" -o run.otf2.zip "$@" >out 2>err &
    run=$!
    await "$mpi: the program" test -e run.otf2.zip.run
}
end_run() {
    kill_ranks run.otf2.zip.run
    wait "$run" || true
}

# look_at WHAT: in the browser.
look_at() {
    timeout 300 "$python" -B "$TOP_SRCDIR/test/system/view_live_page.py" "$base" "$url" "$1" ||
        { touch go; fail "in the browser: $1: $(cat view.err)"; }
}

cat >equal.py <<'PYTHON'
import json

told = json.load(open("looks"))
lines = [json.loads(line) for line in open("lines")]
looks = [one["look"] for one in told["looks"]]
last, expected = looks[-1], lines[-1]

# The same keys throughout, and at the end the same numbers; shares and rates are of the moment of
# each program's look.
def shape(value):
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else None

assert shape(last) == shape(expected), (shape(last), shape(expected))
def steady(look):
    moment = "_1s", "_10s", "_share_all", "_per_s", "for_s"
    return dict(look, stuck_s=None, threads=[
        {key: value for key, value in thread.items() if not key.endswith(moment)}
        for thread in look["threads"]])
assert not last["running"] and last["events"]["read_share"] == 1, last
assert steady(last) == steady(expected), (last, expected)
numbers = [one["number"] for one in told["looks"]]
assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), numbers
# In between something waited, of which some was not known yet.
shares = [thread["waiting_share_1s"] for look in looks for thread in look["threads"]]
assert any(share and share > .1 for share in shares), shares
calls = {row["name"]: row for row in json.load(open("calls.json"))["calls"]}
for row in last["events"]["calls"]:
    for key in "count", "time_ns", "min_ns", "max_ns", "bytes_sent", "bytes_received":
        assert row[key] == calls[row["name"]][key], (row, calls[row["name"]])
PYTHON

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -g -o "late-$mpi" late.c
    start "$mpi" "./late-$mpi"
    show run.otf2.zip.run
    timeout "$test_timeout" "$top" --json --waits run.otf2.zip.run >lines &
    watch=$!
    assert_equal 403 "$(code "$base/looks")" "without the cookie"
    enter
    await "$mpi: looks" looks 4
    curl -s -b jar "$base/looks?after=3" >after
    assert_equal 4 "$(json after 'd["looks"][0]["number"]')" "$mpi: what comes after the third"
    assert_equal 409 "$(code -b jar "$base/open")" "$mpi: there is no archive yet"
    if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        for path in looks why open news ""; do
            assert_equal 403 "$(setpriv --reuid=65534 --regid=65534 --clear-groups curl -s \
                -o /dev/null -w '%{http_code}' "$base/$path")" "another user: /$path"
        done
    fi
    touch go
    wait "$run" || fail "$mpi: the program ended with $?: $(cat err)"
    wait "$watch" || fail "$mpi: mpiwatch-top: $?"
    assert_equal done "$(cat out)" "$mpi: what the program prints"
    await "$mpi: the archive" archive_is there
    "$analyze" calls --json -o calls.json run.otf2.zip
    "$python" -B equal.py || fail "$mpi: looks are not what mpiwatch-top says"
    # The same server serves the archive.
    assert_equal 200 "$(code -b jar "$base/open")" "$mpi: opening the archive"
    until_read
    assert_equal 200 "$(code -b jar "$base/meta")" "$mpi: the archive"
    assert_equal run.otf2.zip "$(json body 'd["archive"]')" "$mpi: the archive's name"
    code -b jar "$base/" >/dev/null
    grep -q '/view.js' body || fail "$mpi: it is not the archive's page: $(cat body)"
    leave || fail "$mpi: it ended with $?: $(cat view.err)"
done
mpi=$(mpis | head -1)

# --- a hang, and a run that is killed -----------------------------------------------------------
start "$mpi" "$(example hangs "$mpi")" recv_ring
await "the ranks" sh -c '[ "$(ls inside.* 2>/dev/null | wc -l)" = 3 ]'
browser=
! has_browser || browser=yes
if [ "$browser" ]; then
    show run.otf2.zip.run --alarm=1 --linger=100
    look_at hang
    leave || fail "it ended with $?: $(cat view.err)"
fi
show run.otf2.zip.run
enter
await "looks" looks 1
assert_equal 200 "$(code -b jar "$base/why")" "why"
cp body why.json
"$top" --why --json run.otf2.zip.run >expected.json
"$python" - <<'PYTHON' || fail "why: $(cat why.json expected.json)"
import json, re
told, expected = (json.load(open(name + ".json")) for name in ("why", "expected"))
moment = lambda text: re.sub(r"for [0-9.]+ s\b", "for", text)
for one in told, expected:
    one["sentences"] = [moment(sentence) for sentence in one["sentences"]]
assert told == expected and told["verdict"] == "deadlock", (told["sentences"], expected)
PYTHON
end_run
await "the end" archive_is missing
assert_equal run.otf2.zip.run "$(json looks 'd["about"]["recover"]')" "what makes an archive of it"
assert_equal "gone gone gone" \
    "$(json looks '" ".join(t["state"] for t in d["looks"][-1]["look"]["threads"])')" "killed ranks"
curl -s -m 2 -b jar "$base/news" >news || true
grep -q '"stage":"ended"' news || fail "the end is not told: $(cat news)"
leave || fail "it ended with $?: $(cat view.err)"
# One that has ended is shown as it was left.
show run.otf2.zip.run
enter
await "the end" archive_is missing
leave || fail "it ended with $?: $(cat view.err)"

# --- the page ------------------------------------------------------------------------------------
if [ "$browser" ]; then
    start "$mpi" "./late-$mpi"
    show run.otf2.zip.run
    look_at run
    wait "$run" || fail "the program ended with $?: $(cat err)"
    # It ends by itself when the browser has gone.
    timeout 30 tail --pid="$pid" -f /dev/null || fail "it stays when the page has gone"
    wait "$pid" || fail "it ended with $?"
fi

# --- what is no run ------------------------------------------------------------------------------
# refused ARGUMENT...: as mpiwatch-top refuses it.
refused() {
    local status=0
    timeout 60 "$view" --print-url "$@" >out 2>err || status=$?
    assert_equal 3 "$status" "$*: $(cat out err)"
    "$top" --once "$@" >out 2>err.top || status=$?
    assert_equal 3 "$status" "mpiwatch-top $*"
    assert_equal "$(sed 's/^mpiwatch-top: //' err.top)" "$(sed 's/^mpiwatch-view: //' err)" "$*"
    assert_equal 1 "$(wc -l <err)" "$*: $(cat err)"
}
refused nowhere.run
echo "what else" >other.run
refused other.run
head -c 3000 /dev/urandom >noise.run
refused noise.run
mkdir empty.run
refused empty.run
for words in "--interval=1 run.otf2.zip" "--alarm=1 run.otf2.zip" "a.run b.run" \
    "--interval=0 a.run"; do
    status=0
    "$view" $words >out 2>err || status=$?
    assert_equal 2 "$status" "$words: $(cat err)"
done
