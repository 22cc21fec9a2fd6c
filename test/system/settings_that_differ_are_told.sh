# The report's last line has the settings that are not as by default, by the program's own word for
# them; where the recorder did not say what its defaults are, all that are not off.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip --force "$(example ring "$mpi")" >out 2>err
    assert_matches "$("$analyze" run.otf2.zip)" '^settings +mpiwatch [0-9.]+, all as by default$'
    # Said, but what it is anyway.
    run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip --force --sites=auto -z 1 \
        "$(example ring "$mpi")" >out 2>err
    assert_matches "$("$analyze" run.otf2.zip)" '^settings +mpiwatch [0-9.]+, all as by default$'
    MPIWATCH_PVARS=none run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip --force --compress=9 \
        --events=p2p,coll "$(example ring "$mpi")" >out 2>err
    assert_matches "$("$analyze" run.otf2.zip)" \
        '^settings +mpiwatch [0-9.]+ compress=9 events=p2p,coll pvars=none$'
    told=$("$analyze" info run.otf2.zip | sed -n 's/^setting  *//p')
    for setting in compress=9 events=p2p,coll pvars=none; do
        grep -qx "$setting" <<<"$told" || fail "$mpi: info lacks $setting: $told"
    done
    assert_matches "$told" '^[0-9]+ more, as by default: info --json$'
    assert_lacks "$told" "sites="
    assert_lacks "$told" "defaults="
    "$analyze" info --json -o info.json run.otf2.zip
    assert_equal "[true, false, false]" "$(json info.json \
        '[w in d["settings"]["defaults"].split(",") for w in ("sites", "compress", "pvars")]')" \
        "$mpi: defaults"
done

"$TOP_BUILDDIR/test/data/make_archive" ring ring
assert_lacks "$("$analyze" ring)" "as by default"
finish
