# A thousand communicators alive at once: what each costs the recorder and the analyzer in
# memory, recorded and filtered, is bounded; $COMMUNICATORS of them for check-long.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
many=${COMMUNICATORS:-1000}
few=100
test_timeout=300

# peak FILE: the kB that the program printed.
peak() {
    sed -n 's/^peak memory of rank 0: \([0-9]*\) kB$/\1/p' "$1"
}

# record_many MPI COUNT NAME OPTION...: kB that the recorder adds to rank 0, in $added.
record_many() {
    local mpi=$1 count=$2 name=$3
    shift 3
    rm -rf "$name.otf2.zip"
    run_plain "$mpi" 2 many_comms "$count"
    run_mpi "$mpi" 2 "$record" --pvars none -o "$name.otf2.zip" "$@" \
        "$(example many_comms "$mpi")" "$count" >out 2>err || wrong "$mpi, $name: $(head -3 err)"
    added=$(($(peak out) - $(peak plain.out)))
}

# analyzed COMMAND...: kB at the peak of mpiwatch-analyze COMMAND....
analyzed() {
    "$python" - "$analyze" "$@" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}

# bounded WHAT FEW MANY BYTES: that what many more cost than few is at most so much for each.
bounded() {
    local each=$((($3 - $2) * 1024 / (many - few)))
    echo "$1: $each bytes for a communicator"
    [ "$each" -le "$4" ] || wrong "$1: $each bytes for a communicator, at most $4 wanted"
}

for mpi in $(built_mpis); do
    [ "$mpi" = openmpi ] || [ "$many" -le 1000 ] || continue # MPICH has no room for more
    record_many "$mpi" $few few
    few_added=$added
    record_many "$mpi" "$many" many
    bounded "$mpi, recorded" "$few_added" "$added" 8192
    record_many "$mpi" $few few_filtered --comms=world
    few_added=$added
    record_many "$mpi" "$many" many_filtered --comms=world
    bounded "$mpi, filtered" "$few_added" "$added" 8192
    python_check "$mpi, filtered: counts" "$many" <<'PYTHON'
import collections, json, sys, zipfile
many = int(sys.argv[1])
about = json.loads(zipfile.ZipFile("many_filtered.otf2.zip").read("mpiwatch.json"))
counts = collections.Counter((one["call"], one["calls"], one["bytes_sent"], one["bytes_received"])
                             for one in about["filtered"])
assert counts == {("MPI_Sendrecv", 2, 8, 8): many}, counts.most_common(3)
PYTHON
    for command in comms "timeline --comms" report; do
        # shellcheck disable=SC2086 # a word or two
        bounded "$mpi, $command" "$(analyzed $command few.otf2.zip)" \
            "$(analyzed $command many.otf2.zip)" 8192
    done
    "$analyze" comms --json many.otf2.zip >comms.json
    assert_equal "$many" \
        "$(json comms.json 'sum(c["messages"] == 2 for c in d["communicators"])')" \
        "$mpi: communicators with two messages"
done
finish
