# HPC Challenge (C, on 2 ranks) and ScaLAPACK's test of LU (Fortran, on 4): the same results
# with the recorder and without, and no message without a partner.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi openmpi

if command -v hpcc >/dev/null; then
    prepare_hpcc 200
    same_verdicts openmpi 2 hpcc hpccoutf.txt
fi
scalapack=$(scalapack_of openmpi)
if [ -n "$scalapack" ]; then
    cp /usr/share/scalapack/*.dat .
    same_verdicts openmpi 4 "$scalapack/xdlu" output
fi
[ -e verdicts ] || skip "neither hpcc nor scalapack-mpi-test is installed"
finish
