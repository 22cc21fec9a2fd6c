# What is in the repository is in the tarball: nothing was forgotten in a list of files. Made once
# more, by somebody with another umask, time zone and younger files, it has the same bytes.
. "$TOP_SRCDIR/test/style/findings.sh"

git rev-parse --show-toplevel >/dev/null 2>&1 || skip "this is no checkout"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mpiwatch-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# made NAME: the tarball, compressed in haste, as $scratch/NAME.tar.xz.
made() {
    MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" dist distdir="$scratch/dist" XZ_OPT=-0 \
        >"$scratch/log" 2>&1 || {
        tail -5 "$scratch/log"
        report "make dist failed"
        finish
    }
    mv "$scratch/dist.tar.xz" "$scratch/$1.tar.xz"
}

made one
git ls-files | grep -vxF .gitignore | sort >"$scratch/tracked"
tar -tf "$scratch/one.tar.xz" | sed "s,^${scratch#/}/dist/,," | sort >"$scratch/listed"
report "$(comm -23 "$scratch/tracked" "$scratch/listed" | sed 's/$/ is not in the tarball/')"

umask 077
TZ=Asia/Tokyo made other
cmp -s "$scratch/one.tar.xz" "$scratch/other.tar.xz" || {
    tar --full-time -tvf "$scratch/one.tar.xz" >"$scratch/listed"
    report "a second tarball differs:"
    report "$(tar --full-time -tvf "$scratch/other.tar.xz" | diff "$scratch/listed" - | head -4)"
}
finish
