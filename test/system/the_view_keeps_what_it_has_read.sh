# mpiwatch-view keeps what it has read of an archive in the user's cache, for the user alone: the
# next view says the same, of the same archive only. What is damaged there is read anew.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
need_view

# say NAME: all that the view tells of it, into NAME.
say() {
    local path
    for path in /meta /near /span /waits "/states?cells=100" "/call?id=0" "/call?id=3" \
        "/call?id=1025"; do
        curl -s -b jar "$base$path"
        echo
    done >"$1"
    [ "$(wc -c <"$1")" -gt 2000 ] || fail "$1: little is told: $(cat "$1")"
}
kept() {
    find cache -type f -name '*-view'
}
# view_of ARCHIVE NAME [OPTION...]
view_of() {
    local archive=$1 name=$2 at
    shift 2
    show "$archive" "$@"
    enter
    say "$name"
    for ((at = 0; at < 30; at++)); do # it is kept when it is shown already
        [ -z "$(kept)" ] || break
        sleep 0.1
    done
    leave || fail "$name: it ended with $?: $(cat view.err)"
}

"$TOP_BUILDDIR/test/data/make_archive" paused paused
"$TOP_BUILDDIR/test/data/make_archive" waits_messages waits
view_of waits none --no-cache
assert_equal "" "$(kept)" "--no-cache"
view_of waits first
file=$(kept)
assert_equal 1 "$(echo "$file" | wc -l)" "files that are kept: $file"
assert_equal 600 "$(stat -c %a "$file")" "its mode"
assert_equal 700 "$(stat -c %a "$(dirname "$file")")" "its directory's mode"
cmp none first || fail "what is kept changes what is told"
# It is read, and not written again.
inode=$(stat -c %i "$file")
view_of waits second
cmp first second || fail "the second view tells something else"
assert_equal "$inode" "$(stat -c %i "$file")" "the file was made anew"

# Pauses are in lists of their own.
view_of paused paused.first
view_of paused paused.second
cmp paused.first paused.second || fail "paused: the second view tells something else"
assert_equal 2 "$(kept | wc -l)" "files of two archives"

# Damaged anywhere, it is as if there were none.
bytes=$(stat -c %s "$file")
for at in 3 60 200 $((bytes / 2)) $((bytes - 20)); do
    printf '\377' | dd of="$file" bs=1 seek="$at" conv=notrunc 2>/dev/null
    view_of waits damaged
    cmp first damaged || fail "damaged at $at: something else is told"
done
truncate -s $((bytes / 2)) "$file"
view_of waits short
cmp first short || fail "cut: something else is told"

# Another archive at the same place is another one; a cache that can't be written is none.
rm -rf waits && "$TOP_BUILDDIR/test/data/make_archive" uneven waits
view_of waits other --linger=1
! cmp -s first other || fail "it tells of an archive that there is no more"
before=$(kept | wc -l)
view_of waits forgotten --forget
assert_equal $((before - 1)) "$(kept | wc -l)" "--forget"
cmp other forgotten || fail "--forget: something else is told"
XDG_CACHE_HOME=/proc/nothing view_of waits without
cmp other without || fail "without a cache: something else is told"
