# Who asks all the time whether something has come, and does nothing in between, waits: what it is
# outside of MPI between its polls is no computing; polls cost it nothing, nor does recording them.
# Who works in between computes. Runs of planted_polls.py, and the numbers by hand.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"

# causes: of the run that was reported last, with what they could save.
causes() {
    json report.json '" ".join("%s:%s" % (c["id"], c["up_to_ns"]) for c in d["causes"])'
}
# pop: POP's load balance and communication efficiency, and what is between polls.
pop() {
    json report.json '("%(load_balance).3f %(communication_efficiency).3f "
        "%(between_polls_ns)d" % d["pop"])'
}

# Rank 0 looks 2,000 times for 1 us, and 0.1 in between, but behind the last one: 199.9 us are
# between them. Of what rank 0 is outside of MPI 0.1 us are left, of rank 1 2,200, of 2,201: a
# balance of 2,200.1 / 2 / 2,200. Nothing is saved where these polls are left out.
report asks_alone
assert_equal "polling:0" "$(causes)" "asks alone"
assert_equal "0.500 1.000 199900" "$(pop)" "asks alone"
assert_equal "polling: 2000 calls, mostly MPI_Iprobe, planted.c:120, take 45% of the ranks' run, \
100% of it in a row, with little in between, which is waiting: about 0 ns of 2.20 ms by \
itself" "$(json report.json 'd["causes"][0]["sentence"]')" "asks alone"
assert_equal "MPI takes 45.5% of the ranks' run, 100% of it in MPI_Iprobe, mostly planted.c:120; \
polls in a row wait for 50.0% of the run" "$(json report.json 'd["verdict"]')" "asks alone"
assert_contains "$("$analyze" report run | tr -s ' \n' ' ')" "(between polls that wait 4.5%)"
assert_contains "$("$analyze" report run | tr -s ' \n' ' ')" \
    "MPI time on MPI_COMM_WORLD 0.1%, none that is told 99.9% "
assert_contains "$("$analyze" pop run | tr -s ' \n' ' ')" "200 us of all ranks between polls in"
# A verdict has the whole name of a file, however long it is.
report asks_in_a_long_file
assert_contains "$(json report.json 'd["verdict"]')" ", mostly where_a_rank_looks_whether_anything_\
has_come_and_does_nothing_in_between.c:120; polls"
# 1 us of 203.9 ms of MPI is on no communicator, which would read as 0.0%.
report listener
assert_contains "$("$analyze" report run | tr -s ' \n' ' ')" "time on MPI_COMM_WORLD 100.0% advice"
# As long in between as inside is work: 1 us of each 2 could be saved, of one rank of two.
report asks_alone_not
assert_matches "$(causes)" "^polling:100[01]..." "works in between"
assert_equal "0.750 1.000 0" "$(pop)" "works in between"
# 8,000 calls, some 100 ns each, of two runs of 1,001 us: 40 %, were they not waiting. With 0.25 us
# of work in between they are 22 % of two runs of 1,801.
report both_ask
assert_equal "polling:0" "$(causes)" "both ask"
report both_ask_not
assert_equal "polling recording_costs" "$(json report.json '" ".join(c["id"]
    for c in d["causes"])')" "both work in between"
# Nobody sends to the only rank, so that there is no chain of messages.
report asks_by_itself
assert_equal "polling:0" "$(causes)" "asks by itself"
report asks_by_itself_not
assert_equal "" "$(causes)" "computes by itself"
# 0.2 us between two of 0.2 are waiting, so that rank 0 computes 500 us to 800 of rank 1, and no
# longer than that; the run is 1,600 + 2 in MPI_Recv + 500 + 1 in MPI_Barrier. 0.3 are work: it
# computes 1,700, of 1,250 on average.
report asks_longest
assert_equal "polling:0" "$(causes)" "asks longest"
assert_equal "0.813 0.380 799800" "$(pop)" "asks longest"
report asks_longest_not
assert_matches "$(json report.json '" ".join(c["sentence"] for c in d["causes"]
    if c["id"] == "imbalance")')" "^rank 0 computes 36% longer than average" "computes longest"
# Of three that compute 300 and 100 us ten times, and ask so: 3,000 to 1,667 on average.
report asks_at_once
assert_matches "$(json report.json 'd["verdict"]')" "^rank 1 computes 80% longer than average" asks
# 180 us of each of ten rounds rank 0 asks, with half as long in between as it takes: that is
# waiting, and moving work saves 90, less one turn. Between pieces of 500 us it asks for what has
# not come.
report asks_beside_little
assert_equal "imbalance 890000" \
    "$(json report.json '" ".join("%(id)s %(gain_ns)s" % c for c in d["causes"])')" "work of 0.5 us"
report asks_beside_little_not
assert_equal "[] 1.000 0.997 0" "$(json report.json 'd["causes"]') $(pop)" "work of 500 us"
# 999 gaps of 0.5 us, twice: 400 us in between are work, however long it asked before. Of 1.1 us all
# are, 2 ms and 400 us of computing to 3,400.
report asks_then_works
assert_equal "0.559 1.000 999000" "$(pop)" "asks and then works"
report asks_then_works_not
assert_equal "0.882 0.739 0" "$(pop)" "works all the time"
