# What a report says of a cause may not be sure: ranks lacked cores, clocks disagree, events are
# lost, calls may have waited for other jobs. Then it says so, by how much, or nothing.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"

# It is in doubt where ranks have no core for a quarter of their run: for 2,500 of 8,000 us.
report polling_in_doubt
assert_equal "polling: 2000 calls, mostly MPI_Test, planted.c:113, take 6% of the ranks' run \
beside lack of cores: perhaps up to 250 us of 4.00 ms true" "$(json report.json '" ".join(
    c["sentence"] + " " + json.dumps(c["is_doubtful"]) for c in d["causes"]
    if c["id"] == "polling")')" "in doubt"
assert_equal "[false]" "$(json report.json '[c["is_doubtful"] for c in d["causes"]
    if c["id"] == "no_core"]')" "how long it had no core is known"
# Nor is it sure who was late where clocks differ by as much.
report late_by_clock
assert_equal "perhaps rank 0 sends late, MPI_Send, planted.c:40, though it computes about as long \
as the others: up to 307 us of 2.12 ms; if that is so, let it send before what it computes then, \
or in pieces, each as soon as it is computed. \
-> waits" "$(json report.json 'd["verdict"] + "; " + d["advice"]')" "clocks"
report late_by_clock_not
assert_contains "$(json report.json '"! " + d["verdict"]')" "! rank 0 sends late"
# Nor where 1 % of the events was lost: 2 to 176 that are there, and not 1.
report imbalance
for lost in 1 2; do
    echo "{\"schema\": \"mpiwatch-archive/1\", \"ranks\": [{\"rank\": 0,
        \"lost\": {\"limit\": $lost}}]}" >run/mpiwatch.json
    "$analyze" report --json run >report.json 2>err || assert_equal 4 $? "a loss: $(cat err)"
    json report.json 'd["verdict"][:14] + ", " + d["advice"][:14]' >>lost
done
assert_equal "rank 1 compute, move work away
perhaps rank 1, if that is so," "$(cat lost)" "losses"
# Calls with ranks of other jobs may wait for these: 21 us of 122 in each round.
report messages_on_cores
ids='" ".join(c["id"] for c in d["causes"])'
assert_equal "message_bound no_core" "$(json report.json "$ids")" "messages of its own"
echo '{"schema": "mpiwatch-archive/1", "communicators": [{"id": 0, "other_job": true}]}' \
    >run/mpiwatch.json
"$analyze" report --json run >report.json || fail "messages with other jobs"
assert_equal "" "$(json report.json "$ids")" "of other jobs"
assert_contains "$("$analyze" --width=100 run)" "waiting 0.0%, calls with other jobs besides 17.2%"
assert_equal "other jobs may be waited for" \
    "$(json report.json 'd["pop"]["ideal_unknown"]')" "an ideal network"
assert_equal "420000 [210000, 210000]" \
    "$(json report.json '"%d %s" % (d["waits"]["with_other_jobs_ns"],
        [r["with_other_jobs_ns"] for r in d["ranks"]["ranks"]])')" "in JSON"
sentence="alls with ranks of other jobs take 420 us besides: how long they wait for these is not \
known"
"$analyze" report --html=page.html --force run
assert_contains "$(cat page.html)" " C$sentence."
assert_contains "$("$analyze" waits --width=200 run)" "c$sentence"
# By the communicator that calls are charged to, those that begin receives as well: 22 us.
"$analyze" waits --json --comm=MPI_COMM_WORLD run >waits.json
assert_equal 440000 "$(json waits.json 'd["with_other_jobs_ns"]')" "of a selected communicator"
# That such a communicator ends between calls is no call with its ranks.
report lost_comm
echo '{"schema": "mpiwatch-archive/1", "communicators": [{"id": 0, "other_job": true}]}' \
    >run/mpiwatch.json
"$analyze" waits --json run >waits.json
assert_equal 0 "$(json waits.json 'd["with_other_jobs_ns"]')" "of none"

# Of two ranks that send in turn rank 1 computes 400 us a round and the other 250: nobody says that
# they compute alike. Rank 0 waits from 50 to 400, then rank 1 from 481 to 851, then rank 0 from 902
# to 1572, and so on: all is done at 11.72 ms, and without waiting when rank 1 has computed 8.
sentence='[c["sentence"] for c in d["causes"] if c["id"] == "held_sends"][0]'
report held_sends_uneven
assert_equal "large messages keep those who send them waiting, MPI_Send, planted.c:291, as they \
are received late, now by one rank, now by another: up to 3.72 ms of 11.7 ms" \
    "$(json report.json "$sentence")" held_sends_uneven
report held_sends_uneven_not
assert_contains "$(json report.json "$sentence")" \
    "now by another, though all compute about as long as each other: up to"
