# make profile-guided, in a build directory of its own: the program that it leaves there says the
# same, to the byte, as the one that is compiled as ever, and counts its memory.
. "$TOP_SRCDIR/test/system/lib.sh"

[ ! -e "$TOP_SRCDIR/config.status" ] || skip "the sources are configured themselves"
mkdir built
(cd built && "$TOP_SRCDIR/configure" --quiet && make -j2 profile-guided) >log 2>&1 ||
    fail "$(tail -5 log)"
guided=$PWD/built/mpiwatch-analyze
[ -e built/profile_guided/analyzer/cli/main.gcda ] || fail "there is no profile"

for shape in halo workers threads windows shares hands mistakes probers; do
    "$TOP_BUILDDIR/test/data/make_irregular" "$shape" none "$shape" >/dev/null
    for command in calls waits comms report mistakes validate; do
        for threads in 1 2; do
            for program in "$analyze" "$guided"; do
                "$program" "$command" -q -j "$threads" "$shape" && status=0 || status=$?
                echo "status $status"
            done >both 2>&1
            count=$(($(wc -l <both) / 2))
            assert_equal "$(head -n "$count" both)" "$(tail -n "$count" both)" "$command $shape"
        done
    done
done
"$TOP_BUILDDIR/test/bench/generate" many 4000 400000 >/dev/null
assert_contains "$("$guided" report -q --max-memory=16M many 2>&1)" "memory"
