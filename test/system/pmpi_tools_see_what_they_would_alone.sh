# A PMPI tool that is preloaded before the recorder or behind it counts what it counts without it:
# MPI_X of the program, of the functions that MPI calls back and of the MPI itself, but neither
# PMPI_X nor anything that the recorder does. No call inside of another one is recorded, and what
# is freed there has its end, whichever way the tool goes on.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

export MPIWATCH_QUIET=1 MPIWATCH_OUTPUT=run.otf2.zip MPIWATCH_EVENTS=all

# counts MPI RANKS PRELOADED COMMAND...: what the tool says, in `said`, $status as chained.
counts() {
    local mpi=$1 ranks=$2 preloaded=$3
    shift 3
    rm -rf run.otf2.zip
    status=0
    run_mpi "$mpi" "$ranks" env LD_PRELOAD="$preloaded" "$@" >run.out 2>run.err || status=$?
    grep '^tool: ' run.err | sort >said || true
}

# same WHAT MPI RANKS COMMAND...: the tool says with the recorder what it says alone.
same() {
    local what=$1 mpi=$2 preloaded
    counts "$2" "$3" "$tool" "${@:4}"
    mv said alone
    [ "$status" -eq 0 ] && [ -s alone ] || wrong "$what, $mpi, alone: $status, $(cat run.err)"
    for preloaded in $orders; do
        counts "$2" "$3" "$preloaded" "${@:4}"
        [ "$status" -eq 0 ] || wrong "$what, $mpi, $preloaded: exit $status: $(cat run.err)"
        diff alone said >differs || wrong "$what, $mpi, $preloaded: $(cat differs)"
    done
}

# Of called_back's 12 functions each calls MPI_Type_size, MPI_Comm_split and MPI_Comm_free once.
# Outside of them it does so once, and frees the duplicate, for which the tool's attribute of
# MPI_COMM_WORLD is to be copied once.
cat >expected <<'EOF'
tool: Comm_dup 1, Barrier 0, Allreduce 0
tool: Init 1, Finalize 1, Type_size 13, Comm_split 13, Comm_free 14
tool: Type_size_x 0, Status_set_elements_x 0
tool: copies 1
EOF

for mpi in $(built_mpis); do
    library=$(library "$mpi")
    tool=$TOP_BUILDDIR/test/system/counting_tool-$mpi.so
    called_back=$TOP_BUILDDIR/test/system/called_back-$mpi
    orders="$library:$tool $tool:$library"

    for preloaded in "$tool" $orders; do
        counts "$mpi" 1 "$preloaded" "$called_back"
        assert_equal 0 "$status" "$mpi, $preloaded: exit, $(cat run.err)"
        assert_equal "called back 12 times" "$(cat run.out)" "$mpi, $preloaded"
        diff expected said >differs || wrong "$mpi, $preloaded: $(cat differs)"
        [ "$preloaded" != "$tool" ] || continue
        # What is called outside of the functions, by either name, is recorded, and no more.
        calls_of run.otf2.zip >calls
        for call in 'MPI_Type_size 3' 'MPI_Comm_split 3' 'MPI_Comm_free 4' 'MPI_Comm_dup 1'; do
            grep -qx "$call" calls || wrong "$mpi, $preloaded: no $call: $(cat calls)"
        done
    done
    MPIWATCH_INTERPOSE_PMPI=0 counts "$mpi" 1 "$library:$tool" "$called_back"
    diff expected said >differs || wrong "$mpi, without the PMPI names: $(cat differs)"

    # Bindings of Fortran call C by MPI_X or by PMPI_X, as the MPI has it.
    for program in inplace_mpif bindings_mpif; do
        [ ! -x "$TOP_BUILDDIR/examples/$program-$mpi" ] ||
            same "$program" "$mpi" 2 "$(example "$program" "$mpi")"
    done

    # 9 communicators, of which two are freed by functions that MPI calls back: all end.
    for preloaded in "$library" $orders; do
        counts "$mpi" 2 "$preloaded" "$(example comm_ends "$mpi")"
        [ "$status" -eq 0 ] || { wrong "$mpi, $preloaded: $(cat run.err)"; continue; }
        "$analyze" comms --json run.otf2.zip >comms.json
        assert_equal "0 of 9" "$(json comms.json '"%d of %d" % (
            sum(c["freed_ns"] is None for c in d["communicators"] if c["created_by"]),
            sum(1 for c in d["communicators"] if c["created_by"]))')" \
            "$mpi, $preloaded: communicators without end"
    done
done

# A QMPI tool that calls MPI_Type_size by both names in its hook of MPI_Comm_dup is not seen by the
# list of tools there, itself, but a PMPI tool sees the call by MPI's name, the 14th. Of the
# program's calls it sees the three that are not in callbacks.
cat >asks.c <<'EOF'
#include <qmpi.h>
#include <stdio.h>

static int seen;

static int dup_and_ask(QMPI_Context context, int id, MPI_Comm comm, MPI_Comm *made)
{
    void (*next)(void);
    int next_id, size;

    QMPI_Get_function(id, MPI_COMM_DUP_T, &next, &next_id);
    MPI_Type_size(MPI_INT, &size);
    PMPI_Type_size(MPI_INT, &size);
    return ((QMPI_Comm_dup_t *)next)(context, next_id, comm, made);
}

static int type_size(QMPI_Context context, int id, MPI_Datatype type, int *size)
{
    void (*next)(void);
    int next_id;

    seen++;
    QMPI_Get_function(id, MPI_TYPE_SIZE_T, &next, &next_id);
    return ((QMPI_Type_size_t *)next)(context, next_id, type, size);
}

static void init(int id)
{
    QMPI_Register_function(id, MPI_COMM_DUP_T, (void (*)(void))dup_and_ask);
    QMPI_Register_function(id, MPI_TYPE_SIZE_T, (void (*)(void))type_size);
}

__attribute__((constructor)) static void begin(void)
{
    QMPI_Register_tool_name("asks", init);
}

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "asks: Type_size %d\n", seen);
}
EOF
for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -shared -fPIC -I"$TOP_SRCDIR/recorder/include" \
        -I"$TOP_BUILDDIR/recorder/include" -o "asks-$mpi.so" asks.c || fail "$mpi: asks.c"
    library=$(library "$mpi")
    tool=$TOP_BUILDDIR/test/system/counting_tool-$mpi.so
    for preloaded in "$library:$tool" "$tool:$library"; do
        MPIWATCH_TOOLS_PATH=$scratch/asks-$mpi.so MPIWATCH_TOOLS=asks \
            counts "$mpi" 1 "$preloaded" "$TOP_BUILDDIR/test/system/called_back-$mpi"
        grep -q 'Type_size 14,' said || wrong "$mpi, $preloaded, asks: $(cat run.err)"
        grep -qx 'asks: Type_size 3' run.err || wrong "$mpi, $preloaded, asks: $(cat run.err)"
    done
done

# ROMIO of Open MPI calls functions of MPI by their names, also when the recorder asks it where a
# file is, and writes the archive. (A tool before the recorder is called by it past that.)
if built_mpis | grep -qx openmpi; then
    tool=$TOP_BUILDDIR/test/system/counting_tool-openmpi.so
    export OMPI_MCA_io=^ompio
    counts openmpi 1 "$tool" "$TOP_BUILDDIR/test/system/called_back-openmpi" "$PWD/file"
    if [ "$status" -eq 0 ] && grep -q 'Type_size_x [1-9]' said; then
        orders=$(library openmpi):$tool
        same ROMIO openmpi 1 "$TOP_BUILDDIR/test/system/called_back-openmpi" "$PWD/file"
    fi
    unset OMPI_MCA_io
fi
finish
