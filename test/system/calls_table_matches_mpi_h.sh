# The table of MPI calls has a row for every prototype of the installed mpi.h, the removed
# functions of MPI-1 included, with the right number of parameters.
. "$TOP_SRCDIR/test/system/lib.sh"

# compare COMPILER LEAST DEFINE...: LEAST guards the reader of prototypes itself.
compare() {
    local compiler=$1 least=$2 output
    shift 2
    output=$("$python" "$TOP_SRCDIR/test/system/compare_calls_table.py" \
        "$TOP_SRCDIR" "$compiler" "$@") || fail "$output"
    [ "$output" -ge "$least" ] || fail "only $output prototypes were found in mpi.h"
    echo "$compiler: $output prototypes"
}

# Open MPI 4.1 has 405 in its header, 23 in mpi-ext.h, and more that it still exports; MPICH 4.0
# has 638.
[ -z "$MPICC_OPENMPI" ] || compare "$MPICC_OPENMPI" 428 -DOMPI_OMIT_MPI1_COMPAT_DECLS=0
[ -z "$MPICC_MPICH" ] || compare "$MPICC_MPICH" 630

# Functions that the library exports, whether the header still declares them or not. (Names
# in capitals are predefined callbacks.)
sed -n 's/^MW_CALL[A-Z_]*(\(MPIX*\), \([A-Za-z_0-9]*\).*/\1_\2/p' \
    "$TOP_SRCDIR/formats/table/calls.def" | sort >rows
for mpi in $(mpis); do
    [ "$mpi" = openmpi ] && compiler=$MPICC_OPENMPI || compiler=$MPICC_MPICH
    [ -n "$compiler" ] || continue
    printf '#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n' >program.c
    "$compiler" -o program program.c
    library=$(ldd program | awk '$1 ~ /^libmpi(ch)?\.so\./ { print $3 }')
    nm -D --defined-only "$library" | awk '$2 ~ /[TW]/ { print $3 }' | sed 's/@.*//' |
        grep -E '^MPIX?_[A-Z][a-zA-Z]*[a-z_]' | grep -vE '_(FN|F90|NULL)$' | sort -u >exported
    [ "$(wc -l <exported)" -ge 400 ] || fail "$library exports few functions"
    missing=$(comm -23 exported rows)
    assert_equal "" "$missing" "functions of $library that have no row"
done
