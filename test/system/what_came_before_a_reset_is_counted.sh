# A program that resets a counter loses nothing of it in the archive: what came since the recorder's
# last reading is read before the reset, with the settings that are the default and when the calls
# of MPI_T are recorded themselves.
. "$TOP_SRCDIR/test/system/lib.sh"

for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libtruth.so "$TOP_SRCDIR/test/system/truth_mpi_t.c" -lpthread
    $mpicc -o truth "$TOP_SRCDIR/test/system/truth_user.c" -L. -ltruth -lpthread \
        -Wl,-rpath,"$scratch"
    for events in p2p,coll,comm,topo,rma,io all; do
        LD_PRELOAD=$scratch/libtruth.so run_mpi "$mpi" 1 "$record" -q --force -o truth.zip \
            --pvars='truth_*' -e "$events" ./truth resets log >/dev/null
        "$analyze" counters --json truth.zip >counters.json
        assert_equal "[300, 10]" "$(json counters.json "[[row['total'], row['resets']]
            for row in d['pvars'] if row['name'] == 'truth_count'][0]")" "$mpi, -e $events"
    done
done
