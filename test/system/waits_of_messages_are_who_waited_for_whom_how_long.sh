# Programs that sleep a known time between messages: the analyzer finds the pattern, the ranks
# and the time, and nothing else.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/waits.sh"

need_mpi openmpi
waits_are_found openmpi 2 late_sender late_receiver
waits_are_found openmpi 3 wrong_order
if mpis | grep -qx mpich; then
    waits_are_found mpich 2 late_sender
fi
