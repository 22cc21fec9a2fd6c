# The tool in qmpi(7), compiled as it stands there, without a warning, and used.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

awk '/^\.EX/ { on = 1; next } /^\.EE/ { on = 0 } on' "$TOP_SRCDIR/recorder/man/qmpi.7" |
    sed 's/\\-/-/g; s/\\e/\\/g' >timer.c
[ "$(wc -l <timer.c)" -ge 40 ] || fail "there is no example"
for mpi in $(built_mpis); do
    mpicc=$MPICC_OPENMPI
    [ "$mpi" = openmpi ] || mpicc=$MPICC_MPICH
    "$mpicc" -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"$TOP_SRCDIR/recorder/include" \
        -I"$TOP_BUILDDIR/recorder/include" -o "timer-$mpi.so" timer.c 2>compile.err ||
        fail "$mpi: $(head -5 compile.err)"
    # The header serves C++, too.
    if echo 'int main() {}' | $CC -x c++ -fsyntax-only - 2>/dev/null; then
        echo '#include <qmpi.h>' | "$mpicc" -x c++ -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -Wall \
            -Wextra -Werror -fsyntax-only -I"$TOP_SRCDIR/recorder/include" \
            -I"$TOP_BUILDDIR/recorder/include" - 2>compile.err ||
            wrong "$mpi, C++: $(head -5 compile.err)"
    fi
    MPIWATCH_TOOLS_PATH=$scratch/timer-$mpi.so MPIWATCH_TOOLS=timer,timer \
        chained "$mpi" 2 "$(example collectives "$mpi")"
    [ "$status" -eq 0 ] || wrong "$mpi: exit $status: $(head -5 run.err)"
    for id in 1 2; do
        lines=$(grep -cE "^instance $id: 0\.[0-9]{6} s in MPI_Allreduce$" run.out || true)
        assert_equal 2 "$lines" "$mpi: lines of instance $id, one a rank"
    done
done
finish
