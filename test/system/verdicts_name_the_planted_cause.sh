# Runs with one planted fault each, as planted.py puts their times together: the report names it,
# the ranks and the line, and how much it costs, which was worked out by hand; and says nothing of
# it of the same run without the fault.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"
plant

# Rank 1 computes 300 us for 100 of three others, 10 times: average 150, 2000 us more than they.
says imbalance imbalance "rank 1 computes 2.0 times the average, mostly before MPI_Allreduce, \
planted.c:10: up to 2.00 ms of 3.01 ms"
says bcasts imbalance "rank 1 computes 2.0 times the average, mostly before MPI_Bcast, \
planted.c:11: up to 2.00 ms of 3.04 ms"
# 200 us longer 40 times, before calls of four lines: mostly before none of them.
says four_lines imbalance "rank 1 computes 50% longer than average: up to 8.00 ms of 12.0 ms"
# 200 us longer than the others, 10 times, of which one waits: that one could be as much faster.
says one_waits imbalance "rank 1 computes 2.0 times the average, mostly before MPI_Recv, \
planted.c:58: up to 2.00 ms of 3.01 ms"
# The same, of two, where who waits in MPI_Waitall has all begun: 200 us, 10 times.
says hidden imbalance "rank 1 computes 50% longer than average, mostly before MPI_Waitall, \
planted.c:192: up to 2.00 ms of 3.03 ms"
# Of small ones it is the next for which rank 0 waits, 98 us, and eight times 199: what rank 1 does
# longer it does before it completes those before. The last time it is the run that ends later.
says not_hidden imbalance "rank 1 computes 50% longer than average, mostly before MPI_Waitall, \
planted.c:192: up to 1.99 ms of 3.03 ms"
# The smallest are there when they were sent: who waits does so for the next one to be. What may be
# there is sure to have waited only if the call is left soon then: not 30 us behind 200. Calls that
# ask, begin something, or are on a communicator of one rank, move no message; one that looks for
# some may have, so that it is what was waited for, 199 us after rank 0 has come behind its own.
# Of three in a row of MPI_Wait each rank 0 waits 200 us in the first one, until rank 1 comes to its
# first one, and not to that which completes the message, where rank 0 has long gone on; rank 2, in
# the second one, 199. Rank 2 is 1 us earlier than rank 0 from the second round on, and waits for
# that in its first one, which small messages do not show. With 30 us between: 169, and 31 earlier.
# What is begun late, at 50 us, is waited for until its sender waits for it, at 301, 10 times.
for fault in "hidden 10 2000000" "hidden_not 0 0" "not_hidden 0 0" "hidden_small 10 2000000" \
    "hidden_slow 10 2000000" "hidden_unsure 0 0" "hidden_asks 10 2000000" \
    "hidden_begins 10 2000000" "hidden_alone 10 2000000" "hidden_looks 10 1990000" \
    "row 29 3999000" "row_small 20 3990000" "row_unpacks 29 3969000" "row_not 0 0" \
    "posts_behind 0 0" "posts_behind_not 10 2000000" "begun_late_small 10 2510000" \
    "begun_late_not 0 0"; do
    report "${fault%% *}"
    "$analyze" waits --json run >waits.json || fail "waits of $fault"
    assert_equal "$fault" "${fault%% *} $(json waits.json '["%(instances)d %(total_ns)d" % p
        for p in d["patterns"] if p["name"] == "late_progress"][0]')" "late progress"
done
# So it is with an operation of three that goes on only while all are in calls: both others wait.
says operation imbalance "rank 1 computes 80% longer than average, mostly before MPI_Wait, \
planted.c:227: up to 2.00 ms of 3.02 ms"
# One that goes on by itself is waited for until the last has begun it, which is another wait; what
# ends 30 us behind may have other reasons.
for fault in "operation 20 4000000" "operation_not 0 0" "operation_by_itself 0 0" \
    "operation_slow 0 0"; do
    report "${fault%% *}"
    "$analyze" waits --json run >waits.json || fail "waits of $fault"
    assert_equal "$fault" "${fault%% *} $(json waits.json '["%(instances)d %(total_ns)d" % p
        for p in d["patterns"] if p["name"] == "late_progress_of_all"][0]')" "progress of all"
done
# Who asks by MPI_Test until it is complete waits likewise, 199 us and nine times 200 each of two;
# who works for 4 us between two of 1 us does not. Rank 1 computes 1,333 us above the average.
says asks imbalance "rank 1 computes 80% longer than average, mostly before MPI_Iallreduce, \
planted.c:228: up to 1.99 ms of 3.02 ms"
for fault in "asks 20 3998000 [1333330]" "asks_between 0 0 []"; do
    report "${fault%% *}"
    assert_equal "$fault" "${fault%% *} $(json report.json '["%(instances)d %(total_ns)d" % p
        for p in d["waits"]["patterns"] if p["name"] == "wait_at_nxn"][0] + " %s" % [c["gain_ns"]
        for c in d["causes"]]')" "polls in a row"
done
# 0.1 us between two of 1 us, of 182 of them before the one that finds it, are a wait, too, but for
# 18.2 of 201.2 us, of which it waits about 200: some 361 of 9,060 in all, which are useful time.
report asks_at_once
assert_matches "$(json report.json 'd["waits"]["between_polls_ns"]')" "^36[012]...$" "between polls"
assert_contains "$("$analyze" report run | tr -s ' \n' ' ')" "(between polls that wait 4.0%)" "said"
"$analyze" -q report --force --html=page.html run
assert_contains "$(cat page.html)" "<small>between polls that wait 4.0%</small>" "page"
report asks
assert_lacks "$("$analyze" report run)" "between polls" "nothing between them"
"$analyze" -q report --force --html=page.html run
assert_lacks "$(cat page.html)" "<small>between polls" "page: nothing between them"
# What is not posted is waited for to be so, and not to be completed, for 199 us each time.
report posts_behind
"$analyze" waits --json run >waits.json || fail "waits of posts_behind"
assert_equal "10 1990000" "$(json waits.json '["%(instances)d %(total_ns)d" % p
    for p in d["patterns"] if p["name"] == "late_receiver"][0]')" "late receiver"
# So it is where a receive stays open and the first wait, of 98 us, is behind the longest time
# outside of MPI: that one is known as soon as the others, while what both ranks did is.
report listener
"$analyze" waits --json run >waits.json || fail "waits of listener"
assert_equal "198899000 198899000 0" "$(json waits.json '"%d %d %d" % (d["patterns"][[p["name"]
    for p in d["patterns"]].index("late_receiver")]["total_ns"], d["delays"]["short_term_ns"],
    d["delays"]["unexplained_ns"])')" "waits and delays of listener"
# Rank 1 computes 300 us each time, the average is 167: so much shorter would each of 10 be.
says row imbalance "rank 1 computes 80% longer than average, mostly before MPI_Wait, \
planted.c:230: up to 2.00 ms of 3.08 ms"
report row
assert_equal "move work away from rank 1 before tuning MPI; would save about 1.33 ms of 3.08 ms. \
-> imbalance" "$(json report.json 'd["advice"]')" "row"
# The path goes on at the rank that computes: rank 0 ends first of both that end at the same time.
report hidden
"$analyze" critical-path --csv run >path.csv || fail "the path of hidden"
assert_equal "useful" "$(sed -n 2p path.csv | tr -d '"' | cut -d, -f1)" "$(cat path.csv)"
# 114 us for 100: 7 above the average, and that is all that rank 0 waits.
says slightly_uneven imbalance "rank 1 computes 7% longer than average, mostly before MPI_Irecv, \
planted.c:46: up to 140 us of 1.16 ms"
# 110 us for 100: 50 us of 1.12 ms would be saved, which is less than 5 %. It is no verdict.
report barely_uneven
assert_equal "computation dominates: MPI takes 6.2% of the ranks' run; imbalance 50000; move work \
away from rank 1 before tuning MPI; would save about 50.0 us of 1.12 ms. -> imbalance" \
    "$(json report.json '"%s; %s %d; %s" % (d["verdict"], d["causes"][0]["id"],
        d["causes"][0]["gain_ns"], d["advice"])')" "what saves little"
"$analyze" run >screen || fail "report of barely_uneven"
assert_matches "$(cat screen)" '^also +rank 1 computes 5% longer than average'
# 20 times 100 us, and 20 times 1: 990 us more than both would compute on average. Of two peers, one
# of which has a receive for anybody, work can be moved: 20 times 100 and 50 us, average 75. Of the
# 500 us that rank 0 is given 475 are before its receives, 73.75 us 20 times then, and 25 at last;
# with 1 us for each send, and 2 for a receive, but 1 for two that wait for nobody, 1,558 for 2,040.
says one_worker one_worker "rank 1 is the only worker: rank 0 waits for what it computes, and \
computes little: up to 990 us of 2.10 ms"
report one_worker_not
assert_equal "move work away from rank 1 before tuning MPI; would save about 482 us of 2.04 ms. \
-> imbalance" "$(json report.json 'd["advice"]')" "two peers"
# 10 for 100 us: average 77.5, the others are 22.5 above it.
says idle idle "rank 0 computes little (100 us) while the others compute, which come to \
MPI_Allreduce, planted.c:12 later: up to 225 us of 1.01 ms"
# Three of four wait 200 us, 12 times: 7200 us, 1800 each.
says moving moving_imbalance "the ranks compute unevenly, now one longer, now another, mostly \
before MPI_Allreduce, planted.c:20: up to 1.80 ms of 3.61 ms"
# Of 10 times 200 us that three wait rank 0 costs six: 1,200 at most. That others are longer in four
# costs 600 for each of four, so it comes second; to even out all ten saves 150 us each time.
for fault in "moving_and_longer imbalance:1200000 moving_imbalance:1500000" \
    "moving_and_longer_not imbalance:1200000"; do
    report "${fault%% *}"
    assert_equal "$fault" "${fault%% *} $(json report.json '" ".join(
        "%(id)s:%(up_to_ns)s" % c for c in d["causes"])')" "what moves beside a rank that is longer"
done
# Rank 1 computes 1,200 us more than rank 0, 600 above the average, and rank 0 waits for it 12 times
# 300; but 1,200 explain no more than 1,200 of that, and rank 0 is waited for as long 8 times. All
# steps evened save 150 us each.
says moving_of_two moving_imbalance "the ranks compute unevenly, now one longer, now another, \
mostly before MPI_Allreduce, planted.c:16: up to 3.00 ms of 8.02 ms"
assert_equal "" "$(report moving_of_two
    json report.json '" ".join(c["id"] for c in d["causes"] if c["id"].startswith("late"))')" \
    "of two by turns none comes late"
# Two compute 1,500 us more than the others, but these wait 300 for one of both, 10 times.
says longer_by_turns imbalance "ranks 2 and 3 compute up to 43% longer than average, mostly before \
MPI_Allreduce, planted.c:19: up to 3.00 ms of 4.01 ms"
# Three wait 60 us for rank 2, 10 times, though it is the one that computes least. For rank 1 two
# wait 60 and rank 2 160, else 100.
for fault in "late_and_longer imbalance:933333 late_collective:600000" \
    "late_and_longer_not imbalance:733333"; do
    report "${fault%% *}"
    assert_equal "$fault" "${fault%% *} $(json report.json '" ".join(
        "%(id)s:%(up_to_ns)s" % c for c in d["causes"])')" "who is late beside one that is longer"
done
assert_equal "rank 2 comes late to MPI_Allreduce, planted.c:17, though it computes less than the \
others in all: up to 600 us of 2.22 ms" "$(report late_and_longer
    json report.json '[c["sentence"] for c in d["causes"]][1]')" "who is late"
# Nor does it matter that another rank, which computes longer, is waited for in the same line. If
# nobody waits for rank 0, rank 3 comes last, 122 us after each round began, for 162.
report late_beside_longer
assert_equal "[0] 400000" "$(json report.json '["%(ranks)s %(gain_ns)s" % c for c in d["causes"]
    if c["id"] == "late_sender"][0]')" "who sends late in a line with one that is longer"
report late_beside_longer_not
assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" late_sender
# Each of two waits 100 us, 10 times; rank 1 also those 300 for which rank 0 has no core, which does
# not make rank 1 the only one that comes late.
says moving_and_lacking moving_imbalance "the ranks compute unevenly, now one longer, now another, \
mostly before MPI_Allreduce, planted.c:24: up to 1.00 ms of 4.32 ms"
# What each of four lacks is less than 5 % of its run, 30 of 2,340 us, but the other three wait for
# it: of 16 us in each of 20 rounds 10 are left, of which 7.5 are above what each computes then if
# all share them; none where it lacks all of the 16.
says moving_or_lacking moving_imbalance "the ranks compute unevenly, now one longer, now another, \
mostly before MPI_Allreduce, planted.c:27: up to 150 us of 2.34 ms"
# The command that is named for the lack of cores has it, rank by rank; none where there is none.
report moving_and_lacking
assert_equal "ranks" "$(json report.json '[c["command"] for c in d["causes"]
    if c["id"] == "no_core"][0]')" "what shows the lack of cores"
assert_equal "0 0 ns 300 us 0 ns 0 ns MPI_Allreduce, planted.c:24
1 0 ns 0 ns 0 ns 0 ns -" "$("$analyze" ranks run | sed '1,/asleep/d; /^asleep/d' | tr -s ' ' |
    sed 's/^ //; s/ $//')" "ranks without a core"
report moving
assert_lacks "$("$analyze" ranks run)" "asleep"
# Of many it is shown though eight others are less in MPI: in both tables, or in none.
report many_lacking
assert_equal 2 "$("$analyze" ranks run | grep -c '^ *40 ')" "lines of rank 40"
report many_lacking_not
assert_equal 0 "$("$analyze" ranks run | grep -c '^ *40 ' || true)" "lines without the fault"
# 10 rounds of 4 x 100 us, one at a time: 4078 us, of which each needs 1030 with its messages.
says chain serialisation "the ranks work one after the other: a chain of messages through 4 ranks, \
received in MPI_Recv, planted.c:30: up to 3.05 ms of 4.08 ms"
# Rank 1 asks rank 0, which computes 100 us, and waits for it: what one does less the other does
# more, 10 times 104 us in all. Both at the same time would take half of the 1,000 us; of 1,200,
# where rank 1 computes 20 before it asks. If rank 0 computes before it looks who asks, both can do
# half: 53 us, and 102 before that, and 1 more at last.
says by_turns by_turns "rank 0 and the others compute by turns, never at the same time, and wait \
for each other, mostly in MPI_Recv, planted.c:67: up to 500 us of 1.04 ms"
# Rank 1 computes nothing in the former, and a fifth of what rank 0 does in the latter.
little=", and let rank 1, which computes little, do part of it"
for fault in by_turns by_turns_with_own; do
    report $fault
    assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" imbalance "$fault"
    assert_equal "let them compute at the same time: ask early for what is needed later$little; \
while they take turns, moving work saves next to nothing, and only making what rank 0 computes \
shorter helps. -> critical-path" "$(json report.json 'd["advice"]')" "$fault"
    little=
done
assert_contains "$(json report.json 'd["verdict"]')" "up to 600 us of 1.24 ms"
report by_turns_not
assert_equal "move work away from rank 0 before tuning MPI; would save about 491 us of 1.02 ms. \
-> imbalance" "$(json report.json 'd["advice"]')" "by_turns_not"
# 10 times four pieces of 50 us each go through four ranks, which takes 350 us of computing where
# each has 200, and 363 with calls; in one piece 800, all of it one after the other, and 807. If
# nobody waited for messages, 210 and 204.
says sweep out_of_step "the ranks compute as long as each other between the operations that all \
take part in, but not at the same time, and wait for messages in MPI_Recv, planted.c:36: up to \
1.53 ms of 3.63 ms"
# Through three ranks 300 us a time, of 200 that each computes, also where all meet but once in ten.
says seldom_met out_of_step "the ranks compute as long as each other between the operations that \
all take part in, but not at the same time, and wait for messages in MPI_Recv, planted.c:36: up to \
1.01 ms of 3.10 ms"
# Where the neighbours' messages are waited for since one of four computes 200 us longer, or 40, it
# is that, 40 times: 150 us a time if all are even, and 110.
says moving_in_ring moving_imbalance "the ranks compute unevenly, now one longer, now another, \
mostly before MPI_Send, planted.c:31: up to 5.83 ms of 12.1 ms"
says hardly_moving_in_ring moving_imbalance "the ranks compute unevenly, now one longer, now \
another, mostly before MPI_Send, planted.c:31: up to 1.07 ms of 5.68 ms"
says serial_sweep serialisation "the ranks work one after the other: a chain of messages through 4 \
ranks, received in MPI_Recv, planted.c:36: up to 6.03 ms of 8.07 ms"
# Ranks of a square that wait for their neighbours at the left and above do so in two lines, and
# each of them is a chain by itself: 307 us a round, and 104 if nobody waits in either, as rank 3
# has 2 and 1 of its receives, 100 and 1 of the operation; 205 if it is only in the first.
says grid out_of_step "the ranks compute as long as each other between the operations that all \
take part in, but not at the same time, and wait for messages in MPI_Recv, planted.c:27 and \
MPI_Recv, planted.c:28: up to 2.03 ms of 3.07 ms"
# Where ranks compute unevenly it is not the messages that they wait for behind that: three of four
# wait 200 us, 12 times, one of them for a message.
says moving_with_messages moving_imbalance "the ranks compute unevenly, now one longer, now \
another, mostly before MPI_Allreduce, planted.c:23: up to 1.80 ms of 3.64 ms"
# 100 us, 10 times.
says late_sender late_sender "rank 0 sends late, MPI_Send, planted.c:40, though it computes \
about as long as the others: up to 1.01 ms of 2.04 ms"
says late_receiver late_receiver "rank 1 receives late, MPI_Recv, planted.c:51, while MPI_Send of \
large messages waits for it, though it computes about as long as the others: up to 1.00 ms of \
2.02 ms"
says late_post late_post "rank 1 posts its receive late, MPI_Irecv, planted.c:54, while MPI_Send \
of large messages waits for it, though it computes about as long as the others: up to 1.00 ms of \
2.02 ms"
says late_collective late_collective "rank 2 comes late to MPI_Bcast, planted.c:60, though it \
computes about as long as the others in all: up to 1.00 ms of 2.02 ms"
# 60 us before the others' 100: 600 us of 900 on average.
says late_of_little late_collective "rank 2 comes late to MPI_Bcast, planted.c:60, though it \
computes less than the others in all: up to 600 us of 1.62 ms"
# A piece costs rank 0 22 us with its two messages, of three workers 66; 13 of these each works and
# sends and receives itself: 53, 30 times, of which the first have fewer before them.
says master master "rank 0 serves all others by receives for anybody (MPI_ANY_SOURCE), and they \
wait for it, mostly in MPI_Recv, planted.c:71: up to 1.58 ms of 1.99 ms"
# It waits for them at one line, and they at another for it: no line has all late senders.
assert_equal "waiting takes 24.2% of the ranks' run, 100% of it late sender, 98% of that in \
MPI_Recv, planted.c:72, 98% for rank 1" \
    "$(json report.json 'd["verdict"]')" "not all of it is at one line"
# It has 1000 us for 10 of three others, average 257.5, and serves nobody: they wait for it once.
for fault in collects collects_not; do
    report $fault
    assert_equal "imbalance" "$(json report.json '" ".join(c["id"] for c in d["causes"]
        if c["id"] in ("imbalance", "master"))')" "no master: $fault"
    assert_contains "$(json report.json 'd["verdict"]')" "rank 0 computes 3.9 times the average"
done
# 300 us against 100, ten times: the root of a broadcast waits for who receives, and moves nothing.
says root_waits imbalance "rank 1 computes 50% longer than average, mostly before MPI_Bcast, \
planted.c:13: up to 2.00 ms of 3.02 ms"
# Nine tenths of 4 ms, which the main thread and this one could share.
says threads threads_idle "other threads of ranks 0 and 1 do not run for 90% of their time: up to \
1.80 ms of 4.00 ms"
# 2,000 us of 8,000.
says polling polling "polling: 2000 calls, mostly MPI_Test, planted.c:110, take 25% of the ranks' \
run: up to 1.00 ms of 4.00 ms"
says looking polling "polling: 2000 calls, mostly MPI_Request_get_status, planted.c:112, take 25% \
of the ranks' run: up to 1.00 ms of 4.00 ms"
# Such a call may name a communicator, or its request's: the archive does not.
# That stands below the table, and is whole on a narrow screen, too.
for width in 60 80 140; do
    "$analyze" comms --width=$width run >out || fail "comms"
    assert_matches "$(cat out)" ' none$'
    assert_contains "$(cat out)" "none: calls of which no communicator is told"
done
# 20 ms of 80, of two ranks; of long messages no more than 5 us each can be in vain.
for fault in "progress 10.0" "long_progress 5.00"; do
    report "${fault%% *}"
    assert_contains "$(json report.json 'str([c["sentence"] for c in d["causes"]])')" \
        "polling: 2000 calls, mostly MPI_Test, planted.c:119, take 25% of the ranks' run: up to \
${fault##* } ms of 40.0 ms" "$fault"
done
# 1,600 us of 8,000, where no core was there for 400; or 200.
says polling_on_cores polling "polling: 2000 calls, mostly MPI_Test, planted.c:113, take 20% of \
the ranks' run beside lack of cores: up to 800 us of 4.00 ms"
# Who waits in MPI_Wait posts receives early; who does so elsewhere may not.
report packs
assert_equal "send earlier, or compute something else before MPI_Wait: post MPI_Irecv early. \
-> waits" "$(json report.json 'd["advice"]')" "waits in MPI_Recv"
report packs_not
assert_equal "send earlier, or compute something else before MPI_Wait. -> waits" \
    "$(json report.json 'd["advice"]')" "waits in MPI_Wait"
# 1,000 us of 8,000.
says flushes flushes "1000 flushes of windows for 1000 operations, mostly MPI_Win_flush, \
planted.c:131, take 12% of the ranks' run: up to 500 us of 4.00 ms"
# 2,000 us of 8,000, with which rank 0 takes as long as rank 1.
says lock_epochs lock_epochs "locks of windows, held 1000 times for 1000 operations, take 25% of \
the ranks' run beside waiting, mostly MPI_Win_unlock, planted.c:135: up to 1.00 ms of 4.00 ms"
# 3 of 10 us, 500 times. Of more than 256 bytes, or behind nothing, there is no such cause.
says fences fences "1000 calls of MPI_Win_fence for 1000 operations of 8 B on average, mostly \
planted.c:246, take 30% of the ranks' run beside waiting: up to 1.50 ms of 5.00 ms"
for fault in fences_large fences_alone; do
    report $fault
    assert_equal "[]" "$(json report.json 'str([c["id"] for c in d["causes"]])')" "$fault"
done
# Each has the lock for 32 us, and asks 50 after that: three wait 0, 32 and 64, then 14 nine times,
# and 190 with MPI_Win_free, which all could save; the calls take 20 beside waiting.
says locks lock_contention "the ranks compete for locks of windows, MPI_Win_lock, \
planted.c:241: up to 210 us of 1.01 ms"
# If they meet behind each, who has it first waits for that as long as the last one for the lock: 64
# us, 10 times, and 20 again. It is no imbalance, now of one, now of another, though whoever has the
# lock later computes when the others have done so. Who computes 300 us longer comes behind all.
says locks_behind lock_contention "the ranks compete for locks of windows, MPI_Win_lock, \
planted.c:241: up to 660 us of 1.47 ms"
report locks_aside
assert_equal "['imbalance']" "$(json report.json 'str([c["id"] for c in d["causes"]])')" \
    "a rank that is late and two that compete"
# 20 of 120 us, where they are freed before the next ones are made.
says windows_remade windows_remade "ranks make and free up to 20 windows one after the other: \
MPI_Win_create, planted.c:170, and MPI_Win_free, planted.c:171, take 17% of their run beside \
waiting: up to 400 us of 2.40 ms"
# Of one in four of it each had no core: 1 - 0.75^4.
report remade_on_cores
assert_contains "$(json report.json 'd["verdict"]')" "take 17% of their run beside waiting, 68% of \
it for lack of cores: up to 400 us of 2.40 ms"
says comms_remade communicators_remade "ranks make and free up to 20 communicators one after the \
other: MPI_Comm_dup, planted.c:180, and MPI_Comm_free, planted.c:181, take 17% of their run beside \
waiting: up to 400 us of 2.40 ms"
# The first time has to be: 19 times 20 us.
says files_reopened files_reopened "ranks open the same files again up to 19 times: \
MPI_File_open, planted.c:184, and MPI_File_close, planted.c:185, take 16% of their run beside \
waiting: up to 380 us of 2.40 ms"
report files_reopened
assert_equal "['files_reopened']" "$(json report.json 'str([c["id"] for c in d["causes"]])')" \
    "larger pieces would not help"
report files_reopened_not
assert_equal "['file_io_together']" "$(json report.json 'str([c["id"] for c in d["causes"]])')" \
    "files that are open side by side are opened once"
assert_contains "$(json report.json 'd["verdict"]')" ", mostly MPI_File_open, planted.c:184, \
MPI_File_open#0: up to" "all is open on one file"
report files_opened
assert_equal "['file_io_together'] file I/O: 17% of the ranks' run, mostly MPI_File_open, \
planted.c:184: up to 400 us of 2.40 ms" \
    "$(json report.json 'str([c["id"] for c in d["causes"]]) + " " + d["verdict"]')" \
    "each step has a file of its own, none of which is told for all"
says file_one_rank file_io_at_one_rank "the others wait for rank 0, which does file I/O alone: \
MPI_File_write, planted.c:120: up to 2.00 ms of 3.01 ms"
# A file is named where it has half of the time at the place with most.
for files in many: many_not:", MPI_File_open#0"; do
    report "file_one_of_${files%:*}"
    assert_equal "the others wait for rank 0, which does file I/O alone: MPI_File_write_at, \
planted.c:246${files#*:}" "$(json report.json '[c["sentence"] for c in d["causes"]
        if c["id"] == "file_io_at_one_rank"][0].partition(": up to")[0]')" "$files"
done
says file_one_on_cores file_io_at_one_rank "the others wait for rank 0, which does file I/O alone: \
MPI_File_write, planted.c:120: up to 1.60 ms of 3.01 ms"
says file_io file_io "file I/O: 33% of the ranks' run, mostly MPI_File_write_at, planted.c:122: up \
to 500 us of 1.50 ms"
# 40 of 100 us, and 2 in all to open and close: 402 of 1,002.
says file_pieces file_io "file I/O: 40% of the ranks' run, mostly MPI_File_write_at, \
planted.c:246, MPI_File_open#0, 400 calls of 512 B on average: up to 402 us of 1.00 ms"
says file_sync file_sync "file I/O: the ranks flush files to disk for 33% of their run, \
MPI_File_sync, planted.c:123: up to 500 us of 1.50 ms"
# 50 of 180 us, beside 30 that write, which flushes may make longer: 80 at most.
says file_mixed file_sync "file I/O: the ranks flush files to disk for 28% of their run, \
MPI_File_sync, planted.c:128: up to 800 us of 1.80 ms"
# One of four writes for 80 us, 12 times, and three wait for it: 960 us less for each without.
says file_in_turn file_io "file I/O: 11% of the ranks' run, mostly MPI_File_write_at, \
planted.c:129: up to 960 us of 2.17 ms"
# Of 200 us of writing rank 0 has 150: not alone. Rank 1 writes 50 and waits 100, 10 times.
says file_both file_io "file I/O: 40% of the ranks' run, mostly MPI_File_write_at, \
planted.c:131: up to 1.50 ms of 2.51 ms"
says file_together file_io_together "file I/O: 33% of the ranks' run, mostly MPI_File_write_all, \
planted.c:124: up to 500 us of 1.50 ms"
# All make this call together already.
says file_view file_io_together "file I/O: 33% of the ranks' run, mostly MPI_File_set_view, \
planted.c:125: up to 500 us of 1.50 ms"
# 40 of 150 us, where 10 more were without a core; or 5.
says file_on_cores file_io_together "file I/O: 27% of the ranks' run beside lack of cores, mostly \
MPI_File_write_all, planted.c:126: up to 400 us of 1.50 ms"
# 300 us for 100, and as much longer in what all call together: the rest, 100 of 3,100 us, is I/O.
says file_uneven file_io_uneven "rank 1 computes 2.0 times the average, and the others are longer \
in MPI_File_write_all, planted.c:192: up to 2.00 ms of 3.10 ms"
report file_uneven
assert_equal '["file_io_uneven"]' "$(json report.json '[c["id"] for c in d["causes"]]')" "rest"
# Who calls alone waits for nobody: 6,400 of 12,400 us.
says file_uneven_alone file_io "file I/O: 52% of the ranks' run, mostly MPI_File_write, \
planted.c:192: up to 1.60 ms of 3.10 ms"
# 500 of 2,000 us, all of one rank, for which the other waits 1.
says file_unawaited file_io "file I/O: 25% of the ranks' run, mostly MPI_File_write_at, \
planted.c:190: up to 250 us of 1.00 ms"

# Where a chain ends in a collective operation, half of all waiting is there; where a pipeline fills
# and empties once, nobody computes unevenly. Of a square of ranks the chain goes through 11, for
# 11 times 100 us, one of which nobody could save; what they wait for messages is 20 us of the rest.
says wavefront serialisation "the ranks work one after the other: a chain of messages through 8 \
ranks, received in MPI_Recv, planted.c:207: up to 711 us of 815 us"
says wavefront_2d serialisation "the ranks work one after the other: a chain of messages through \
11 ranks, received in MPI_Recv, planted.c:221 and MPI_Recv, planted.c:222: up to 1.02 ms of 1.13 ms"
report wavefront_not
assert_equal "[]" "$(json report.json 'd["causes"]')" "a pipeline"
# MPI_Waitall has no order, and who computes longer is waited for in any.
causes_are() {
    report "$1"
    assert_equal "$2" "$(json report.json '" ".join(c["id"] for c in d["causes"])')" "$1"
}
causes_are ring moving_imbalance
causes_are longest_first imbalance
# What is seen to save nothing stands behind what costs less: rank 1 computes 666 us more than the
# average, but nobody waits for rank 0, which waits for it; MPI_Alltoall takes 25 us, 20 times.
causes_are aside "late_sender alltoall_bound imbalance"
causes_are aside_not "imbalance late_sender"
assert_equal "[0, 666666]" "$(report aside
    json report.json '[[c["gain_ns"], c["up_to_ns"]] for c in d["causes"]][2]')" "aside"

# Of a line of four the last one receives at 70 us, the one before it is done with sending then, at
# 71, and receives at 121, and so on: 224 us a round where 74 do if receives are posted first.
# Rank 0 waits 152 us in sending, 20 times. Who receives late since it computes longer is another
# matter, and so is who does since 4 ms were lost for lack of cores, of 6 that are waited so; of 0.4
# it is not.
says held_sends held_sends "large messages keep those who send them waiting, MPI_Send, \
planted.c:221, as they are received late, now by one rank, now by another, though all compute \
about as long as each other: up to 3.04 ms of 4.48 ms"
causes_are held_sends held_sends
causes_are held_sends_on_cores "no_core late_receiver"
causes_are held_sends_on_cores_not held_sends
causes_are moving_receiver moving_imbalance

order_of() {
    report "$1"
    json report.json '[c["up_to_ns"] for c in d["causes"] if c["id"] == "wrong_order"]'
}
# Rank 0 waits 181 us for the last of 10 messages and has nine others by then, each with 20 us of
# computing before the next: 1.80 ms in 10 rounds.
report wrong_order
assert_contains "$(json report.json '" ".join(c["id"] for c in d["causes"])')" wrong_order
assert_equal "receive in the order of sending, or with MPI_ANY_SOURCE or MPI_Waitany" \
    "$(json report.json '[c["advice"] for c in d["causes"] if c["id"] == "wrong_order"][0]')" order
report wrong_waits
assert_equal "true" "$(json report.json '"wrong_order" in [c["id"] for c in d["causes"]]')" MPI_Wait
for each in wrong_order_not wrong_waits_not; do
    report "$each"
    assert_equal "false" "$(json report.json '"wrong_order" in [c["id"] for c in d["causes"]]')" \
        "$each"
done
# Rank 0 waits 200 us for the message that is there first, and was sent last, 10 times, and computes
# 100 before it receives the other, which it could have done meanwhile: 1000 us. Who receives from
# anybody can't do otherwise, and who computes nothing in between gains nothing by it.
assert_equal "[1800000]" "$(order_of wrong_order)" "ten in another order"
assert_equal "[1000000]" "$(order_of any_order)" "another order"
assert_equal "[]" "$(order_of any_order_not)" "anybody"
assert_equal "[]" "$(order_of no_order)" "nothing in between"
# What it waits so counts for who has chosen whom it receives from.
for each in any_order:2000000 any_order_not:0; do
    report "${each%:*}"
    "$analyze" waits --json run >waits.json
    assert_equal "${each#*:}" "$(json waits.json 'sum(p["total_ns"] for p in d["patterns"]
        if "wrong_order" in p["name"])')" "$each"
done
# Rank 0 waits 91 us for the slow one and has two others by then, with 40 of computing before the
# last, 20 times; all wait for it then. Where they wait for the slow one anyway it gains nothing.
assert_equal "[800000]" "$(order_of slow_first)" "the slow one first"
assert_equal "[]" "$(order_of slow_first_not)" "nobody waits for who has the wrong order"

# 1,000 messages come in 1 ms and go in the next one: 500 wait on average, the first 1 us longer.
report flood
assert_equal "rank 0 is flooded: on average 500 messages of 8 B wait there for a receive, \
MPI_Recv, planted.c:141" "$(json report.json '[c["sentence"] for c in d["causes"]
    if c["id"] == "unexpected_messages"][0]')" "flood"
report flood_not
assert_equal "[]" "$(json report.json '[c for c in d["causes"]
    if c["id"] == "unexpected_messages"]')" "flood_not"

# Four send before they receive, ten times; or one of them receives first.
report circle
assert_equal "ranks 0 and 1 send before they receive, MPI_Send, planted.c:195, 10 times, of up to \
8 B: this hangs as soon as the MPI does not keep the messages, as it does not if they are large" \
    "$(json report.json '[c["sentence"] for c in d["causes"]
        if c["id"] == "sends_in_a_circle"][0]')" "circle"
report circle_not
assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" sends_in_a_circle

# What could be saved of a run is worth a word if it is a thousandth of what MPI_Init takes: 10 ms
# of 10 s, and 1 ms of 1 s.
says long_start imbalance "rank 1 computes 2.0 times the average, mostly before MPI_Allreduce, \
planted.c:10: up to 2.00 ms of 3.01 ms"
"$analyze" run >out
assert_matches "$(cat out)" "^verdict +MPI-bound: waiting takes "
assert_contains "$(cat out)" "also      the run is short: MPI_Init takes 10.0 s, and all between"
assert_contains "$(cat out)" "advice    record a longer run"

# Faults that cost no time that is known stand below the verdict.
report init
"$analyze" run >out
assert_contains "$(cat out)" "also      the run is short: MPI_Init takes 1.00 us, and all between"
report recorder
assert_contains "$(json report.json 'd["causes"][-1]["sentence"]')" \
    "recording itself may have taken 67% of the ranks' run: 2004 calls, some 100 ns each"
for fault in init_not recorder_not; do
    report $fault
    assert_equal "[]" "$(json report.json 'd["causes"]')" "$fault"
done

# What a cause is made of.
report late_sender
"$python" - <<'PYTHON' || fail "the cause: $(cat report.json)"
import json
cause = json.load(open("report.json"))["causes"][0]
wanted = {"ranks": [0], "rank_count": 1, "call": "MPI_Send", "file": "planted.c", "line": 40,
          "places": [{"call": "MPI_Send", "place": "planted.c:40", "file": "planted.c",
                      "line": 40}],
          "command": "waits", "up_to_ns": cause["gain_ns"]}
assert {key: cause[key] for key in wanted} == wanted, cause
assert cause["cost_ns"] == cause["short_term_ns"] + cause["long_term_ns"], cause
PYTHON

# What it would save, by replaying the run: that all compute the average of 150 us, 10 times (of
# three, one of whom computes 300 for 100, 166.7), so that one does less and the others do more; of
# which the others do 77.5 for 100; that each of 4 computes 10 times 100 us, with 2 for the message
# that it receives and 1 for the one it sends, for 40 times that one after the other, without the
# last message and the first; that rank 1, for which rank 0 waits in sending, computes 200 us for
# 300; that of two rounds of 384 us both take 200, 4 for beginning and 3 for MPI_Waitall, 10 times,
# and one more at the end: which small sends do not wait for that are complete when a late message
# has come, and large ones do; that of three ranks with 310, 20 and 0 us before a barrier all
# compute 110, the last one 106.5 before it sends and 3.5 before the barrier, as 300 and 10 of the
# 310 were, so that it comes 4 us later than that, as it has calls that take these, 114 for 312;
# that where rank 1 computes 187.5 us for 300, all wait for the next one, of 250, which is given
# 12.5 more, and where there is none, rank 1 computes 150; that rank 1 computes 150 us for 300 in
# two pieces, for both of which rank 0 waits: of small messages, which it gets late, and takes 2 us
# for, rank 0 is the longer one then, 153 us each time for 302;
# that nobody waits 100 us, and 1 for the call, for a message that rank 0 sends, 10 times.
# Of other rules nothing is said, nor where a rank polls.
saves() {
    report "$1"
    assert_equal "$2" "$(json report.json '[c["gain_ns"] for c in d["causes"]
        if c["id"] == "'"$3"'"][0]')" "the gain of $1"
}
saves imbalance 1500000 imbalance
assert_equal "move work away from rank 1 before tuning MPI; would save about 1.50 ms of 3.01 ms. \
-> imbalance" "$(json report.json 'd["advice"]')" "the advice"
# The same of four, also where one has no core for 200 us besides; of 1,200 us, more than half of
# what the others wait for what it computes, 1,778 each, that says too little.
saves longer_and_lacking 1500000 imbalance
saves longer_and_lacking_not null imbalance
saves bcasts 1500000 imbalance
saves hidden 1000000 imbalance
saves operation 1333330 imbalance
# What a rank computes more than the average is taken from where it does so: 50 us of one of four,
# 20 times, behind what all compute as long before; 600 us once.
saves serial_root 750000 imbalance
saves last_piece 450000 imbalance
saves root_waits 1000000 imbalance
saves one_worker 990000 one_worker
saves idle 225000 idle
saves chain 3048000 serialisation
saves in_turns 1771000 serialisation
saves in_turns_not 0 serialisation
saves last_receiver 1980000 imbalance
saves last_receiver_not 1980000 imbalance
saves begun_late 1500000 imbalance
saves begun_late_not 1490000 imbalance
saves next_last 375000 imbalance
saves next_last_not 1500000 imbalance
saves uneven_receiver 1000000 imbalance
saves uneven_receiver_not null imbalance
saves sweep 1530000 out_of_step
saves grid 2030000 out_of_step
saves moving null moving_imbalance
saves late_sender 1010000 late_sender
# Rank 0 waits for rank 1, too, but then for ranks 2 and 3: nobody is told of what saves nothing.
saves ever_longer 0 late_sender
"$analyze" run >screen || fail "report of ever_longer"
assert_matches "$(cat screen)" '^verdict +ranks 3 and 2 compute up to 2.0 times the average'
assert_lacks "$(cat screen)" "sends late"

# The critical path goes on at the rank that was waited for: the last one, where a broadcast let
# nobody go before, for all but the 2 us of the last broadcast; who completes a large message that
# it began late, for all but the last us. Without such waiting it stays where the run ends last.
path_of() {
    report "$1"
    assert_equal "$2" "$(json report.json 'd["critical_path"]["per_rank_ns"]')" \
        "the critical path of $1"
}
path_of root_waits "[2000, 3018000]"
path_of root_waits_not "[1020000, 0]"
path_of operation "[1000, 3019000, 0]"
path_of begun_late "[1000, 3019000]"
path_of begun_late_not "[0, 3020000]"
path_of begun_late_tested "[1000, 3019000]"
