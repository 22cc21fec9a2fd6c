# Open MPI's queue of unexpected messages, which is empty but for moments: its mean is what the
# program (truth_queue.c) read itself after each of its calls, with the default settings.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # whose variable it is
need "$MPICC_OPENMPI"

$MPICC_OPENMPI -o queue "$TOP_SRCDIR/test/system/truth_queue.c"
code=$(status_of run_openmpi 2 "$record" -q -o queue.zip ./queue)
[ "$code" != 77 ] || skip "this Open MPI has no such variable"
read -r least most <stdout
"$analyze" counters --json queue.zip >counters.json
row="[row for row in d['pvars'] if row['rank'] == 1
    and row['name'] == 'pml_ob1_unexpected_msgq_length.sum'][0]"
assert_equal true "$(json counters.json "($row['mean_lower'] <= $most + 0.005 and
    $least - 0.005 <= $row['mean_upper'])")" \
    "the truth, $least to $most, lies in $(json counters.json "$row")"
# A message at most, or no wider than what the program can tell itself, where the system stops it
# inside its calls.
assert_equal true "$(json counters.json "($row['mean_upper'] <= $most + 0.05 and
    $row['mean_upper'] - $row['mean_lower'] <= max(1, $most - $least))")" \
    "it is narrow: $(json counters.json "$row")"
assert_equal ompi_pml_ob1 "$(json counters.json "$row['categories']")" "Open MPI's category"
