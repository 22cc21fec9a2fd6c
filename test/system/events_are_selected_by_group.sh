# -e selects groups of calls: with coll a ring leaves no messages and nothing unmatched,
# with all its local calls are in the archive too. The report says what it knows nothing of.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# record_ring MPI GROUPS: sets the reports info.json and calls.json.
record_ring() {
    rm -f ring.otf2.zip
    run_mpi "$1" 2 "$record" -e "$2" -o ring.otf2.zip "$(example ring "$1")" >ring.out \
        2>ring.err || wrong "$1, -e $2: exit $?: $(cat ring.err)"
    reported info ring
    reported calls ring
}

# expect_calls WHAT JSON: the calls but Init and Finalize, by name.
expect_calls() {
    assert_equal "$2" "$(json calls.json '{c["name"]: c["count"] for c in sorted(d["calls"],
        key=lambda c: c["name"]) if c["name"] not in ("MPI_Init", "MPI_Finalize")}')" "$1"
}

for mpi in $(built_mpis); do
    record_ring "$mpi" coll
    expect_calls "$mpi, -e coll" '{}'
    for name in unmatched_sends unmatched_receives lost_events; do
        assert_equal 0 "$(json info.json "d['$name']")" "$mpi, -e coll: $name"
    done
    reported report ring
    assert_equal "calls of p2p, comm, topo, rma, io were not recorded (--events): their time \
counts as outside of MPI" "$(json report.json 'd["verdict"].split("; ")[-1]')" "$mpi: the verdict"
    assert_matches "$("$analyze" ring.otf2.zip)" '^messages  not recorded \(--events\)$'
    record_ring "$mpi" all
    assert_lacks "$("$analyze" ring.otf2.zip)" "not recorded"
    expect_calls "$mpi, -e all" \
        '{"MPI_Comm_rank": 2, "MPI_Comm_size": 2, "MPI_Recv": 20, "MPI_Send": 20}'
    record_ring "$mpi" all,-p2p
    expect_calls "$mpi, -e all,-p2p" '{"MPI_Comm_rank": 2, "MPI_Comm_size": 2}'
    record_ring "$mpi" -p2p # of the default
    expect_calls "$mpi, -e -p2p" '{}'
done
finish
