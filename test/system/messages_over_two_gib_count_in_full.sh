# Messages of 2.4 GB, by count and by derived type, have all their bytes in the archive.
# Needs 8 GB of memory, else it is skipped.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

for mpi in $(built_mpis); do
    recorded "$mpi" 2 large_message
    [ "$status" -ne 77 ] || skip "$(cat large_message.out)"
    assert_equal 0 "$status" "$mpi: status: $(head -5 large_message.err)"
    as_expected "$mpi" 2 large_message.c
done
finish
