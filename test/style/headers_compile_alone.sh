# Every header includes what it needs. Those that speak of MPI types are compiled with the
# wrapper of an MPI.
. "$TOP_SRCDIR/test/style/findings.sh"

mpicc=${MPICC_OPENMPI:-$MPICC_MPICH}
for header in $(find formats recorder analyzer -name '*.h' | sort); do
    compiler=$CC
    if grep -lqE '#\s*include\s*<(mpi|qmpi)\.h>|MPI_Comm\b|MPI_Datatype\b' "$header"; then
        compiler=$mpicc
    fi
    $compiler -std=gnu11 -D_GNU_SOURCE -I. -I"$TOP_BUILDDIR" -Irecorder/include \
        $OTF2_CFLAGS -fsyntax-only -x c "$header" 2>/dev/null ||
        report "$header does not compile alone"
done
finish
