# mpiwatch-analyze validate says the same, byte by byte and in the same order, by one thread and by
# several, of archives that are worth several: sound ones, and damaged ones, where one thread still
# looks at all locations together when another finds a location corrupt. Directories, and ZIP files
# that are damaged behind their sums and through them.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/bench/generate" sound 6 620000 >/dev/null

# same ARCHIVE [STATUS]: and out is what is found.
same() {
    for json in "" --json; do
        for threads in 1 2 3 7; do
            # shellcheck disable=SC2086 # one word or none
            status_of "$analyze" validate -q -j$threads $json "$1" >"status$threads"
            mv stdout "out$threads"
            mv stderr "err$threads"
            for what in status out err; do
                cmp "${what}1" "$what$threads" ||
                    fail "$1, -j$threads $json: $(diff "${what}1" "$what$threads" | head)"
            done
        done
        [ -n "$json" ] || cp out1 out
    done
    assert_equal "${2-$(cat status1)}" "$(cat status1)" "$1: $(cat out err1)"
}

# overwrite FILE OFFSET: with bytes that no record begins with.
overwrite() {
    head -c 40 /dev/zero | tr '\0' '\356' |
        dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

same sound 0
assert_matches "$(cat out)" "^sound: sound; 6 locations, [0-9]+ events, [0-9]+ messages matched$"

# The first location and the last one: at its beginning, in the middle, where it is nearly through.
for location in 0 5; do
    size=$(stat -c %s sound/traces/$location.evt)
    for place in 200 $((size / 2)) $((size - 400)); do
        cp -r sound damaged
        overwrite damaged/traces/$location.evt "$place"
        same damaged
        assert_contains "$(cat out)" "traces/$location.evt: offset"
        rm -r damaged
    done
done

# It ends early: as if it were damaged there; and as one of a shorter run, when what is known of all
# locations together is told behind that, and not again that something is missing.
cp -r sound cut
truncate -s $((size / 2)) cut/traces/5.evt
same cut
"$TOP_BUILDDIR/test/bench/generate" shorter 6 500000 >/dev/null
cp -r sound short
cp shorter/traces/5.evt short/traces/
same short 4
assert_contains "$(cat out)" "its definition"
assert_contains "$(cat out)" "have no partner"
assert_lacks "$(cat out)" "the archive says"

# Several at once, one that is another's, one that is not there.
cp -r sound several
for location in 1 2 4; do
    overwrite several/traces/$location.evt 5000
done
same several 3
assert_matches "$(grep -o '^corrupt *traces/[0-9]*' out | tr -cd 0-9)" "^124$" "$(cat out)"
cp -r several swapped
cp sound/traces/3.evt swapped/traces/4.evt
cp sound/traces/1.evt sound/traces/2.evt swapped/traces/
same swapped
cp -r several less
rm less/traces/2.evt
same less 3

# The same packed, with sums of what is damaged; and a ZIP file with an index, damaged itself.
"$python" -c 'import shutil
for name in "sound", "short", "several", "swapped":
    shutil.make_archive(name, "zip", name)'
same sound.zip 0
for each in short several swapped; do
    same $each.zip
done
"$analyze" export -q --otf2 blocks.otf2.zip sound || fail "export"
same blocks.otf2.zip 0
size=$(stat -c %s blocks.otf2.zip)
for place in 7 3 2; do
    cp blocks.otf2.zip hit.otf2.zip
    overwrite hit.otf2.zip $((size / place))
    same hit.otf2.zip 3
done
overwrite hit.otf2.zip $((size / 5))
same hit.otf2.zip 3

# All is as it should be but for the index.
"$python" - <<'PYTHON'
import zipfile
with zipfile.ZipFile("blocks.otf2.zip") as old, zipfile.ZipFile("index.otf2.zip", "w") as new:
    for member in old.infolist():
        data = old.read(member)
        if member.filename == "mpiwatch.idx":
            data = bytearray(data)
            data[len(data) // 2] ^= 1
        new.writestr(member, bytes(data), compress_type=member.compress_type)
PYTHON
same index.otf2.zip 3
