# Without --full the text of info is made of what the archive says of itself: it is the same where
# no event can be read, and what it says is what reading says, of recorded runs also how long they
# took. JSON has all as ever.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# said ARCHIVE: glance and full are what info says of it, but for what only one of them knows.
said() {
    "$analyze" -q info "$1" >glance.all || fail "$1: info"
    "$analyze" -q info --full "$1" >full.all || fail "$1: info --full"
    grep -vE '^(complete|not read) ' glance.all >glance
    grep -xF -f glance full.all >both || true
    cmp glance both || fail "$1: $(cat glance.all full.all)"
    grep -qE '^not read +MPI calls, messages, clock violations: info --full$' glance.all ||
        fail "$1: not a word on what is not read: $(cat glance.all)"
    ! grep -qE '^(MPI calls|messages|clock violations|open calls) ' glance.all ||
        fail "$1: has read: $(cat glance.all)"
    assert_equal 4 "$(grep -cE '^(MPI calls|messages|clock violations|open calls) ' full.all)" \
        "$1: lines of what was read"
}

for mpi in $(mpis); do
    run_mpi "$mpi" 2 "$record" -q --force -o run.otf2.zip "$TOP_BUILDDIR/examples/halo-$mpi" 10 \
        >/dev/null
    said run.otf2.zip
    grep -q '^duration ' glance || fail "$mpi: how long it took is not said: $(cat glance)"
done

"$TOP_BUILDDIR/test/bench/generate" made 4 4000 >truth.json
said made
cp glance.all whole
"$analyze" info --json made >json
# Four calls in each step, and MPI_Init and MPI_Finalize.
assert_equal "$(json truth.json '[4 * d["ranks"] * d["steps"] + 2 * d["ranks"], 0]')" \
    "$(json json '[d["mpi_calls"], d["unmatched_sends"]]')" "JSON, without --full"
for location in 0 1 2 3; do
    head -c 4000 /dev/zero | tr '\0' '\377' >"made/traces/$location.evt"
done
assert_equal 0 "$(status_of "$analyze" -q info made)" "no event can be read"
cmp stdout whole || fail "no event can be read: $(cat stdout)"
for words in --full --json; do
    assert_equal 3 "$(status_of "$analyze" -q info $words made)" "info $words reads"
done
assert_equal 2 "$(status_of "$analyze" info --full --sizes made)" "--full and --sizes"
assert_equal 2 "$(status_of "$analyze" calls --full made)" "--full is of info alone"
