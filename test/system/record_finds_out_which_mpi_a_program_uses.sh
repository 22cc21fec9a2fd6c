# mpiwatch-record looks into the program for its MPI, through the libraries it is linked
# with, scripts and wrappers; where nothing is to be seen it asks the launcher's
# environment, and then the user.
. "$TOP_SRCDIR/test/system/lib.sh"

touch libmpiwatch-openmpi.so libmpiwatch-mpich.so libmpiwatch-abi.so
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

# MPIs that are not here, by what their libraries are called. linked SONAME: a program that needs
# it; library SONAME: one that is called so.
library() {
    echo 'int MPI_Init(void) { return 0; }' >mpi.c
    $CC -shared -fPIC -Wl,-soname,"$1" -o "$1" mpi.c
}
linked() {
    echo 'int MPI_Init(void); int main(void) { return MPI_Init(); }' >main.c
    library "$1"
    $CC -o "of-$1" main.c "./$1" -Wl,-rpath,"$scratch"
    echo "./of-$1"
}
expect "the MPI ABI" "$(linked libmpi_abi.so.1)"
for name in libmpi.so.12 libmpi_cray.so.12 libmpi_gnu_123.so.12 libmpi_intel.so.12 \
    libmpi_nvidia.so.12 libmpi_amd.so.12 libmpi_aocc.so.12; do
    # The recorder's own MPI is called otherwise, and would be a second one.
    library libmpich.so.12
    echo 'int MPI_Init(void); int use(void) { return MPI_Init(); }' >use.c
    $CC -shared -fPIC -o libmpiwatch-mpich.so use.c ./libmpich.so.12 -Wl,-rpath,"$scratch"
    program=$(linked $name)
    assert_equal 125 "$(status_of "$record" --dry-run "$program")" "status with $name"
    assert_contains "$(cat stderr)" \
        "is linked with $name ($scratch/$name), and mpiwatch was built with another MPI"
    # Built with that very MPI, it records.
    $CC -shared -fPIC -o libmpiwatch-mpich.so use.c "./$name" -Wl,-rpath,"$scratch"
    expect MPICH "$program"
    # One file by two names is one MPI, as Debian has it.
    $CC -shared -fPIC -o libmpiwatch-mpich.so use.c ./libmpich.so.12 -Wl,-rpath,"$scratch"
    ln -sf libmpich.so.12 "$name"
    expect MPICH "$program"
    rm -f "$name" libmpich.so.12
done
for name in libmpi.so.50 libmpi_ibm.so.3 libmpich_gnu_49.so.3 libmpi.so libmpi_mt.so; do
    assert_equal 125 "$(status_of "$record" --dry-run "$(linked $name)")" "status with $name"
    assert_contains "$(cat stderr)" "$name, which mpiwatch is not built for"
done

OMPI_COMM_WORLD_RANK=0 expect "Open MPI" ./wrapper x
MPI_LOCALRANKID=0 PMI_RANK=0 expect "MPICH" ./wrapper x
assert_equal 125 "$(status_of "$record" ./wrapper x)" "status without a hint"
assert_contains "$(cat stderr)" "--mpi"
