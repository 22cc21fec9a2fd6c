# Whatever mpiwatch-analyze says as JSON fits its schema, in which only those values may be null
# that have a reason beside them: of all archives that were made by hand, and of a recorded run.
# check tells the reason to people.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import jsonschema' 2>/dev/null || skip "no python3-jsonschema here"

make_archive=$TOP_BUILDDIR/test/data/make_archive
archives=$("$make_archive" 2>&1 | sed 1d)
for name in $archives; do
    "$make_archive" "$name" "$name"
done
mpi=$(mpis | head -1)
run_mpi "$mpi" 2 "$record" -o halo.otf2.zip "$(example halo "$mpi")" >out 2>err ||
    fail "halo: $(cat err)"
# shellcheck disable=SC2086 # names
"$python" "$TOP_SRCDIR/test/system/nulls.py" "$analyze" $archives halo.otf2.zip >out 2>err ||
    fail "$(cat err)"
assert_matches "$(cat out)" '^[0-9]{4,} nulls, all with one of [0-9]{3,} reasons$'

# Nobody knows how long open would take on an ideal network: a call was never left.
assert_equal 1 "$(status_of "$analyze" check -q --min pop.transfer_efficiency=0 open)" "not known"
assert_contains "$(cat stdout)" "BREACH    pop.transfer_efficiency is not known: the run on an \
ideal network is not known (ideal_unknown says why), or no time"
