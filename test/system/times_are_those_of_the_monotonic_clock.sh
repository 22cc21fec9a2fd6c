# Every time in the archive is that of CLOCK_MONOTONIC, as the program itself has noted it before
# and behind each call, no farther from it than the archive says: with the processor's counter,
# where the kernel takes its own time from it, and without.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# Where an invariant counter may be read; the recorder asks the processor itself.
counter=CLOCK_MONOTONIC
if grep -qx tsc /sys/devices/system/clocksource/clocksource0/current_clocksource &&
    grep -qw nonstop_tsc /proc/cpuinfo; then
    counter=TSC
fi

for mpi in $(built_mpis); do
    for clock in auto monotonic; do
        expected=$counter # at least at first
        [ $clock = auto ] || expected=CLOCK_MONOTONIC
        rm -rf run log.*
        run_mpi "$mpi" 2 "$record" -q -e all --clock $clock --format directory -o run \
            "$TOP_BUILDDIR/test/system/times-$mpi" log >out 2>err || fail "$mpi: $(cat err)"
        found=$("$python" "$TOP_SRCDIR/test/system/times.py" run/traces.otf2 log) ||
            fail "$mpi, $clock: times.py"
        read -r locations outside error way <<<"$found"
        echo "$mpi, --clock $clock: $way, at most $outside ns outside of the program's own times;" \
            "said: $error"
        assert_equal 4 "$locations" "$mpi, $clock: locations"
        assert_contains "$way" "$expected"
        [ $clock = auto ] || assert_lacks "$way" TSC
        # Both clocks are read one after the other: 100 ns of that is doubt.
        [ "$outside" -le $((error + 100)) ] || wrong "$mpi, $clock: $found"
        # 50 in a million of 10 ms, and what points are wrong by, on machines where that is much.
        [ "$error" -le 2000 ] || wrong "$mpi, $clock: $error ns of error"
    done
done
finish
