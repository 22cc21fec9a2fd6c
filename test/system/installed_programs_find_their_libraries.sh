# make install puts everything in its place, and the programs work from there, wherever
# that tree is moved to.
. "$TOP_SRCDIR/test/system/lib.sh"

MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" install DESTDIR="$scratch/root" >log 2>&1 ||
    fail "make install: $(tail -5 log)"
bin=$(dirname "$(find root -path '*/bin/mpiwatch-record')")
mv "${bin%/bin}" moved

assert_installed() {
    [ -s "moved/$1" ] || fail "moved/$1 is missing of: $(cd moved && find . -type f)"
}
assert_installed bin/mpiwatch-analyze
assert_installed share/man/man1/mpiwatch-record.1
assert_installed share/man/man5/mpiwatch-archive.5
assert_installed share/man/man7/mpiwatch.7
assert_installed share/man/man7/mpiwatch-tutorial.7
assert_installed share/doc/mpiwatch/examples/faults.c
for program in analyze record recover vars; do
    assert_installed share/bash-completion/completions/mpiwatch-$program.bash
    assert_installed share/zsh/site-functions/_mpiwatch-$program
    assert_installed share/fish/vendor_completions.d/mpiwatch-$program.fish
done
assert_installed share/doc/mpiwatch/README.md
assert_installed share/mpiwatch/ARCHIVE.md

for mpi in $(mpis); do
    assert_installed "lib/mpiwatch/libmpiwatch-$mpi.so"
    planned=$(moved/bin/mpiwatch-record --dry-run --mpi "$mpi" ls)
    assert_contains "$planned" "LD_PRELOAD=$scratch/moved/lib/mpiwatch/libmpiwatch-$mpi.so"
done
assert_contains "$(moved/bin/mpiwatch-record --version)" "mpiwatch"
