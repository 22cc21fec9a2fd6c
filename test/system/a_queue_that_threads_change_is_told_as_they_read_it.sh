# Open MPI's queue of unexpected messages, which two threads change 100,000 times a second: its
# mean and its greatest length are what the program (truth_threads.c) read itself after each of its
# calls, within what mpiwatch states, with the default settings.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # whose variable it is
need "$MPICC_OPENMPI"

$MPICC_OPENMPI -o queue "$TOP_SRCDIR/test/system/truth_threads.c" -lpthread
code=$(status_of run_openmpi 1 "$record" -q -o queue.zip ./queue)
[ "$code" != 77 ] || skip "this Open MPI has no such variable, or no threads"
assert_equal 0 "$code" "$(cat stderr)"
read -r least most greatest <stdout
"$analyze" counters --json queue.zip >counters.json
"$analyze" watermarks --json queue.zip >watermarks.json
row="[row for row in d['pvars'] if row['name'].startswith('pml_ob1_unexpected_msgq_length')][0]"
# From MPI_Init's end to the threads' first call the queue is empty, and after the last one.
assert_equal true "$(json counters.json "($row['mean_lower'] <= 1.01 * $most and
    0.95 * $least <= $row['mean_upper'])")" \
    "the truth, $least to $most, lies in $(json counters.json "$row")"
# One message, or no wider than what the program can tell itself.
assert_equal true "$(json counters.json "($row['mean_upper'] - $row['mean_lower'] <=
    max(1, 2 * ($most - $least)))")" "$least to $most, it is narrow: $(json counters.json "$row")"
assert_equal "$greatest" "$(json counters.json "$row['max']")" "the greatest"
mark="[row for row in d['watermarks']
    if row['name'].startswith('pml_ob1_unexpected_msgq_length')][0]['high']"
assert_equal true "$(json watermarks.json "($mark['value'] == $greatest and
    ($mark['upper'] is None or $mark['upper'] >= $greatest))")" "$(json watermarks.json "$mark")"
