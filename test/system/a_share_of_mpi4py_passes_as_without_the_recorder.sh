# A share of mpi4py's own tests on 2 ranks, the same with the recorder and without: requests,
# statuses, attributes, error handlers, communicators, matched probes, windows, files. All of
# them are in make check-long.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi openmpi

find_mpi4py_tests
included=
for name in attributes comm comm_inter comm_topo errhandler file grequest group p2p_buf_matched \
    p2p_obj request status win; do
    included="$included --include=test_$name\$"
done
same_mpi4py_outcomes 100 $included
finish
