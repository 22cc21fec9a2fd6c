# make coverage-table: every function of each mpi.h has a row, and every kind a meaning.
. "$TOP_SRCDIR/test/system/lib.sh"

compilers=()
[ -z "$MPICC_OPENMPI" ] || compilers+=("Open MPI=$MPICC_OPENMPI")
[ -z "$MPICC_MPICH" ] || compilers+=("MPICH=$MPICC_MPICH")
output=$("$python" -B "$TOP_SRCDIR/test/system/coverage_table.py" "$TOP_SRCDIR" table.md \
    "${compilers[@]}") || fail "$output"
assert_matches "$(cat table.md)" '^\| `MPI_Send` \| p2p \| message sent '
assert_lacks "$(cat table.md)" "NOT RECORDED"
[ "$(wc -l <table.md)" -ge 620 ] || fail "the table has few lines"
