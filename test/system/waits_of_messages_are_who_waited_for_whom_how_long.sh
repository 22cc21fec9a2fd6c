# Programs that sleep a known time between messages: the analyzer finds the pattern, the ranks
# and the time, and nothing else.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/waits.sh"

for mpi in $(mpis); do
    waits_are_found "$mpi" 2 late_sender late_receiver
    waits_are_found "$mpi" 3 wrong_order
done
