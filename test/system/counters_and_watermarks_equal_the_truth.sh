# Variables of all ten classes, registered in the real Open MPI, come out as the program
# (synthetic_pvars.c) set them: sums exactly, watermarks exactly or as an interval around
# the truth.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # which lets a program register variables in it
need "$MPICC_OPENMPI"

$MPICC_OPENMPI -o synthetic "$TOP_SRCDIR/test/system/synthetic_pvars.c" \
    -l:libopen-pal.so.40 2>err || skip "no libopen-pal to link with: $(head -1 err)"
run_openmpi 1 "$record" -q -o syn.otf2.zip --pvars='syn_*' --pvar-interval=0 ./synthetic
"$analyze" counters --json syn.otf2.zip >counters.json
"$analyze" watermarks --json syn.otf2.zip >watermarks.json

# of NAME KEY
of() {
    json counters.json "[row['$2'] for row in d['pvars'] if row['name'] == 'syn_$1'][0]"
}
assert_equal 10 "$(json counters.json 'len(set(row["class"] for row in d["pvars"]))')" "classes"
assert_equal 1275 "$(of counter total)" "the counter"
assert_equal 12750 "$(of aggregate total)" "the aggregate"
assert_equal 12.5 "$(of timer total)" "the timer"
assert_equal "0 50" "$(of level min) $(of level max)" "the level"
assert_equal "0 6" "$(of size min) $(of size max)" "the size"
assert_equal "0.765625" "$(of percentage max)" "the percentage, 49/64"
assert_equal "0 2 [0, 1, 2]" "$(of state min) $(of state max) \
$(json counters.json "[sorted(row['states']) for row in d['pvars']
    if row['name'] == 'syn_state'][0]")" \
    "the state"
assert_equal 49 "$(of generic last)" "the generic one"

# holds NAME END TRUTH: the interval of the mark contains the truth, and the sampled value is it.
holds() {
    assert_equal true "$(json watermarks.json "[row['$2']['value'] == $3 and
        (row['$2']['lower'] is None or row['$2']['lower'] <= $3) and
        (row['$2']['upper'] is None or row['$2']['upper'] >= $3)
        for row in d['watermarks'] if row['name'] == 'syn_$1'][0]")" "the $2 mark of $1"
}
holds level high 50
holds high high 50
holds low low 850
holds percentage high 0.765625
assert_equal MPI_Barrier "$(json watermarks.json "[row['high']['call'] for row in d['watermarks']
    if row['name'] == 'syn_level'][0]")" "the call in which the level was highest"
