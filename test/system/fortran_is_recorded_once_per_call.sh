# mpif.h, use mpi and use mpi_f08 programs get a right sum in place (or stop with 1) and
# have each call in the archive once.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of inplace_mpif.f inplace_usempi.f90 inplace_f08.f90
archives_of bindings_mpif.f bindings_usempi.f90 bindings_f08.f90

# Without the PMPI names there is nothing to see of Open MPI's bindings, and this is said.
if built_mpis | grep -qx openmpi; then
    export MPIWATCH_INTERPOSE_PMPI=0
    recorded openmpi 2 bindings_mpif
    assert_equal 0 "$status" "exit status without the PMPI names"
    assert_equal 1 "$(grep -c 'MPIWATCH_INTERPOSE_PMPI=0: calls by PMPI' bindings_mpif.err)" \
        "sentences about it: $(cat bindings_mpif.err)"
fi
finish
