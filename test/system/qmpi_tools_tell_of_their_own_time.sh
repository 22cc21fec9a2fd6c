# A tool behind the recorder is inside the calls that are recorded; what it tells to be its
# own time is taken off the time in MPI, and nothing else changes.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

# barrier_ns KEY: that number of MPI_Barrier.
barrier_ns() {
    json calls.json '[c["'"$1"'"] for c in d["calls"] if c["name"] == "MPI_Barrier"][0]'
}

for mpi in $(built_mpis); do
    export MPIWATCH_TOOLS_PATH=$(tool delay "$mpi") MPIWATCH_TOOLS=mpiwatch,delay
    export QMPI_DELAY=MPI_Barrier=200000
    chained "$mpi" 1 "$(example collectives "$mpi")"
    [ "$status" -eq 0 ] || wrong "$mpi: exit $status: $(head -5 run.err)"
    calls_of run.otf2.zip | grep -qx 'MPI_Barrier 2' || wrong "$mpi: not two barriers"
    # 200 ms each, of which next to nothing is the library's.
    [ "$(barrier_ns time_ns)" -lt 200000000 ] ||
        wrong "$mpi: the tool's time counts as the library's: $(barrier_ns time_ns) ns"
    rm -rf unpacked && mkdir unpacked && (cd unpacked && unzip -q ../run.otf2.zip)
    [ "$(otf2-print unpacked/traces.otf2 | grep -A1 'ENTER.*MPI_Barrier' |
        grep -c 'mpiwatch.inside')" -eq 2 ] || wrong "$mpi: no mpiwatch.inside at the barriers"
done
finish
