# Ranks' records that begin at different moments, since a ring was written over or since they are a
# part of a longer archive, have the waits that were: the messages and collectives that belong
# together are taken together. Rank 0 sends 2 ms late in each step, and rank 1 comes 1 ms later to
# the operation behind; by what it tells itself its ring holds the fewer steps. What they waited
# follows from the times that they write down themselves.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >steps.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

int main(int argc, char **argv)
{
    const int steps = atoi(argv[1]), more = atoi(argv[2]);
    double one = 1, sum;
    int rank;
    char name[16];
    FILE *log;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "log%d", rank);
    log = fopen(name, "w");
    for (int i = 0; i < steps; i++) {
        if (rank == 0) {
            rest(2000);
            fprintf(log, "%lld ", now());
            MPI_Send(&one, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
        } else {
            for (int j = 0; j < more; j++) {
                MPI_Sendrecv(&one, 1, MPI_DOUBLE, 0, 6, &sum, 1, MPI_DOUBLE, 0, 6, MPI_COMM_SELF,
                             MPI_STATUS_IGNORE);
            }
            fprintf(log, "%lld ", now());
            MPI_Recv(&one, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            rest(1000);
        }
        fprintf(log, "%lld\n", now());
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    fclose(log);
    MPI_Finalize();
    return 0;
}
PROGRAM

cat >judge.py <<'PYTHON'
import json
waits, calls, info = (json.load(open(name + ".json")) for name in ("waits", "calls", "info"))
steps = {each["name"]: each for each in calls["calls"]}["MPI_Recv"]["count"]
found = {each["name"]: each for each in waits["patterns"]}
zero, one = ([[int(word) for word in line.split()] for line in open(name)][-steps:]
             for name in ("log0", "log1"))
late = [max(0, sent - asked) for (sent, _), (asked, _) in zip(zero, one)]
meet = [abs(a - b) for (_, a), (_, b) in zip(zero, one)]
assert steps > 20, steps
assert info["clock_violations"] == 0, info
assert waits["collectives_uncertain"] == 0, waits["collectives_uncertain"]
for name, waited in ("late_sender", late), ("wait_at_nxn", meet):
    pattern = found[name]
    print(name, pattern["total_ns"], sum(waited), steps)
    # Each time is written down some time before the call, and the first wait may be cut.
    assert abs(pattern["total_ns"] - sum(waited)) < 0.05 * sum(waited) + 2 * max(waited), \
        (name, pattern, sum(waited), steps)
assert found["late_sender"]["per_rank_ns"][0] == 0, found["late_sender"]
PYTHON

# What is found in a part is what was found in the whole from its beginning to its end.
cat >same.py <<'PYTHON'
import json
part, whole = ({each["name"]: each["total_ns"] for each in json.load(open(name))["patterns"]}
               for name in ("waits.json", "whole.json"))
longest = max(wait["wait_ns"] for each in json.load(open("whole.json"))["patterns"]
              for wait in each["worst"])
for name in "late_sender", "wait_at_nxn", "early_reduce", "late_broadcast":
    assert abs(part[name] - whole[name]) <= 0.05 * whole[name] + 3 * longest, (name, part, whole)
PYTHON

# ask OUTPUT WORDS...: of archives that lack something the status is 4.
ask() {
    "$analyze" "${@:2}" >"$1" 2>err || [ $? = 4 ] || fail "${*:2}: $(cat err)"
}

# judge ARCHIVE: its waits are those that its ranks have written down.
judge() {
    ask waits.json waits --json "$1"
    ask calls.json calls --json "$1"
    ask info.json info --full --json "$1"
    "$python" judge.py >judged 2>&1 || fail "$1: $(cat judged)"
    makes_no_mistakes "$1"
}

# makes_no_mistakes ARCHIVE
makes_no_mistakes() {
    ask mistakes mistakes "$1"
    assert_lacks "$(cat mistakes)" "never received"
    assert_lacks "$(cat mistakes)" "order"
}

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o steps steps.c

    # A ring of rank 1 that keeps the last of 1000 steps, and rank 0's, which keeps all, also where
    # much is recorded beside the calls, of cores and queues, as others are on them.
    run_mpi "$mpi" 2 "$record" -q --max-spool=536K --on-full=wrap -o ring.otf2.zip \
        ./steps 1000 120 >out 2>err || fail "$mpi: $(cat err)"
    ask info.json info --json ring.otf2.zip
    lost=$(json info.json 'd["lost_events"]')
    [ "$lost" -gt 10000 ] || fail "$mpi: the ring has lost $lost calls only"
    judge ring.otf2.zip
    # What all ranks have is told; what only rank 0 has is there, and is said to be left out.
    received=$(json calls.json '[c["count"] for c in d["calls"] if c["name"] == "MPI_Recv"][0]')
    sent=$(json calls.json '[c["count"] for c in d["calls"] if c["name"] == "MPI_Send"][0]')
    [ $((sent - received)) -le 1 ] && [ $((received - sent)) -le 1 ] ||
        fail "$mpi: $sent sends of $received receives"
    assert_equal $((1000 - received)) "$(json info.json 'd["unmatched_sends"]')" "$mpi: sends"
    ask dump dump ring.otf2.zip
    assert_equal 1000 "$(grep -c ' enter .*region=MPI_Send ' dump)" "$mpi: what is there"
    ask report.json report --json ring.otf2.zip
    assert_equal true "$(json report.json 'd["info"]["told_from_ns"] > 10**9')" "$mpi: from where"
    ask ranks.json ranks --json ring.otf2.zip
    assert_equal true "$(json ranks.json \
        '0.9 < d["ranks"][0]["run_ns"] / d["ranks"][1]["run_ns"] < 1.1')" \
        "$mpi: the same stretch of both: $(cat ranks.json)"
    ask timeline.json timeline --json ring.otf2.zip
    assert_equal "$(json report.json 'd["info"]["told_from_ns"]')" \
        "$(json timeline.json 'd["edges_ns"][0]')" "$mpi: where the timeline begins"
    ask report report ring.otf2.zip
    assert_matches "$(cat report)" "told from [0-9.]* s on, where"

    # Where it is damaged, that is said with its place.
    mkdir damaged
    (cd damaged && unzip -q ../ring.otf2.zip)
    head -c 64 /dev/zero | tr '\0' '\377' | dd of=damaged/traces/1.evt bs=1 conv=notrunc \
        seek=$(($(stat -c %s damaged/traces/1.evt) * 3 / 4)) status=none
    for command in waits report calls; do
        assert_equal 3 "$(status_of "$analyze" $command damaged)" "$mpi: damaged: $command"
        assert_matches "$(cat stderr)" '^mpiwatch-analyze: damaged/traces/1.evt: offset [0-9]+: '
    done
    rm -r damaged

    # Parts of an archive that lacks nothing, which begin and end anywhere in its steps.
    run_mpi "$mpi" 2 "$record" -q -o whole.otf2.zip ./steps 200 0 >out 2>err ||
        fail "$mpi: $(cat err)"
    judge whole.otf2.zip
    for part in {1..12}; do
        window="--from=$((100000 + 777 * part))us --to=$((300000 + 1234 * part))us"
        "$analyze" export -q --otf2 part whole.otf2.zip $window 2>err ||
            fail "$mpi: part $part: $(cat err)"
        ask whole.json waits --json whole.otf2.zip $window
        ask waits.json waits --json part
        ask info.json info --full --json part
        assert_equal "0 0" "$(json info.json 'd["clock_violations"]') $(json waits.json \
            'd["collectives_uncertain"]')" "$mpi, $window"
        "$python" same.py >judged 2>&1 || fail "$mpi, $window: $(cat judged)"
        makes_no_mistakes part
        rm -r part
    done
    rm -f ./*.zip
done
