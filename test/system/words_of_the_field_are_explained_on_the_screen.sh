# Who has not read the manual is told by a line what POP and NxN are, where they stand.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" allreduce allreduce # with waits at an NxN operation
"$TOP_BUILDDIR/test/data/make_archive" plain plain         # without any
"$analyze" waits allreduce >out
grep -q '^wait at NxN' out || fail "no such wait: $(cat out)"
assert_equal "NxN: collectives in which each rank needs something of all, as MPI_Allreduce" \
    "$(grep '^NxN:' out)" "NxN"
assert_equal "" "$("$analyze" waits plain | grep 'NxN')" "NxN where there is none"
for archive in allreduce plain; do
    assert_equal "The model of the POP project (pop-coe.eu): 1 is ideal, 0.80 and more is good" \
        "$("$analyze" pop $archive | grep 'POP')" "POP"
done
assert_equal "" "$("$analyze" pop --csv plain | grep 'POP')" "no words in a table"
