# Scripts that read the JSON of mpiwatch-analyze 0.1.0 find all its keys, with their types.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" "$TOP_SRCDIR/test/system/old_keys.py" "$analyze" \
    "$TOP_SRCDIR/test/system/keys-0.1.0.txt" "$TOP_BUILDDIR/test/data/make_archive" >out 2>err ||
    fail "a key of 0.1.0: $(cat err)"
assert_matches "$(cat out)" '^[0-9]{3} keys$'
