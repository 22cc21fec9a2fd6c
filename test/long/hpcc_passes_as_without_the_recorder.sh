# HPC Challenge with a matrix of 1000 rows.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need hpcc
need_mpi openmpi

test_timeout=600
prepare_hpcc 1000
same_verdicts openmpi 2 hpcc hpccoutf.txt
finish
