# A host whose clock is five days ahead of the other's: the archive tells times on one clock,
# whether the run ended or was killed, in which case its clocks were compared but once. Of a host
# that is lost with its spools, the list of spools still knows who was there.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need unshare hostname otf2-print
unshare --uts --time --monotonic 1 true 2>/dev/null || skip "unshare --uts --time is not permitted"
recover=$TOP_BUILDDIR/mpiwatch-recover
test_timeout=60

# Rank 1 lives on a host of its own.
cat >place <<'SCRIPT'
if [ "${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}" = 1 ]; then
    exec unshare --uts --time --monotonic 432000 sh -c 'hostname apart; exec "$@"' apart "$@"
fi
exec "$@"
SCRIPT

# spread ARCHIVE: seconds from the first event to the last one, as libotf2 tells them.
spread() {
    rm -rf unpacked
    mkdir unpacked
    (cd unpacked && unzip -q "../$1")
    otf2-print "$(find unpacked -name '*.otf2')" |
        awk '/^(ENTER|LEAVE) /{ if (!first) first = $3; last = $3 }
             END { printf "%d\n", (last - first) / 1e9 }'
}

# A first recovery without the spool of rank 1, whose host is named all the same.
lose_the_other_host() {
    local spool
    spool=$(sed -n 's/.*"rank":1,.*"spool":"\([^"]*\)".*/\1/p' run.otf2.zip.run)
    mv "$spool" away
    "$recover" -o lost.otf2.zip run.otf2.zip.run >out 2>err || true
    mv away "$spool"
    "$analyze" ranks --json -o lost.json lost.otf2.zip 2>err || true
    assert_equal '[0, "apart"]' "$(json lost.json '[d["ranks"][1]["calls"] or 0,
        d["ranks"][1]["host"]]')" "$mpi: host of the rank that is lost"
    rm lost.otf2.zip
}

for mpi in $(built_mpis); do
    for way in finalize SIGKILL; do
        rm -rf run.otf2.zip*
        run_mpi "$mpi" 2 sh place "$record" -o run.otf2.zip \
            "$TOP_BUILDDIR/test/system/dies-$mpi" $way -1 2000 >out 2>err || true
        if [ $way = SIGKILL ]; then
            lose_the_other_host
            "$recover" run.otf2.zip.run >out 2>err || true
        fi
        assert_file run.otf2.zip
        "$analyze" info --json -o info.json run.otf2.zip || true
        assert_equal 2 "$(json info.json 'd["hosts"]')" "$mpi, $way: hosts"
        assert_equal true "$(json info.json 'd["duration_ns"] < 100e9')" \
            "$mpi, $way: a run of $(json info.json 'd["duration_ns"]') ns"
        assert_equal true "$(json info.json 'd["hosts_clock_error_ns"] > 0')" "$mpi, $way: error"
        assert_contains "$("$analyze" info run.otf2.zip 2>/dev/null)" "hosts' clocks        within"
        [ "$(spread run.otf2.zip)" -lt 100 ] ||
            wrong "$mpi, $way: other readers see a run of $(spread run.otf2.zip) s"
    done
done
finish
