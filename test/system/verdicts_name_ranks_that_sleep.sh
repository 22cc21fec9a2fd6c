# As verdicts_name_the_planted_cause.sh: runs in which ranks sleep, between calls that look for what
# may have come, or while they wait for their own threads.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"

# 20 of 90 us, of 20 of 101 and two messages.
says asleep_polling asleep_polling "the main thread of rank 1 does not run for 1.80 ms of 2.02 ms: \
it looks whether something has come, MPI_Iprobe, planted.c:115, and sleeps in between, as nothing \
has; what comes is from rank 0"
report asleep_polling
assert_equal "look at what rank 0 does before it sends to rank 1, or use fewer ranks, or one more: \
if rank 1 only hands out work, its core is free; MPI_Probe, MPI_Recv and MPI_Wait notice at once \
what comes. -> ranks" \
    "$(json report.json 'd["advice"]')" advice
assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" not_running
# What it lacks a core for before another call, 3 ms, is another thing: 20 of 101, two messages, one
# MPI_Barrier.
report asleep_and_lacking
assert_equal "rank 1 has no core for 3.00 ms of 5.02 ms, mostly before MPI_Barrier, planted.c:118; \
the main thread of rank 1 does not run for 1.80 ms of 5.02 ms: it looks whether something has \
come, MPI_Iprobe, planted.c:115, and sleeps in between, as nothing has; what comes is from rank 0" \
    "$(json report.json '"; ".join(c["sentence"] for c in d["causes"][:2])')" "asleep and lacking"
# Before each of four lines is a quarter of what it sleeps.
says asleep_polling_about asleep_polling "the main thread of rank 1 does not run for 1.80 ms of \
2.02 ms: it looks whether something has come, MPI_Iprobe, planted.c:115, and sleeps in between, as \
nothing has; what comes is from rank 0"
# Of 100 us 90, for a thousand messages; or for 999.
says asleep_polling_often asleep_polling "the main thread of rank 1 does not run for 900 ms of \
1.01 s: it looks whether something has come, MPI_Iprobe, planted.c:115, and sleeps in between, as \
nothing has; what comes is from rank 0"
report asleep_polling_often
assert_equal "look at what rank 0 does before it sends to rank 1, or if it has the work, send more \
with each of the 1.00 k messages, for which rank 1 computes 100 us (chunksize in mpi4py.futures), \
or use fewer ranks, or one more: if rank 1 only hands out work, its core is free; MPI_Probe, \
MPI_Recv and MPI_Wait notice at once what comes. -> ranks" \
    "$(json report.json 'd["advice"]')" advice
report asleep_polling_seldom
assert_contains "$(json report.json 'd["advice"]')" "sends to rank 1, or use fewer ranks, or one"
# A manager sleeps for 90 of 100 us, 20 times, and a worker before each piece, for 22 of 122: that
# is less than a quarter of it. For 23 it is more, and both have too little to do.
says asleep_manager asleep_polling "the main thread of rank 0 does not run for 1.80 ms of 2.46 ms: \
it looks whether something has come, MPI_Iprobe, planted.c:125, and sleeps in between, as nothing \
has; what comes is from rank 1"
says asleep_manager_busy asleep_polling "the main threads of ranks 0 and 1 do not run for up to \
1.80 ms of 2.48 ms: they look whether something has come, MPI_Iprobe, planted.c:125, and sleep in \
between, as nothing has"
report asleep_manager_busy
assert_equal "use fewer ranks; MPI_Probe, MPI_Recv and MPI_Wait notice at once what comes. \
-> ranks" "$(json report.json 'd["advice"]')" "both have too little to do"
# Rank 0 comes to what rank 1 sends after 100 us when it has slept 150, 20 times, so that rank 1
# waits for some 50 each; after 160 it does not.
report held_by_sleep
assert_matches "$(json report.json 'd["causes"][0]["sentence"]')" \
    " does not run for 3.00 ms of 3.08 ms: .* from rank 1; others wait 98[0-9] us for rank 0\$" held
assert_matches "$(json report.json 'd["advice"]')" \
    "^let rank 0 wait in MPI_Probe, MPI_Recv or MPI_Wait; or look at" "held"
report held_by_sleep_not
assert_matches "$(json report.json '"%(sentence)s: %(advice)s" % d["causes"][0]')" \
    " does not run for 3.00 ms of .*, as nothing has; what comes is from rank 1: look at " not
# It sleeps as long, and finds a message each time: 20 more of 1 us.
report asleep_polling_not
assert_equal "the main thread of rank 1 does not run for 1.80 ms of 2.04 ms, mostly before \
MPI_Iprobe, planted.c:115: it sleeps or waits for a file, a lock, another thread or process" \
    "$(json report.json 'd["verdict"]')" "who sleeps and finds"
# Who sleeps while others compute for longer delays nobody: what these do is graver. Or it is later
# than the one that computes longest, by 150 us a round, and than the other two by 300.
sleeps='the main thread of rank 0 does not run for 2.80 ms'
report asleep_beside
assert_contains "$(json report.json 'd["verdict"]')" "rank 1 computes"
assert_equal '[["imbalance", true], ["not_running", false]]' \
    "$(json report.json '[[c["id"], bool(c["up_to_ns"])] for c in d["causes"]]')" \
    "who delays nobody"
assert_contains "$(json report.json 'd["causes"][1]["sentence"]')" "$sleeps of 4.51 ms"
report asleep_beside_not
assert_contains "$(json report.json 'd["verdict"]')" "$sleeps of 6.01 ms"
assert_equal 2500000 "$(json report.json 'd["causes"][0]["up_to_ns"]')" "who delays others"
# Main threads that wait for others, which are in MPI for half of that time, at the end of the run.
says joins not_running "the main threads of ranks 0 and 1 do not run for up to 900 us of 1.00 ms, \
mostly before MPI_Finalize: they sleep or wait for a file, a lock, another thread or process"
report joins_not
assert_equal "main threads spend 0.0% of their run in MPI, other threads 920 us" \
    "$(json report.json 'd["verdict"]')" "who waits for its own threads"
# Others wait for a main thread that comes to an MPI_Barrier.
for fault in joins_late joins_late_not; do
    report $fault
    assert_equal "the main threads of ranks 0 and 1 do not run for up to 900 us of 1.00 ms, mostly \
before MPI_Barrier, planted.c:119: they sleep or wait for a file, a lock, another thread or \
process" \
        "$(json report.json 'd["verdict"]')" "$fault"
done
