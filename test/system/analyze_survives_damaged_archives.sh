# Archives cut short and with bits flipped: mpiwatch-analyze neither crashes nor hangs, and
# says what is wrong where it can be known. DAMAGE: how often each file of a directory is cut,
# and has a bit flipped, and the same of a ZIP file.
. "$TOP_SRCDIR/test/system/lib.sh"

make_archive=$TOP_BUILDDIR/test/data/make_archive
damage=$TOP_SRCDIR/test/system/damage.py

# libotf2 loses memory of its own when it meets damaged files.
printf 'leak:%s\n' OTF2_ otf2_ >leaks
export LSAN_OPTIONS=suppressions=$PWD/leaks:print_suppressions=0

read -r cuts flips zip_cuts zip_flips <<<"${DAMAGE-10 25 50 200}"
"$make_archive" nested nested
"$make_archive" comms comms
"$python" "$damage" "$analyze" nested "$cuts" "$flips" || fail "a directory"
"$python" "$damage" "$analyze" comms "$cuts" "$flips" || fail "a directory with communicators"
"$python" -c 'import shutil; shutil.make_archive("nested", "zip", "nested")'
"$python" "$damage" "$analyze" nested.zip "$zip_cuts" "$zip_flips" || fail "a ZIP file"

# A member that says it is huge, and one whose name leads out.
"$python" - <<'PYTHON'
import zipfile
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
    with bomb.open("traces.otf2", "w") as member:
        for _ in range(64):
            member.write(bytes(1 << 20))
with zipfile.ZipFile("outside.zip", "w") as outside:
    outside.writestr("../traces.otf2", b"x")
PYTHON
for each in bomb.zip outside.zip; do
    status=0
    (ulimit -v 4000000 2>/dev/null; "$analyze" "$each") >out 2>err || status=$?
    [ "$status" = 3 ] || grep -q ReserveShadow err || fail "$each: exit $status: $(cat err)"
done
