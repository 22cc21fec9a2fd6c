# A PMPI tool written as mpiP is, preloaded before mpiwatch or after it, sees the program's
# calls once, as do the QMPI tool and the recorder, in C and in Fortran. The calling
# address is in the program, or in the PMPI tool where that stands between.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

# beside MPI PRELOADED PROGRAM: as chained, on 2 ranks, with the libraries preloaded.
beside() {
    rm -rf run.otf2.zip
    status=0
    run_mpi "$1" 2 env MPIWATCH_QUIET=1 MPIWATCH_OUTPUT=run.otf2.zip LD_PRELOAD="$2" "$3" \
        >run.out 2>run.err || status=$?
    [ "$status" -eq 0 ] || wrong "$1, $2, $3: exit $status: $(head -5 run.err)"
}

export MPIWATCH_TOOLS=call_count
for mpi in $(built_mpis); do
    library=$(library "$mpi")
    pmpi=$TOP_BUILDDIR/test/system/qmpi_pmpi_tool-$mpi.so
    export MPIWATCH_TOOLS_PATH=$(tool call_count "$mpi")
    for preloaded in "$pmpi:$library" "$library:$pmpi"; do
        beside "$mpi" "$preloaded" "$(example ring "$mpi")"
        grep -qx 'pmpi: 10 sends, 10 receives, 1 ranks' run.err ||
            wrong "$mpi, $preloaded: $(cat run.err)"
        for call in 'MPI_Send 20' 'MPI_Recv 20' 'MPI_Init 2' 'MPI_Finalize 2'; do
            counted 1 run.err | grep -qx "$call" || wrong "$mpi, $preloaded: no $call"
        done
        calls_of run.otf2.zip | grep -E 'Send|Recv' | tr '\n' ' ' >calls
        [ "$(cat calls)" = 'MPI_Recv 20 MPI_Send 20 ' ] || wrong "$mpi, $preloaded: $(cat calls)"
    done

    if [ -x "$TOP_BUILDDIR/examples/inplace_mpif-$mpi" ]; then
        for preloaded in "$pmpi:$library" "$library:$pmpi"; do
            beside "$mpi" "$preloaded" "$(example inplace_mpif "$mpi")"
            grep -q 'pmpi: 0 sends, 0 receives, [1-9] ranks' run.err ||
                wrong "$mpi, Fortran, $preloaded: $(cat run.err)"
            # Its wrapper of Fortran's name goes on by PMPI_Finalize, past that of C's.
            [ "$(grep -c '^pmpi: ' run.err)" -eq 1 ] ||
                wrong "$mpi, Fortran, $preloaded, told twice: $(cat run.err)"
            for call in 'MPI_Allreduce 2' 'MPI_Sendrecv 2' 'MPI_Init 2' 'MPI_Finalize 2'; do
                counted 1 run.err | grep -qx "$call" ||
                    wrong "$mpi, Fortran, $preloaded: no $call: $(counted 1 run.err)"
            done
        done
    fi

    export MPIWATCH_TOOLS=twin,twin CALLER=qmpi_pmpi_tool
    beside "$mpi" "$pmpi:$library" "$(program acceptance "$mpi")"
    unset CALLER
    beside "$mpi" "$library:$pmpi" "$(program acceptance "$mpi")"
    export MPIWATCH_TOOLS=call_count
done
finish
