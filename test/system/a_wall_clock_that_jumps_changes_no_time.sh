# Records use the monotonic clock: a wall clock that jumps while the program runs moves the
# date of the run and no time in it. ring: 10 sends and 10 receives a rank.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

${CC:-cc} -O2 -shared -fPIC -o wall_jump.so "$TOP_SRCDIR/test/system/wall_jump.c" ||
    skip "no C compiler"

for mpi in $(built_mpis); do
    status=0
    run_mpi "$mpi" 2 env LD_PRELOAD="$PWD/wall_jump.so" "$record" -q --force -o run.otf2.zip \
        "$(example ring "$mpi")" >run.out 2>run.err || status=$?
    assert_equal 0 "$status" "$mpi: exit"
    assert_equal "" "$(grep mpiwatch run.err || true)" "$mpi: the recorder complains"
    "$analyze" validate run.otf2.zip >validate.out || wrong "$mpi: $(head -3 validate.out)"
    "$analyze" info --json run.otf2.zip >info.json
    assert_equal "True 0 0 0" "$(json info.json '"%s %d %d %d" % (d["complete"],
        d["clock_violations"], d["lost_events"], d["unmatched_sends"])')" "$mpi: the archive"
    # An hour and more, if one jump had come in.
    [ "$(json info.json 'd["duration_ns"]')" -lt 600000000000 ] ||
        wrong "$mpi: the run takes $(json info.json 'd["duration_ns"]') ns"
done
finish
