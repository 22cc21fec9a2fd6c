# A spool of some 50 MB, of 300 MB of records: the rank's memory grows by less than 16 MiB,
# also while the archive is written, and every call is in it.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

mpi=$(built_mpis | head -1)
test_timeout=300

# peak FILE: the kB that the program printed.
peak() {
    sed -n 's/^peak memory of rank 0: \([0-9]*\) kB$/\1/p' "$1"
}

# watch_spools: keeps the most MB that the spools ever had in the file spool.
watch_spools() {
    local most=0 now
    while [ -e watching ]; do
        now=$(du -sm "$spools" 2>/dev/null | cut -f1)
        [ "${now:-0}" -le "$most" ] || most=$now
        echo "$most" >spool
        sleep 0.2
    done
}

run_plain "$mpi" 1 long_run
touch watching
watch_spools &
recorded "$mpi" 1 long_run
rm watching
wait
assert_equal 0 "$status" "status: $(head -5 long_run.err)"

growth=$(($(peak long_run.out) - $(peak plain.out)))
echo "$mpi: a spool of $(cat spool) MB; memory: $(peak plain.out) kB without, $growth kB more with"
[ "$(cat spool)" -ge 40 ] || wrong "the spool had only $(cat spool) MB"
[ "$growth" -lt 16384 ] || wrong "memory grew by $growth kB"
as_expected "$mpi" 1 long_run.c --only analyze
finish
