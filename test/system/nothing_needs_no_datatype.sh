# No elements of MPI_DATATYPE_NULL: where MPI takes that, the recorder does not ask for the size of
# the type, which would end the program.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

need_mpi mpich
need unzip otf2-print
$(mpicc_of mpich) -o nothing "$TOP_SRCDIR/test/system/nothing_of_no_type.c"
run_mpi mpich 2 ./nothing || skip "this MPICH does not take MPI_DATATYPE_NULL for no elements"
run_mpi mpich 2 "$record" -q -o nothing.otf2.zip ./nothing || fail "with the recorder it ends by $?"
reported info nothing
assert_equal "0 0" "$(json info.json \
    '" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives"))')" \
    "unmatched sends and receives"
mkdir unzipped
unzip -q nothing.otf2.zip -d unzipped
otf2-print unzipped/traces.otf2 | grep -E 'MPI_I?SEND ' >sends
assert_equal 2 "$(grep -c 'Length: 0' sends)" "sends of no bytes"
finish
