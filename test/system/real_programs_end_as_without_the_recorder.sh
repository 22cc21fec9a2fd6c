# HPC Challenge (C) and ScaLAPACK's test of LU (Fortran): the same results with the recorder
# and without, and no message without a partner.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"

if command -v hpcc >/dev/null && mpis | grep -qx openmpi; then
    prepare_hpcc 200
    same_verdicts openmpi 2 hpcc hpccoutf.txt
fi
for mpi in $(mpis); do
    scalapack=$(scalapack_of "$mpi")
    [ -n "$scalapack" ] || continue
    cp /usr/share/scalapack/*.dat .
    same_verdicts "$mpi" 2 "$scalapack/xdlu" output
done
[ -e verdicts ] || skip "neither hpcc nor scalapack-mpi-test is installed"
finish
