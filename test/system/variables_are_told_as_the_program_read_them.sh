# With the settings that are the default, means, rates, residencies, extremes and samples of
# variables are what the program read itself after each of its calls (truth_user.c), within the
# interval that mpiwatch states of them, which is narrow: at 10 and at 100,000 calls a second, with
# one thread and with two.
. "$TOP_SRCDIR/test/system/lib.sh"

for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libtruth.so "$TOP_SRCDIR/test/system/truth_mpi_t.c" -lpthread
    $mpicc -o truth "$TOP_SRCDIR/test/system/truth_user.c" -L. -ltruth -lpthread \
        -Wl,-rpath,"$scratch"
    for case in "slow 1" "slow 2" "fast 1" "bursts 1" "gaps 1" "gaps 2" \
        ${busy:+"fast 2" "bursts 2"}; do
        name=${case% *}
        LD_PRELOAD=$scratch/libtruth.so run_mpi "$mpi" 1 "$record" -q --force -o truth.zip \
            --pvars='truth_*' ./truth "$name" log "${case#* }" >/dev/null
        "$analyze" counters --json truth.zip >counters.json
        "$analyze" watermarks --json truth.zip >watermarks.json
        "$analyze" counters --series truth.zip >series
        "$analyze" dump --json truth.zip >events
        "$python" "$TOP_SRCDIR/test/system/truth.py" $case log counters.json watermarks.json \
            series events || fail "$mpi, $case"
    done
done
