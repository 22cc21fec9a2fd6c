# One of several processes gets no memory: it comes to MPI_Init nevertheless, where the others wait
# for it, and all end with the sentence and the status that one alone would have. Where the library
# itself can't be opened, the launcher of Open MPI ends the job.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
failing=$scratch/libfailing.so
$CC -shared -fPIC -O1 -o "$failing" "$TOP_SRCDIR/test/system/failing_malloc.c"
"$TOP_BUILDDIR/test/data/make_archive" waits_messages archive
test_timeout=60

for mpi in $(mpis); do
    [ -e "$(library "$mpi")" ] || continue
    for at in 1 3 20 60; do
        status=$(status_of run_mpi "$mpi" 2 env LD_PRELOAD="$failing" FAIL_RANK=1 FAIL_AT="$at" \
            FAIL_ON=all FAIL_IN=program XDG_CACHE_HOME=/dev/null "$analyze" report archive)
        [ "$status" = 3 ] || wrong "$mpi, allocation $at: status $status: $(cat stderr)"
        grep -q '^mpiwatch-analyze: .*memory.* (process 1, on ' stderr ||
            wrong "$mpi, allocation $at: $(cat stderr)"
    done
done
finish
