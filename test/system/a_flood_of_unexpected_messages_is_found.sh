# The default selection, asked for by nobody, finds the flood of examples/flood.c: 200
# unexpected messages on rank 0, in MPI_Recv.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi

run_openmpi 2 "$record" -q -o flood.otf2.zip "$(example flood openmpi)" >/dev/null
"$analyze" watermarks --json flood.otf2.zip >watermarks.json
row="[row for row in d['watermarks'] if row['name'] == 'pml_ob1_unexpected_msgq_length.sum'
    and row['rank'] == 0][0]"
assert_equal '[200, "MPI_Recv", "MPI_COMM_WORLD"]' \
    "$(json watermarks.json "[$row['high']['value'], $row['high']['call'], $row['comm']]")" \
    "the highest queue"
sum="[row for row in d['across_ranks'] if row['name'] == 'pml_ob1_unexpected_msgq_length.sum'][0]"
assert_equal 200 "$(json watermarks.json "$sum['peak_of_sum']")" "the peak of the sum"
t=$(json watermarks.json "$row['high']['t_ns']")

# The time is that of the one MPI_Recv that got the last message: it is left there.
"$analyze" dump --json --rank=0 flood.otf2.zip |
    grep -m1 '"event":"leave","region":"MPI_Recv"' >first
assert_contains "$(cat first)" "\"time_ns\":$t,"

# Before it, in a window of its own, there is nothing.
"$analyze" watermarks --json --to=$((t - 1))ns flood.otf2.zip >before.json
assert_equal 0 "$(json before.json "$row['high']['value']")" "the highest queue before the flood"
