# --signals: SIGUSR1 pauses recording in the process that gets it, SIGUSR2 resumes it. Not
# asked for, signals do what they do without the recorder. MPICH 4.0 has a handler of its own
# for SIGUSR1, which stays.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print
need_mpi openmpi # MPICH has SIGUSR1 for itself
dies=$TOP_BUILDDIR/test/system/dies-openmpi
pid_of() { od -An -t u8 -j 0 -N 8 "count.$1" | tr -d ' '; }
calls_of() { od -An -t u8 -j 8 -N 8 "count.$1" | tr -d ' '; }

# loop [OPTION...]: starts 2 ranks that loop and waits until they have made 3000 calls.
loop() {
    rm -rf count.* run.otf2.zip*
    "$MPIRUN_OPENMPI" -n 2 "$record" "$@" -o run.otf2.zip "$dies" loop 0 10 </dev/null >out 2>err &
    launcher=$!
    for _ in $(seq 600); do
        sleep 0.1
        if [ -s count.0 ] && [ -s count.1 ] && [ "$(calls_of 0)" -gt 3000 ]; then
            return
        fi
    done
    fail "the loop does not start: $(cat err)"
}

# more: waits until rank 0 has made 3000 calls more.
more() {
    local before
    before=$(calls_of 0)
    for _ in $(seq 900); do
        sleep 0.1
        [ "$(calls_of 0)" -lt $((before + 3000)) ] || return 0
    done
    wrong "rank 0 goes no further"
}

loop --signals
kill -USR1 "$(pid_of 0)"
sleep 0.2
begin=$(calls_of 0)
more
more
end=$(calls_of 0)
kill -USR2 "$(pid_of 0)"
more
kill -KILL "$(pid_of 0)" # and mpirun kills the other
wait "$launcher" 2>/dev/null || true
total=$(calls_of 0)
assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run --remove)" "recover"
unzip -q run.otf2.zip -d unpacked
otf2-print unpacked/traces.otf2 >printed 2>complaints
assert_empty complaints
assert_equal "OFF ON" "$(awk '$1 ~ /MEASUREMENT/ && $2 == 0 { print $NF }' printed | xargs)" \
    "pauses of rank 0"
assert_equal "" "$(awk '$1 ~ /MEASUREMENT/ && $2 == 1' printed)" "pauses of rank 1"
in_archive=$(awk '$1 == "ENTER" && $2 == 0' printed | wc -l)
[ "$in_archive" -le $((total - (end - begin) + 2)) ] ||
    wrong "$in_archive calls are recorded of $total, $((end - begin)) of them in the pause"
[ "$in_archive" -ge 6000 ] || wrong "only $in_archive calls are recorded"

loop
kill -USR1 "$(pid_of 0)"
status=0
wait "$launcher" || status=$?
[ "$status" -ne 0 ] || wrong "SIGUSR1 does not end the program as it does by default"
assert_contains "$(cat err)" "signal 10"

if mpis | grep -qx mpich; then
    run_mpich 2 "$record" --signals -o own.otf2.zip "$(example ring mpich)" >out 2>err ||
        wrong "MPICH with --signals fails"
    assert_contains "$(cat err)" "SIGUSR1 is the program's own"
fi
finish
