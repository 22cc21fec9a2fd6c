# 30,000 and 100,000 requests outstanding: what recording adds to a call does not grow with their
# number, and all messages of the 100,000 match.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# added WHAT: the ns per WHAT that recording added in the last pair of runs.
added() {
    local with without
    with=$(sed -n "s/^nanoseconds per $1 = //p" many_requests.out)
    without=$(sed -n "s/^nanoseconds per $1 = //p" plain.out)
    echo $((with - without))
}

# cost_of MPI M: sets call and completion to the ns that recording adds, the least of 3.
cost_of() {
    local mpi=$1 m=$2 try now
    call=1000000
    completion=1000000
    for try in 1 2 3; do
        run_plain "$mpi" 1 many_requests "$m"
        recorded "$mpi" 1 many_requests "$m"
        assert_equal 0 "$status" "m = $m, $mpi: status: $(head -5 many_requests.err)"
        now=$(added call)
        [ "$now" -ge "$call" ] || call=$now
        now=$(added "request completed")
        [ "$now" -ge "$completion" ] || completion=$now
    done
    echo "$mpi, m = $m: recording adds $call ns to a call, $completion ns to a completion"
}

# A list would take 50 microseconds at 30,000; what grows a little is the caches' doing.
for mpi in $(built_mpis); do
    cost_of "$mpi" 3000
    call_limit=$((2 * call + 500))
    completion_limit=$((2 * completion + 500))
    for m in 30000 100000; do
        cost_of "$mpi" $m
        [ "$call" -le $call_limit ] || wrong "m = $m, $mpi: over $call_limit ns a call"
        [ "$completion" -le $completion_limit ] ||
            wrong "m = $m, $mpi: over $completion_limit ns a completion"
    done
    as_expected "$mpi" 1 many_requests.c --set "m=$m" # of the most
done
finish
