# Read by one thread or by several, an archive says the same; and damage does, too.
. "$TOP_SRCDIR/test/system/lib.sh"
generate=$TOP_BUILDDIR/test/bench/generate

# As many events as make four threads worth their while.
"$generate" made 9 900000 >truth.json
for command in info calls ranks messages comms counters watermarks timeline imbalance \
    critical-path waits pop report validate; do
    "$analyze" "$command" --json -j 1 made >one
    for threads in 2 4; do
        "$analyze" "$command" --json -j "$threads" made >several
        cmp one several || fail "$command: $threads threads say something else"
    done
done
"$analyze" report --html one.html -j 1 made >/dev/null
"$analyze" report --html several.html -j 4 made >/dev/null
cmp one.html several.html || fail "the page: four threads say something else"
# Four calls in each step, and MPI_Init and MPI_Finalize.
"$analyze" calls --json -j 4 made >calls.json
assert_equal "$(json truth.json '4 * d["ranks"] * d["steps"] + 2 * d["ranks"]')" \
    "$(json calls.json 'sum(c["count"] for c in d["calls"])')" "calls that four threads count"

# Two locations are damaged: one of them is named.
for location in 3 7; do
    head -c 64 /dev/zero | tr '\0' '\377' |
        dd of=made/traces/$location.evt bs=1 seek=20000 conv=notrunc status=none
done
for threads in 1 4; do
    for command in calls report; do
        assert_equal 3 "$(status_of "$analyze" "$command" -j "$threads" made)" \
            "status of $command with $threads threads"
        assert_matches "$(cat stderr)" "made/traces/[37]\\.evt"
    done
done

# All are, the first ones furthest from their beginning: what is found is told in their order.
for location in 0 1 2 3 4 5 6 7 8; do
    printf '\377\377\377\377\377\377' |
        dd of=made/traces/$location.evt bs=1 seek=$((620000 - location * 70000)) conv=notrunc \
            status=none
done
for threads in 1 2 4; do
    assert_equal 3 "$(status_of "$analyze" validate --json -j "$threads" made)" \
        "status of validate with $threads threads"
    mv stdout "validated.$threads"
    cmp validated.1 "validated.$threads" || fail "validate: $threads threads say something else"
done
assert_equal true "$(json validated.1 '[0, 1, 2, 3, 4, 5, 6, 7, 8] == sorted({
    int(f["member"].split("/")[1].split(".")[0]) for f in d["findings"]})')" "locations named"
