# --max-spool SIZE --on-full wrap: the spool stays within SIZE, the latest calls are kept,
# also of a run that is killed, and those that were written over are counted to the last.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print
rounds=40000
made=$((1 + 3 * rounds + 2 + 1)) # Init, rounds, barriers, Finalize

# kept ARCHIVE CALLS [REASON]: of each of two ranks calls in the archive and calls lost (for the
# limit) make CALLS, and what is kept are whole calls.
kept() {
    rm -rf unpacked
    unzip -q "$1" -d unpacked
    otf2-print unpacked/traces.otf2 >printed 2>complaints || wrong "$1: otf2-print fails"
    assert_empty complaints
    for rank in 0 1; do
        local in_archive lost
        in_archive=$(json unpacked/mpiwatch.json "d['ranks'][$rank]['calls']")
        lost=$(json unpacked/mpiwatch.json "d['ranks'][$rank]['lost']['${3-limit}']")
        assert_equal "$2" "$((in_archive + lost))" "$1: calls kept and lost of rank $rank"
        [ "$in_archive" -gt 2000 ] || wrong "$1: only $in_archive calls of rank $rank are kept"
        [ "$lost" -gt 50000 ] || wrong "$1: only $lost calls of rank $rank are lost"
        assert_equal "$in_archive" "$(grep -cE "^ENTER +$rank " printed)" "$1: enters of rank $rank"
        assert_equal "$in_archive" "$(grep -cE "^LEAVE +$rank " printed)" "$1: leaves of rank $rank"
    done
    assert_equal 4 "$(status_of "$analyze" "$1")" "$1: status of the report"
    assert_equal 4 "$(status_of "$analyze" timeline "$1")" "$1: status of the timeline"
    assert_equal 4 "$(status_of "$analyze" check --max waits.share=1 "$1")" "$1: status of check"
    assert_equal 4 "$(status_of "$analyze" export --perfetto=- "$1")" "$1: status of export"
}

for mpi in $(built_mpis); do
    dies=$TOP_BUILDDIR/test/system/dies-$mpi
    rm -rf "${spools:?}"/* ./*.otf2.zip*
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip --max-spool 300K --on-full wrap "$dies" finalize 0 \
        $rounds >out 2>err || wrong "the run failed: $(cat err)"
    assert_contains "$(cat err)" "calls LOST"
    kept run.otf2.zip $made
    grep '^LEAVE' printed | tail -1 | grep -q MPI_Finalize || wrong "the run's end is not kept"

    # What is on disk while it runs, and after a kill: no more than SIZE.
    rm -f run.otf2.zip*
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip --max-spool 300K --on-full wrap "$dies" SIGKILL -1 \
        $rounds >out 2>err || true # a launcher may end with 0
    [ ! -e run.otf2.zip ] || wrong "the killed run came through"
    for events in "$spools"/*/0.events; do
        [ "$(stat -c %s "$events")" -le 307200 ] || wrong "$events is larger than 300 KiB"
    done
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run --remove)" \
        "recover"
    kept run.otf2.zip $((1 + 3 * rounds + 1))

    # Without wrap the beginning is kept, and the count is as exact.
    run_mpi "$mpi" 2 "$record" -o stop.otf2.zip --max-spool 256K "$dies" finalize 0 $rounds \
        >out 2>err || wrong "the run that stops recording failed"
    kept stop.otf2.zip $made
    grep '^ENTER' printed | head -1 | grep -q MPI_Init || wrong "the run's beginning is not kept"

    # Nor is it less exact when the run is killed; the recorder does not say what the limit was.
    rm -rf "${spools:?}"/* run.otf2.zip*
    run_mpi "$mpi" 2 "$record" -o run.otf2.zip --max-spool 256K "$dies" SIGKILL -1 $rounds \
        >out 2>err || true
    [ ! -e run.otf2.zip ] || wrong "the killed run that stops recording came through"
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run --remove)" \
        "recover of one that stopped recording"
    kept run.otf2.zip $((1 + 3 * rounds + 1)) space

    # Too small for two segments: nothing is recorded, and that is said.
    run_mpi "$mpi" 2 "$record" -o small.otf2.zip --max-spool 80K --on-full wrap "$dies" finalize 0 \
        10 >out 2>err || wrong "a small ring disturbs the program"
    assert_contains "$(cat err)" "too small to record into: it takes 274432"
    "$analyze" small.otf2.zip >out 2>err || true
    assert_contains "$(cat out)" "no events, all were lost"
    assert_matches "$(head -1 out)" "$(date -u +%F -r small.otf2.zip) "
done
finish
