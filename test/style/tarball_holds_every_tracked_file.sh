# What is in the repository is in the tarball: nothing was forgotten in a list of files.
. "$TOP_SRCDIR/test/style/findings.sh"

git rev-parse --show-toplevel >/dev/null 2>&1 || skip "this is no checkout"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mpiwatch-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" distdir distdir="$scratch/dist" >"$scratch/log" 2>&1 || {
    tail -5 "$scratch/log"
    report "make distdir failed"
    finish
}
tracked=$(git ls-files | grep -vxF .gitignore)
(cd "$scratch/dist" && find . -type f | sed 's,^\./,,' | sort) >"$scratch/listed"
report "$(comm -23 <(echo "$tracked" | sort) "$scratch/listed" | sed 's/$/ is not in the tarball/')"
finish
