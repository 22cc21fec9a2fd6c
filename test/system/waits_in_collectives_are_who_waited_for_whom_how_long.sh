# Programs that sleep a known time before a collective operation: the analyzer finds the pattern,
# the ranks and the time, and nothing else.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/waits.sh"

need_mpi openmpi
waits_are_found openmpi 2 early_reduce early_scan
waits_are_found openmpi 3 late_broadcast nxn_wait barrier_wait icollective_wait comm_create_wait \
    neighbour_wait alltoallv_wait intercomm_wait
if mpis | grep -qx mpich; then
    waits_are_found mpich 3 nxn_wait icollective_wait neighbour_wait alltoallv_wait intercomm_wait
fi
