# The preloaded libraries keep libmpi among what they need (without it mpi4py and every
# child process of a rank would break); the programs run where there is no MPI. The
# libraries bring their own zlib along, and OTF2, unless configure found no static one.
. "$TOP_SRCDIR/test/style/findings.sh"

needed() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

own='otf2|open.trace.format2|libz\.|jansson'
grep -q 'OTF2_IS_SHARED_TRUE=.#' "$TOP_BUILDDIR/config.log" || own='libz\.|jansson'
for mpi in openmpi mpich; do
    library=$TOP_BUILDDIR/.libs/libmpiwatch-$mpi.so
    [ -f "$library" ] || continue
    case $mpi in
    openmpi) soname=libmpi.so.40 ;;
    mpich) soname=libmpich.so.12 ;;
    esac
    needed "$library" | grep -qx "$soname" || report "libmpiwatch-$mpi.so does not need $soname"
    report "$(needed "$library" | grep -E "$own" |
        sed "s/^/libmpiwatch-$mpi.so needs /")"
done
for program in mpiwatch-record mpiwatch-analyze; do
    path=$TOP_BUILDDIR/.libs/$program
    [ -f "$path" ] || path=$TOP_BUILDDIR/$program
    [ -f "$path" ] || continue
    report "$(needed "$path" | grep -E 'libmpi|libmpich' | sed "s/^/$program needs /")"
done
finish
