# With --time-unit all times of events are multiples of the unit, rounded down, also in the archive
# that mpiwatch-recover makes; calls, messages and their order are the same, and what is said of
# times says so. Nothing else in the archive knows of it: it is sound for every reader.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

recover=$TOP_BUILDDIR/mpiwatch-recover
mpi=$(built_mpis | head -1)
mpi=${mpi%% *}

# not_multiples FILE UNIT: how many of its events have times that are no multiples, and of how many.
not_multiples() {
    rm -rf unpacked && mkdir unpacked && unzip -qq "$1" -d unpacked
    otf2-print unpacked/traces.otf2 | awk -v unit="$2" '
        $1 ~ /^(ENTER|LEAVE|MPI_[A-Z_]*|METRIC|COMM_[A-Z]*)$/ && $3 ~ /^[0-9]+$/ {
            events++; others += $3 % unit != 0 }
        END { print others + 0, (events > 100 ? "of many" : "of " events + 0) }'
}

# --- of a run that ended -----------------------------------------------------------------------

program=$(example halo "$mpi")
for unit in 1ns 16ns; do
    run_mpi "$mpi" 2 "$record" -q --time-unit=$unit -o $unit.zip "$program" >out 2>err ||
        fail "$unit: $(cat err)"
    "$analyze" validate -q $unit.zip >out 2>&1 || wrong "$unit, validate: $(cat out)"
    "$analyze" info --json $unit.zip >$unit.json
    "$analyze" messages --json $unit.zip >$unit.messages
done
assert_equal "0 of many" "$(not_multiples 16ns.zip 16)" "16 ns"
[ "$(not_multiples 1ns.zip 16)" != "0 of many" ] || wrong "1 ns: all are multiples of 16"
assert_equal '[1, "1ns", 1000000000]' "$(json 1ns.json '[d["time_unit_ns"],
    d["settings"]["time-unit"], d["timestamps_per_second"]]')" "info, 1 ns"
assert_equal '[16, "16ns", 1000000000]' "$(json 16ns.json '[d["time_unit_ns"],
    d["settings"]["time-unit"], d["timestamps_per_second"]]')" "info, 16 ns"
assert_equal "$(json 1ns.messages '[d["messages"], d["bytes"]]')" \
    "$(json 16ns.messages '[d["messages"], d["bytes"]]')" "messages"
assert_equal 0 "$(json 16ns.json 'd["clock_violations"] + d["unmatched_receives"]')" "order"
assert_contains "$("$analyze" info 16ns.zip)" "told in units of 16 ns"
assert_contains "$("$analyze" 16ns.zip)" "times in units of 16 ns"
assert_lacks "$("$analyze" 1ns.zip)" "in units of"
for command in calls waits timeline pop comms watermarks sites critical-path; do
    "$analyze" "$command" --json 16ns.zip >out 2>err || wrong "$command: $(cat err)"
done

# --- of one that was killed ---------------------------------------------------------------------

cat >dies.c <<'C'
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 500; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    kill(getpid(), SIGKILL);
}
C
"$(mpicc_of "$mpi")" -o dies dies.c
run_mpi "$mpi" 1 "$record" -q --time-unit=64ns -o dies.zip ./dies >out 2>err || true
ranks_have_ended
assert_equal 4 "$(status_of "$recover" -q --remove -o recovered.zip dies.zip.run)" "recover"
assert_equal "0 of many" "$(not_multiples recovered.zip 64)" "recovered"
assert_equal 64 "$("$analyze" info --json recovered.zip 2>err | "$python" -c 'import json, sys
print(json.load(sys.stdin)["time_unit_ns"])')" "info, recovered"

# --- what is no unit ---------------------------------------------------------------------------

assert_equal 125 "$(status_of "$record" --time-unit=10ns true)" "10 ns"
assert_contains "$(cat stderr)" '"10ns" is not 1ns, 2ns, 4ns, 8ns, 16ns, 32ns or 64ns'
finish
