# mpiwatch-record looks into the program for its MPI, through the libraries it is linked
# with, scripts and wrappers; where nothing is to be seen it asks the launcher's
# environment, and then the user.
. "$TOP_SRCDIR/test/system/lib.sh"

touch libmpiwatch-openmpi.so libmpiwatch-mpich.so
export MPIWATCH_LIBDIR=$scratch

# expect MPI COMMAND...: the dry run names the MPI.
expect() {
    local mpi=$1 status
    shift
    status=$(status_of "$record" --dry-run "$@")
    assert_equal 0 "$status" "mpiwatch-record --dry-run $* ($(cat stderr))"
    assert_contains "$(cat stdout)" "MPI       $mpi ("
}

for mpi in $(mpis); do
    case $mpi in
    openmpi) title="Open MPI" compiler=$MPICC_OPENMPI ;;
    mpich) title=MPICH compiler=$MPICC_MPICH ;;
    esac
    printf '#include <mpi.h>\nint use(void) { return MPI_Init(0, 0); }\n' >use.c
    printf 'int use(void);\nint main(void) { return use(); }\n' >main.c
    mkdir -p "$mpi"
    "$compiler" -Wl,--no-as-needed -fPIC -shared -o "$mpi/libuse.so" use.c
    "$compiler" -o "$mpi/direct" main.c use.c
    $CC -o "$mpi/indirect" main.c -L"$mpi" -luse -Wl,-rpath,'$ORIGIN' \
        -Wl,--allow-shlib-undefined
    expect "$title" "$mpi/direct"
    expect "$title" "$mpi/indirect" with arguments
    expect "$title" env A=b nice -n 5 "$mpi/direct"
    expect "$title" timeout 60 env -u HOME "$mpi/indirect"
    expect "$title" -- "$mpi/direct" --help
    printf '#!/bin/sh\nexec "$@"\n' >wrapper
    chmod +x wrapper
    expect "$title" --mpi "$mpi" ./wrapper "$mpi/direct"
    expect "$title" --mpi "$mpi" "$python" program.py
    expect "$title" --mpi "$mpi" ls
done

OMPI_COMM_WORLD_RANK=0 expect "Open MPI" ./wrapper x
MPI_LOCALRANKID=0 PMI_RANK=0 expect "MPICH" ./wrapper x
assert_equal 125 "$(status_of "$record" ./wrapper x)" "status without a hint"
assert_contains "$(cat stderr)" "--mpi"
