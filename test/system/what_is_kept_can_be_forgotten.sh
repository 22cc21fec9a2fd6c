# Of an archive that takes a second and more to read, dump --from keeps where reading can begin, for
# the user alone; nothing of small ones, of what is near the beginning, nor where it is told not to.
# Where nothing can be kept, all is as before.
. "$TOP_SRCDIR/test/system/lib.sh"

export XDG_CACHE_HOME=$PWD/cache
mkdir cache
"$TOP_BUILDDIR/test/bench/generate" small 2 10000 >/dev/null
"$TOP_BUILDDIR/test/bench/generate" large 2 10100000 >/dev/null
end=$("$analyze" info --json small | "$python" -c \
    'import json, sys; print(json.load(sys.stdin)["duration_ns"])')
"$analyze" dump -q small --from="$((end - 100))ns" >/dev/null
[ -z "$(ls cache)" ] || fail "something is kept of a small archive"

# span OPTION...: the events of a short span at the end of large, in out.
span() {
    "$analyze" dump -q large --from=4.5s --to=4.5001s "$@" >out
    [ "$(wc -l <out)" -gt 20 ] || fail "few events: $(cat out)"
}
kept() { ls cache/mpiwatch 2>/dev/null | wc -l; }

"$analyze" dump -q large --from=0.1s --to=0.1001s >/dev/null
span --no-cache
mv out wanted
[ -z "$(ls cache)" ] || fail "something is kept although nobody has use for it"
span --rank=0
assert_equal 0 "$(kept)" "files of a rank that is read within a second"
span
cmp wanted out
assert_equal 1 "$(kept)" "files of a large archive"
assert_equal "700 600" "$(stat -c %a cache/mpiwatch cache/mpiwatch/* | xargs)" modes
[ "$(du -k cache/mpiwatch/* | cut -f 1)" -lt 100 ] || fail "$(ls -l cache/mpiwatch)"
cp cache/mpiwatch/* first
span
cmp wanted out
span --no-cache
cmp wanted out
cmp first cache/mpiwatch/*

# It is written anew when the archive has changed, and by nobody when it is whole.
touch large/traces/0.evt
span
cmp wanted out
assert_equal 2 "$(kept)" "files after a change"
span --forget
cmp wanted out
assert_equal 1 "$(kept)" "files when one is forgotten"

# Who only matches messages follows the run in chapters, too.
rm -r cache/mpiwatch
for command in "info --full" comms; do
    "$analyze" $command -q -j 2 --no-cache large >wanted_of_it
    assert_equal 0 "$(kept)" "files of $command --no-cache"
    "$analyze" $command -q -j 2 large >out
    cmp wanted_of_it out
    assert_equal 1 "$(kept)" "files of $command"
    "$analyze" $command -q -j 2 --forget large >out
    cmp wanted_of_it out
    assert_equal 0 "$(kept)" "files of $command --forget"
done

rm -r cache/mpiwatch
touch cache/mpiwatch # no directory
span
cmp wanted out
rm cache/mpiwatch
(
    ulimit -f 4 # blocks of 1 KiB: there is no room for it
    "$analyze" dump -q large --from=4.5s --to=4.5001s --rank=0 | head -n 1 >first
    "$analyze" dump -q large --from=4.5s --to=4.5001s | wc -l >count
)
assert_equal "$(wc -l <wanted)" "$(cat count)" "events without room in the cache"
assert_equal 0 "$(kept)" "files without room"
