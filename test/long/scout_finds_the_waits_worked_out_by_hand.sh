# Scalasca's own analyzer on the archives of score_p_waits.py: in late sender, late receiver, NxN,
# barrier, early reduce and late broadcast it finds what was worked out by hand, and so what
# mpiwatch finds (test/system/waits_of_scalascas_patterns_are_those_by_hand.sh), but for what
# mpiwatch-analyses(7) tells of under "Scalasca". It is SCOUT, or the scout.mpi of the PATH;
# SCOUT_MPI says which MPI that was built with, openmpi if not said. Seen with that of Scalasca 2.5.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
scout=${SCOUT-$(command -v scout.mpi || true)}
[ -n "$scout" ] || skip "no scout.mpi of Scalasca's in the PATH, and SCOUT does not say where"
[ -x "$scout" ] || skip "there is no program $scout"
mpi=${SCOUT_MPI-openmpi}
need_mpi "$mpi"
unset CUBEW_ZLIB_COMPRESSION

for name in late_sender late_receiver nxn barrier early_reduce late_broadcast apart; do
    "$python" "$TOP_SRCDIR/test/system/score_p_waits.py" "$name" "$name" >"$name.json"
    run_mpi "$mpi" 3 "$scout" "$name/traces.otf2" >"$name.log" 2>&1 ||
        fail "scout of $name: $(tail -n 5 "$name.log")"
    "$python" "$TOP_SRCDIR/test/long/scout_report.py" "$name/scout.cubex" "$name.json" >differ ||
        fail "$name: $(cat differ)"
done
