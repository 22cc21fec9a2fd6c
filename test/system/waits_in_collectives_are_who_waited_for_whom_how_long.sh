# Programs that sleep a known time before a collective operation: the analyzer finds the pattern,
# the ranks and the time, and nothing else.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/waits.sh"

for mpi in $(mpis); do
    waits_are_found "$mpi" 2 early_reduce early_scan
    waits_are_found "$mpi" 3 held_scan late_broadcast nxn_wait barrier_wait icollective_wait \
        comm_create_wait neighbour_wait alltoallv_wait intercomm_wait
done
