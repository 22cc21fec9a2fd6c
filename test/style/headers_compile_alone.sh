# Every header includes what it needs. Those of the recorder are compiled for each MPI, and so are
# those of programs that tests run.
# (rows.h is a table, and wants its macro defined.)
. "$TOP_SRCDIR/test/style/findings.sh"

# compile HEADER COMPILER FLAG...
compile() {
    local header=$1 table=-DNONE
    shift
    [ "$header" != recorder/dispatch/rows.h ] || table='-DMWR_ROW(...)='
    "$@" -std=gnu11 -D_GNU_SOURCE -I. -I"$TOP_BUILDDIR" $OTF2_CFLAGS \
        "$table" -fsyntax-only -x c "$header" || report "$header does not compile alone"
}

for header in $(find formats recorder analyzer test -name '*.h' | sort); do
    case $header in
    recorder/include/qmpi*.h | recorder/include/mpiwatch.h | test/system/*)
        for compiler in $MPICC_OPENMPI $MPICC_MPICH; do
            compile "$header" "$compiler" -I"$TOP_BUILDDIR/recorder/include"
        done
        ;;
    recorder/settings.h | recorder/launcher/* | recorder/include/* | formats/* | analyzer/* | \
        test/*)
        compile "$header" $CC
        ;;
    recorder/*)
        [ -z "$MPICC_OPENMPI" ] || compile "$header" "$MPICC_OPENMPI" \
            -DOMPI_OMIT_MPI1_COMPAT_DECLS=0 -I"$TOP_BUILDDIR/recorder/openmpi"
        [ -z "$MPICC_MPICH" ] || compile "$header" "$MPICC_MPICH" -I"$TOP_BUILDDIR/recorder/mpich"
        ;;
    esac
done
finish
