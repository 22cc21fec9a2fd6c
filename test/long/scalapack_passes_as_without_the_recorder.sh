# ScaLAPACK's own tests (Debian's scalapack-mpi-test), Fortran and C, with both MPIs. On 2 ranks:
# with more than there are cores some take minutes, or for ever, without the recorder as well.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"

test_timeout=600
is_there=
for mpi in $(mpis); do
    scalapack=$(scalapack_of "$mpi")
    [ -n "$scalapack" ] || continue
    is_there=1
    cp /usr/share/scalapack/*.dat .
    for program in xdlu xdllt xdqr xsinv xzls; do
        same_verdicts "$mpi" 2 "$scalapack/$program" output
    done
done
[ -n "$is_there" ] || skip "scalapack-mpi-test is not installed"
finish
