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

    # Probes say what they found, in their order; one that found nothing has nothing to say.
    recorded "$mpi" "$ranks" probes
    rm -rf unpacked
    unzip -q probes.otf2.zip -d unpacked
    otf2-print unpacked/traces.otf2 | grep -A1 '^ENTER.*[Pp]robe"' |
        grep -o 'Region: "[A-Za-z_]*"\|_source.*' >printed || true
    assert_equal $((ranks / 2)) "$(sed -n '/"MPI_Probe"/{n;p}' printed | grep -c \
        'found_tag" <[0-9]*>; INT32; 0)')" "probes, $mpi: what MPI_Probe found"
    assert_equal $((ranks / 2)) "$(sed -n '/"MPI_Iprobe"/{n;p}' printed | grep -c \
        'found_tag" <[0-9]*>; INT32; 1)')" "probes, $mpi: what MPI_Iprobe found"
    assert_equal $((ranks / 2)) "$(sed -n '/"MPI_Improbe"/{n;p}' printed | grep -c \
        'found_tag" <[0-9]*>; INT32; 3)')" "probes, $mpi: what MPI_Improbe found first"
    assert_equal $((ranks / 2 * 2)) "$(sed -n '/"MPI_Improbe"/{n;p}' printed | grep -c \
        'found_tag" <[0-9]*>; INT32; 4)')" "probes, $mpi: what MPI_Improbe found then"
    assert_equal $((ranks / 2 * 4)) "$(sed -n '/"MPI_I/{n;p}' printed | grep -c found)" \
        "probes, $mpi: what others have found that do not block"
    assert_equal $((ranks / 2)) "$(sed -n '/"MPI_Mprobe"/{n;p}' printed | grep -c \
        'found_tag" <[0-9]*>; INT32; 2)')" "probes, $mpi: what MPI_Mprobe found"
    rm -rf unpacked
    unzip -q cancelled_sends.otf2.zip -d unpacked
    otf2-print unpacked/traces.otf2 >printed
    assert_equal "$(($(cat cancelled_sends.out) * ranks))" \
        "$(grep -c '^MPI_REQUEST_CANCELLED' printed || true)" "cancelled_sends, $mpi: cancelled"
done
finish
