# A master that probes for what its workers send waits for whom it finds, as long as it has written
# down itself: in MPI_Probe and in MPI_Mprobe, of archives that are whole, parts of others, and what
# rings have kept. Where the messages are there before, it waits for nobody, and serves all others,
# who wait for it.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

need otf2-print

# probes ROUNDS WORKER_US MASTER_US MORE plain|matched: worker r rests r times WORKER_US in each
# round, or, if MORE is not 0, WORKER_US, and makes r times MORE other calls; the master rests
# MASTER_US before each probe. It writes down whom it found and how long it waited for that: until
# the other one began to send.
cat >probes.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS_MOST 2000
#define RANKS_MOST  8

enum { WORK = 1, ANSWER, TIMES };

static long long times[RANKS_MOST][ROUNDS_MOST];
static struct { long long enter, leave; int from, round; } found[RANKS_MOST * ROUNDS_MOST];

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void rest(long us)
{
    nanosleep(&(struct timespec){ .tv_nsec = us * 1000 }, NULL);
}

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "probes: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Takes a message of whomever it finds. */
static int take(MPI_Comm comm, int i, int matched)
{
    MPI_Message message;
    MPI_Status status;
    int count, bytes[RANKS_MOST];

    found[i].enter = now();
    if (matched) {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &status);
    } else {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    }
    found[i].leave = now();
    if (!matched && i % 2 == 0) {
        MPI_Probe(status.MPI_SOURCE, WORK, comm, MPI_STATUS_IGNORE);
    }
    MPI_Get_count(&status, MPI_INT, &count);
    check(count == status.MPI_SOURCE && status.MPI_TAG == WORK, "another message is told");
    if (matched) {
        MPI_Mrecv(bytes, count, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(bytes, count, MPI_INT, status.MPI_SOURCE, WORK, comm, MPI_STATUS_IGNORE);
    }
    check(bytes[0] == status.MPI_SOURCE, "another message was received");
    return status.MPI_SOURCE;
}

static void be_master(MPI_Comm comm, int rounds, int size, long us, int matched)
{
    int taken[RANKS_MOST] = { 0 };

    for (int i = 0; i < rounds * (size - 1); i++) {
        rest(us);
        found[i].from = take(comm, i, matched);
        found[i].round = taken[found[i].from]++;
        MPI_Send(&i, 1, MPI_INT, found[i].from, ANSWER, comm);
    }
}

static void be_worker(MPI_Comm comm, int rounds, int rank, long us, int more)
{
    int bytes[RANKS_MOST] = { rank }, sum;

    for (int i = 0; i < rounds; i++) {
        rest(more > 0 ? us : us * rank);
        for (int j = 0; j < more * rank; j++) {
            MPI_Sendrecv(&j, 1, MPI_INT, 0, 6, &sum, 1, MPI_INT, 0, 6, MPI_COMM_SELF,
                         MPI_STATUS_IGNORE);
        }
        times[rank][i] = now();
        MPI_Send(bytes, rank, MPI_INT, 0, WORK, comm);
        MPI_Recv(&sum, 1, MPI_INT, 0, ANSWER, comm, MPI_STATUS_IGNORE);
    }
}

static void write_down(int count)
{
    FILE *log = fopen("log", "w");

    for (int i = 0; i < count; i++) {
        long long sent = times[found[i].from][found[i].round];
        long long until = sent < found[i].leave ? sent : found[i].leave;

        fprintf(log, "%d %lld\n", found[i].from,
                until > found[i].enter ? until - found[i].enter : 0);
    }
    fclose(log);
}

int main(int argc, char **argv)
{
    const int rounds = atoi(argv[1]), matched = strcmp(argv[5], "matched") == 0;
    int rank, size;
    MPI_Comm other, comm;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &other); /* others' numbers are others here */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Probe(MPI_PROC_NULL, 0, comm, &status);
    check(status.MPI_SOURCE == MPI_PROC_NULL, "what nobody sends was found");
    if (rank == 0) {
        be_master(comm, rounds, size, atol(argv[3]), matched);
    } else {
        be_worker(comm, rounds, rank, atol(argv[2]), atoi(argv[4]));
    }
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : times[rank], ROUNDS_MOST, MPI_LONG_LONG, times,
               ROUNDS_MOST, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        write_down(rounds * (size - 1));
    }
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
PROGRAM

# At each other message two plain probes look: the second one waits for nothing.
cat >judge.py <<'PYTHON'
import json, sys
call, looks = sys.argv[1], float(sys.argv[2])
waits, calls, info = (json.load(open(name + ".json")) for name in ("waits", "calls", "info"))
count = {each["name"]: each for each in calls["calls"]}[call]["count"]
log = [[int(word) for word in line.split()] for line in open("log")]
log = log[-min(len(log), int(count / looks)):]
late = {each["name"]: each for each in waits["patterns"]}["late_sender"]
in_call = {each["call"]: each["wait_ns"] for each in late["per_call"]}.get(call, 0)
assert len(log) > 20, len(log)
assert info["clock_violations"] == 0, info
longest = max(wait for _, wait in log)
for name, told, own in [("all", in_call, sum(wait for _, wait in log))] + \
        [(rank, late["caused_by_rank_ns"][rank], sum(wait for of, wait in log if of == rank))
         for rank in (1, 2)]:
    print(call, name, told, own, len(log))
    # Each time is written down some time before the call.
    assert abs(told - own) < 0.05 * own + 2 * longest + 1000000, (name, told, own, late)
assert late["per_comm"][0]["comm"].startswith("MPI_COMM_WORLD/dup#"), late["per_comm"]
PYTHON

cat >same.py <<'PYTHON'
import json
part, whole = ({each["name"]: each for each in json.load(open(name))["patterns"]}["late_sender"]
               for name in ("waits.json", "whole.json"))
longest = max(wait["wait_ns"] for wait in whole["worst"])
assert abs(part["total_ns"] - whole["total_ns"]) <= 0.05 * whole["total_ns"] + 3 * longest, \
    (part, whole)
PYTHON

# ask OUTPUT WORDS...: of archives that lack something the status is 4.
ask() {
    "$analyze" "${@:2}" >"$1" 2>err || [ $? = 4 ] || fail "${*:2}: $(cat err)"
}

# judge WHAT ARCHIVE CALL LOOKS: its master waited in CALL as it has written down; LOOKS of these
# for each message.
judge() {
    ask waits.json waits --json "$2"
    ask calls.json calls --json "$2"
    ask info.json info --full --json "$2"
    "$python" judge.py "$3" "$4" >judged 2>&1 || fail "$1: $(cat judged)"
    ask waits.txt waits "$2"
    assert_lacks "$(cat waits.txt)" "besides"
    ask path.txt critical-path "$2"
    assert_lacks "$(cat path.txt)" "MPI_Probe and MPI_Mprobe"
    ask report.txt report "$2"
    assert_lacks "$(cat report.txt)" "MPI_Probe besides"
}

# causes ARCHIVE: what its report names.
causes() {
    ask report.json report --json "$1"
    json report.json '" ".join(cause["id"] for cause in d["causes"])'
}

# What is probed for before it is received is waited for as long, and no path is another one.
for shapes in workers:masters requests:probes; do
    for loss in none hole tail head filter; do
        for shape in ${shapes/:/ }; do
            rm -rf "$shape"
            "$TOP_BUILDDIR/test/data/make_irregular" "$shape" $loss "$shape"
            ask waits.json waits --json "$shape"
            json waits.json '[(p["name"], p["total_ns"], p["caused_by_rank_ns"])
                              for p in d["patterns"]]' >"$shape.told"
            ask path.json critical-path --json "$shape"
            json path.json 'd["length_ns"], d["hops"], d["per_rank_ns"]' >>"$shape.told"
        done
        cmp "${shapes/:*/}.told" "${shapes/*:/}.told" || fail "$shapes, $loss"
        rm -r ${shapes/:/ }
    done
done
[ "$(json path.json 'd["hops"]')" -gt 100 ] || fail "no path: $(cat path.json)"

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o probes probes.c
    for how in plain matched; do
        [ $how = plain ] && call=MPI_Probe looks=1.5 || call=MPI_Mprobe looks=1

        # They come later than they are probed for.
        run_mpi "$mpi" 3 $foremost "$record" -q --force -o late.otf2.zip \
            ./probes 40 5000 0 0 $how >out 2>err || fail "$mpi, $how: $(cat err)"
        judge "$mpi, $how, late" late.otf2.zip $call $looks
        [ "$(json waits.json '[p["per_rank_ns"][0] for p in d["patterns"]
            if p["name"] == "late_sender"][0]')" -gt 50000000 ] || fail "$mpi, $how: nobody waited"
        assert_lacks "$(causes late.otf2.zip)" master
        # It takes what comes first, of whoever that is.
        assert_equal 0 "$(json waits.json 'sum(p["total_ns"] for p in d["patterns"]
            if "wrong_order" in p["name"])')" "$mpi, $how: in wrong order"
        "$analyze" validate late.otf2.zip >validated || fail "$mpi, $how: $(cat validated)"
        rm -rf unpacked
        "$python" -m zipfile -e late.otf2.zip unpacked
        otf2-print unpacked/traces.otf2 >print 2>warned || fail "$mpi, $how: $(cat warned)"
        assert_equal "" "$(cat warned)" "$mpi, $how: otf2-print"
        assert_equal "$(json calls.json "[c['count'] for c in d['calls'] \
            if c['name'] == '$call'][0] - (3 if '$how' == 'plain' else 0)")" \
            "$(grep -c mpiwatch.found_source print)" "$mpi, $how: what probes found"

        # The same by more threads and processes, and of a copy.
        cp waits.json expected
        "$analyze" waits --json -j 2 late.otf2.zip | cmp - expected || fail "$mpi, $how: -j 2"
        run_mpi "$mpi" 2 "$analyze" waits --json late.otf2.zip | cmp - expected ||
            fail "$mpi, $how: two processes"
        rm -rf copy
        "$analyze" export -q --otf2 copy late.otf2.zip
        "$analyze" waits --json copy | cmp - expected || fail "$mpi, $how: a copy"
        for part in {1..5}; do
            window="--from=$((30000 + 7777 * part))us --to=$((120000 + 12345 * part))us"
            rm -rf part
            "$analyze" export -q --otf2 part late.otf2.zip $window 2>err ||
                fail "$mpi, $how: part $part: $(cat err)"
            ask whole.json waits --json late.otf2.zip $window
            ask waits.json waits --json part
            "$python" same.py >judged 2>&1 || fail "$mpi, $how, $window: $(cat judged)"
        done

        # A part that begins in the middle of its longest probe knows that it was for anybody.
        from=$("$analyze" dump --rank 0 late.otf2.zip | awk '
            / enter .* found_source=/ { enter = $1 }
            / leave .* region=MPI_M?[Pp]robe/ && enter > 0 {
                if ($1 - enter > most) { most = $1 - enter; middle = int(($1 + enter) / 2) }
                enter = 0
            }
            END { print middle }')
        rm -rf part
        "$analyze" export -q --otf2 part late.otf2.zip --from="${from}ns"
        assert_equal "found wildcards" "$(otf2-print -L 0 part/traces.otf2 |
            sed -n '/^LEAVE/q; s/.*("mpiwatch.found_tag".*("mpiwatch.wildcards".*/found wildcards/p
                s/.*("mpiwatch.found_tag".*/found/p; s/.*("mpiwatch.wildcards".*/wildcards/p' |
            paste -sd ' ')" "$mpi, $how: a part from $from ns"

        # They were there before, unless all cores were others' for long: that is told, as well.
        for try in {1..5}; do
            run_mpi "$mpi" 3 $foremost "$record" -q --force -o there.otf2.zip \
                ./probes 40 0 5000 0 $how >out 2>err || fail "$mpi, $how: $(cat err)"
            judge "$mpi, $how, there" there.otf2.zip $call $looks
            [ "$(json waits.json '[p["per_rank_ns"][0] < 0.1 * p["per_rank_ns"][1]
                for p in d["patterns"] if p["name"] == "late_sender"][0]')" = true ] && break
            [ $try -lt 5 ] || fail "$mpi, $how: who was there was waited for"
        done
        assert_contains "$(causes there.otf2.zip)" master
    done

    # What rings have kept, of which each rank has lost another part.
    run_mpi "$mpi" 3 $foremost "$record" -q --force --max-spool=268K --on-full=wrap \
        -o ring.otf2.zip ./probes 1500 500 0 20 plain >out 2>err || fail "$mpi: $(cat err)"
    ask info.json info --json ring.otf2.zip
    [ "$(json info.json 'd["lost_events"]')" -gt 10000 ] || fail "$mpi: the rings have lost nothing"
    judge "$mpi, ring" ring.otf2.zip MPI_Probe 1.5
done
