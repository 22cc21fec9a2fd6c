# ScaLAPACK's own tests (Debian's scalapack-mpi-test), Fortran and C, with both MPIs.
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
        same_verdicts "$mpi" "$(ranks_of "$mpi")" "$scalapack/$program" output
    done
done
[ -n "$is_there" ] || skip "scalapack-mpi-test is not installed"
finish
