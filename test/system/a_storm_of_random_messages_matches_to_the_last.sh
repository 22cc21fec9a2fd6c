# Random messages on three communicators, received and completed in random ways: with
# three seeds under each MPI, every send has its receive, of the same length.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    for seed in 1 2 3; do
        recorded "$mpi" "$ranks" storm 200 $seed
        assert_equal 0 "$status" "$mpi, seed $seed: status: $(head -5 storm.err)"
        as_expected "$mpi" "$ranks" storm.c
    done
done
finish
