# A variable MPIWATCH_… that nobody reads, or a value that makes no sense, is said once per
# run, not once per rank, and the run goes on with the default.
. "$TOP_SRCDIR/test/system/lib.sh"

for mpi in $(mpis); do
    MPIWATCH_COMPRES=9 MPIWATCH_MAX_SPOOL=plenty run_mpi "$mpi" 2 "$record" -o "$mpi.otf2.zip" \
        "$(example empty "$mpi")" 2>said
    assert_equal 1 "$(grep -c 'MPIWATCH_COMPRES .*did you mean MPIWATCH_COMPRESS?' said)" \
        "lines about the unknown variable ($(cat said))"
    assert_equal 1 "$(grep -c 'MPIWATCH_MAX_SPOOL: "plenty" is not a size' said)" \
        "lines about the wrong value ($(cat said))"
    "$analyze" info --json "$mpi.otf2.zip" >info.json
    assert_equal "2" "$(json info.json 'd["ranks"]')" "ranks in the archive"
done
