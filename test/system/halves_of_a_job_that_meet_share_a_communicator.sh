# MPI_Comm_accept and MPI_Comm_connect between two halves of one job: what both made is one
# communicator with one identity and all its members, its messages are matched, and what is
# merged from it has its members, too. (MPICH's ucx device has no ports.)
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi # Debian's MPICH has no ports
test_timeout=40
"$MPICC_OPENMPI" -o halves "$TOP_SRCDIR/test/system/halves_that_meet.c"
[ "$(status_of run_openmpi 4 ./halves)" = 0 ] || skip "halves of a job can't connect here"

assert_equal 0 "$(status_of run_openmpi 4 "$record" -o halves.otf2.zip ./halves)" \
    "recorded: $(cat stderr)"
reported info halves
counts='" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives", "other_job_sends",
                                     "other_job_receives", "lost_events"))'
assert_equal "0 0 0 0 0" "$(json info.json "$counts")" "messages that have no other end"
reported messages halves
assert_equal $((2 * 2 * 4 + 2)) "$(json messages.json 'd["messages"]')" "messages"
assert_equal 0 "$(status_of "$analyze" validate halves.otf2.zip)" "validate: $(cat stdout stderr)"

unzip -p halves.otf2.zip mpiwatch.json >about.json
reported comms halves
made='sorted((c["inter"], c["local_size"], c["members"]) for c in d["communicators"]
             if c["created_by"] in ("MPI_Comm_accept", "MPI_Comm_connect", "MPI_Intercomm_merge"))'
all='[0, 2, 1, 3]'
assert_equal "[[false, 4, $all], [false, 4, $all], [true, 2, $all], [true, 2, $all]]" \
    "$(json comms.json "$made")" "the communicators that were made"
assert_equal 0 "$(json about.json \
    'sum(c.get("contradicted", False) or c.get("other_job", False) for c in d["communicators"])')" \
    "communicators with something wrong or foreign"
assert_equal 8 "$(json about.json 'len({c["uid"] for c in d["communicators"]})')" "identities"
finish
