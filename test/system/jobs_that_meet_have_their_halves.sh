# Two jobs, started apart, that meet by MPI_Comm_accept and MPI_Comm_connect, or by a socket and
# MPI_Comm_join: each archive is whole, has its half of all messages, and knows which members of
# a communicator are of the other job. Read together, the halves are found, in whatever order the
# archives are named. A job that meets one that is not recorded ends as it would without.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
test_timeout=60

# meet ROLE ROLE: records both jobs.
meet() {
    local one=$1 two=$2 program status=0 other=0 job mpirun_options="--ompi-server file:server"
    program=$(example meet openmpi)
    set -- run_openmpi 2 "$record"
    rm -f place "$one".* "$two".*
    "$@" -o "$one.otf2.zip" "$program" "$one" place >"$one.out" 2>"$one.err" &
    job=$!
    "$@" -o "$two.otf2.zip" "$program" "$two" place >"$two.out" 2>"$two.err" ||
        other=$?
    wait "$job" || status=$?
    assert_equal "0 0 met met" "$status $other $(cat "$one.out") $(cat "$two.out")" \
        "$one and $two: $(tail -n 5 "$one.err" "$two.err")"
}

# half ROLE CALL PARENT PEERS OWN MEMBERS MERGED: what the archive of one side has to hold; PEERS
# messages go to the other job and come from there, OWN stay; the members of its
# communicators with the other job and of those merged from them.
half() {
    local role=$1 name=$3/$2# merged='/intercomm_merge#1'
    reported info "$role"
    assert_equal "true 0 0 0 $4 $4" "$(json info.json '" ".join(json.dumps(d[k]) for k in (
        "complete", "lost_events", "unmatched_sends", "unmatched_receives", "other_job_sends",
        "other_job_receives"))')" "$role"
    reported messages "$role"
    assert_equal "$5 $(($4 + $5))" \
        "$(json messages.json '"%d %d" % (d["matched"], d["messages"])')" \
        "$role: messages within the job, and all that it sent"
    assert_equal 0 "$(status_of "$analyze" validate "$role.otf2.zip")" "$(cat stdout stderr)"
    reported comms "$role"
    assert_equal "${name}1 $6; ${name}1$merged $7; ${name}2 $6; ${name}2$merged $7" \
        "$(json comms.json '"; ".join("%s %s" % (c["name"], c["member_ranges"])
                                      for c in d["communicators"] if not c["predefined"])')" "$role"
    assert_equal 6 "$(json comms.json 'len({c["uid"] for c in d["communicators"]})')" "identities"
}

# joined ONE TWO PAIRS: both archives as one: four communicators, with every message's other end;
# PAIRS has the ranks of the two jobs that speak to each other, each 4 times.
joined() {
    local archives
    for archives in "$1.otf2.zip $2.otf2.zip" "$2.otf2.zip $1.otf2.zip"; do
        "$analyze" messages --json $archives >messages.json
        assert_equal "4 0 0 0" "$(json messages.json '" ".join(str(d[k]) for k in (
            "joint_communicators", "half_communicators", "other_job_sends",
            "other_job_receives"))')" "$archives"
        assert_equal "$3" "$(json messages.json 'sorted([p["from"], p["to"]] for p in d["pairs"]
            if (p["from"] < 2) != (p["to"] < 2) and p["count"] == 4)')" "$archives"
        "$analyze" waits --json $archives >waits.json
        assert_equal 0 "$(json waits.json 'd["messages_unmatched"]')" "$archives: unmatched"
    done
}

# alone ROLE ROLE: only the first is recorded.
alone() {
    local job
    rm -f place
    run_openmpi 2 "$program" "$2" place >"$2.out" 2>"$2.err" &
    job=$!
    run_openmpi 2 "$record" --force -o alone.otf2.zip "$program" "$1" place >"$1.out" 2>"$1.err" ||
        wrong "$1 with one that is not recorded: $(tail -n 5 "$1.err")"
    wait "$job" || wrong "$2, not recorded: $(tail -n 5 "$2.err")"
    assert_equal "met met" "$(cat "$1.out") $(cat "$2.out")" "$1 and $2"
}

# The only device that Debian's MPICH has, ucx, refuses both, since it has no ports. The recorder
# changes nothing about that. (MPI_Comm_join opens a port before anyone speaks on the socket.)
# Started without mpiexec, which does not always hand on what a process that aborts returns.
if mpis | grep -qx mpich; then
    program=$(example meet mpich)
    for command in "$program" "$record -o accept.otf2.zip $program"; do
        assert_equal 3 "$(status_of timeout 60 $command accept place)" "$command: $(cat stderr)"
        assert_contains "$(cat stderr)" "MPIDI_UCX_get_local_upids"
    done
fi

mpis | grep -qx openmpi || finish
need ompi-server
ompi-server --no-daemonize -r server >server.out 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; clean_up' EXIT
for ((i = 0; i < 600; i++)); do
    [ ! -s server ] || break
    sleep 0.1
done
[ -s server ] || fail "ompi-server does not start: $(cat server.out)"

meet accept connect
half accept accept MPI_COMM_WORLD 16 8 '0-1|?x2' '?x2,0-1'
half connect connect MPI_COMM_WORLD 16 8 '0-1|?x2' '0-1,?x2'
joined accept connect '[[0, 2], [0, 3], [1, 2], [1, 3], [2, 0], [2, 1], [3, 0], [3, 1]]'
meet listen dial
half listen join MPI_COMM_SELF 4 2 '0|?' '?,0'
half dial join MPI_COMM_SELF 4 2 '0|?' '0,?'
joined listen dial '[[0, 2], [2, 0]]'

# What has nothing in common stays apart, and is said to.
"$analyze" messages --json accept.otf2.zip listen.otf2.zip >messages.json
assert_equal "0 8 20 20" "$(json messages.json '" ".join(str(d[k]) for k in (
    "joint_communicators", "half_communicators", "other_job_sends",
    "other_job_receives"))')" "strangers"
assert_contains "$("$analyze" messages accept.otf2.zip listen.otf2.zip)" \
    "of 8 communicators with another job the other half is not here, or can't be told"

program=$(example meet openmpi)
mpirun_options="--ompi-server file:server"
alone connect accept
alone listen dial
finish
