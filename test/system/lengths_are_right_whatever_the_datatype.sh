# Derived datatypes with holes, with nothing and with 2^40 bytes in them, counts over 2^31,
# statuses that the program fills: lengths are what went, by hand.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    large=$(if [ "$mpi" = mpich ]; then echo 1; else echo 0; fi)
    recorded "$mpi" "$ranks" counts
    assert_equal 0 "$status" "$mpi: status: $(head -5 counts.err)"
    as_expected "$mpi" "$ranks" counts.c --set large="$large"
done
finish
