# MPICH as distributions build it has no performance variables. The archive says so always;
# the run only if variables were asked for.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi mpich

assert_equal 5 "$(status_of run_mpich 2 "$record" -o quiet.otf2.zip "$(example hello mpich)")" \
    "the status of the example"
assert_lacks "$(cat stderr)" "performance variables"
assert_equal 5 "$(status_of run_mpich 2 "$record" -o asked.otf2.zip --pvars='*' \
    "$(example hello mpich)")" \
    "the status of the example"
assert_equal 1 "$(grep -c 'offers no performance variables.*enable-mpit-pvars' stderr)" "lines"
for archive in quiet asked; do
    "$analyze" counters --json $archive.otf2.zip >counters.json
    assert_contains "$(json counters.json 'd["note"]')" "offers no performance variables"
done

# Where variables were not asked for there are none either, and it is said.
run_mpich 2 "$record" -q -o none.otf2.zip --pvars=none "$(example hello mpich)" >out || true
assert_contains "$("$analyze" counters none.otf2.zip)" "none was recorded (mpiwatch-record --pvars"
