# Every way to send, receive, probe and complete: the archive has each call once, and each
# message from end to end, as otf2-print, python3-otf2 and mpiwatch-analyze count them.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of ring.c halo.c p2p_all_modes.c persistent.c probes.c wildcards.c any_source.c \
    completions.c cancel_free.c line.c proc_null.c zero_bytes.c grequest.c

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" cancelled_sends
    assert_equal 0 "$status" "cancelled_sends, $mpi: $(head -5 cancelled_sends.err)"
    "$analyze" info --json cancelled_sends.otf2.zip >info.json
    assert_equal "0 0 0" "$(json info.json \
        '" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives", "lost_events"))')" \
        "cancelled_sends, $mpi: unmatched sends, unmatched receives, lost events"

    # Whom a probe waits for is not recorded: what it takes is no wait, and is said.
    recorded "$mpi" "$ranks" probes
    assert_matches "$("$analyze" --width=200 waits probes.otf2.zip)" \
        '^MPI_Probe and MPI_Mprobe take [0-9.]+ [mun]?s besides'
    assert_matches "$("$analyze" --width=200 critical-path probes.otf2.zip)" \
        '^it does not follow what MPI_Probe and MPI_Mprobe wait for, [0-9.]+ [mun]?s '
    rm -rf unpacked
    unzip -q cancelled_sends.otf2.zip -d unpacked
    otf2-print unpacked/traces.otf2 >printed
    assert_equal "$(($(cat cancelled_sends.out) * ranks))" \
        "$(grep -c '^MPI_REQUEST_CANCELLED' printed || true)" "cancelled_sends, $mpi: cancelled"
done
finish
