# mpiwatch-recover NAME.run --force -o NAME.run, by whatever name: the list of the run's spools is
# not replaced by the archive, which can still be made under another name.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
mpi=$(built_mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"

run_mpi "$mpi" 2 "$record" -o run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" SIGKILL -1 10 \
    >out 2>err || true
cp run.otf2.zip.run kept
ln -s run.otf2.zip.run link
for output in run.otf2.zip.run "$PWD/run.otf2.zip.run" ./link; do
    assert_equal 3 "$(status_of "$recover" run.otf2.zip.run --force -o "$output")" "-o $output"
    assert_contains "$(cat stderr)" "this is the list of the run's spools"
    cmp kept run.otf2.zip.run || fail "-o $output: NAME.run is another file"
done
assert_equal 4 "$(status_of "$recover" run.otf2.zip.run -o run.otf2.zip)" \
    "the archive: $(cat stderr)"
assert_file run.otf2.zip
