# A preloaded library shows every name it exports to the program: MPI's own, the API's, the MPIs'
# own ends of a process and of attributes, and the end of a library are all there may be. Each MPI_X
# has its PMPI_X. Of its own names none is left undefined.
. "$TOP_SRCDIR/test/style/findings.sh"

for mpi in openmpi mpich; do
    library=$TOP_BUILDDIR/.libs/libmpiwatch-$mpi.so
    [ -f "$library" ] || continue
    seen=1
    names=$(nm -D --defined-only "$library" | awk '{ print $NF }' | sort)
    ours='^(MPI_|PMPI_|MPIX_|PMPIX_|QMPI_|mpiwatch_'
    ours+='|ompi_mpi_abort$|ompi_attr_(delete_all|set_[af]int)$|MPII_Comm_set_attr$'
    ours+='|ompi_errhandler_create$|__cxa_finalize$)'
    report "$(echo "$names" | grep -vE "$ours" |
        sed "s/^/libmpiwatch-$mpi.so exports /")"
    for name in MPI_Send PMPI_Send MPI_Init PMPI_Init MPI_Finalize MPI_Pcontrol; do
        echo "$names" | grep -qx "$name" || report "libmpiwatch-$mpi.so does not export $name"
    done
    report "$(comm -23 <(echo "$names" | grep -E '^MPIX?_' | sed 's/^/P/' | sort) \
        <(echo "$names" | grep -E '^PMPIX?_' | sort) | sed "s/^/libmpiwatch-$mpi.so lacks /")"
    report "$(nm -D --undefined-only "$library" | awk '{ print $NF }' |
        grep -E '^(mw|mwr|mwa|OTF2)_' | sed "s/^/libmpiwatch-$mpi.so lacks /")"
done
[ -n "${seen-}" ] || skip "no library was built"
finish
