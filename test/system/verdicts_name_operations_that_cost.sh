# As verdicts_name_the_planted_cause.sh: runs in which messages, files or collective operations take
# the time that nobody waits.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"

# 2,000 messages of 1 us and one until the last is there, all of it in MPI.
says tiny tiny_messages "1999 tiny messages follow others to the same rank, most from rank 0 to \
rank 1, 8 B each, MPI_Send, planted.c:80: up to 2.00 ms of 2.00 ms"
# The same, of which a tenth was without a core.
says tiny_on_cores tiny_messages "1999 tiny messages follow others to the same rank, most from \
rank 0 to rank 1, 8 B each, MPI_Send, planted.c:80: up to 1.80 ms of 2.00 ms"
# 2,000 sends of 1 us, and receives of 5, of which 3 wait for who computes 4 us before each: fewer
# messages would save none of that, but half of 2 ms and of 4.
report tiny_behind_work
assert_equal "1999 tiny messages follow others to the same rank, most from rank 0 to rank 1, 8 B \
each, MPI_Send, planted.c:80: up to 3.00 ms of 10.0 ms" "$(json report.json '[c["sentence"]
    for c in d["causes"] if c["id"] == "tiny_messages"][0]')" "tiny behind work"
# 22 of 122 us for its calls.
says messages message_bound "moving 20 messages of 20.0 kB on average takes 18% of the ranks' run \
beside waiting, mostly in MPI_Waitall, planted.c:162: up to 220 us of 1.22 ms"
# 5 of 15 us, 500 times; else 5 of 105. Fewer than 1,000 are not told; of more bytes it is these.
says small_messages small_messages "1000 messages of 2.00 kB on average take 33% of the ranks' run \
beside waiting, mostly in MPI_Waitall, planted.c:87: up to 2.50 ms of 7.50 ms"
# The same, of which two fifths were without a core: 3 of 15 us. By three fifths it is not known
# what a message takes.
says small_on_cores small_messages "1000 messages of 2.00 kB on average take 20% of the ranks' run \
beside waiting and lack of cores, mostly in MPI_Waitall, planted.c:87: up to 1.50 ms of 7.50 ms"
# By functions whose calls move one each it is long ones that take 60 of 102 us, though all have
# 3 kB on average, and short ones that take 40 of 52, though all have 10.
for fault in small_messages_few: small_messages_long:message_bound tiny:tiny_messages \
    among_costly:message_bound among_cheap:small_messages; do
    report "${fault%%:*}"
    assert_equal "${fault#*:}" "$(json report.json '" ".join(c["id"] for c in d["causes"]
        if c["id"] in ("small_messages", "message_bound", "tiny_messages"))')" "$fault"
done
# Tiny ones don't cost what calls take that move long ones, 60 of 102 us: by two ranks the rest is
# 2.10 ms, and 1,900 of 2,100 messages are tiny; with what is waited for these calls at most a tenth
# more.
report among_tiny
assert_equal "message_bound tiny_messages True" "$(json report.json '"%s %s" % (
    " ".join(c["id"] for c in d["causes"]
             if c["id"] in ("small_messages", "message_bound", "tiny_messages")),
    all(1.9e6 <= c["up_to_ns"] <= 2.1e6 for c in d["causes"] if c["id"] == "tiny_messages"))')" \
    "among_tiny"
# What completes an operation is none of it: 22 of 135 us, and 2 ms of tiny ones; else 3 of 135, and
# of a second 2 ms.
says beside_operation message_bound "moving 20 messages of 20.0 kB on average takes 16% of the \
ranks' run beside waiting, mostly in MPI_Wait, planted.c:245: up to 220 us of 1.35 ms"
says tiny_beside_operation tiny_messages "1999 tiny messages follow others to the same rank, most \
from rank 0 to rank 1, 8 B each, MPI_Send, planted.c:80: up to 2.00 ms of 3.00 ms"
# 25 of 148 us, beside 22 for messages; else 1.
says completion completion_bound "completing collective operations that do not block takes 17% of \
the ranks' run beside waiting, mostly in MPI_Wait, planted.c:246: up to 250 us of 1.48 ms"
report completion
assert_contains "$(json report.json '[c["sentence"] for c in d["causes"]
    if c["id"] == "message_bound"][0]')" "takes 15% of the ranks' run beside waiting, mostly in \
MPI_Wait, planted.c:245: up to 220 us of 1.48 ms"
# 50 of 153 us; else 5 of 108.
says accesses access_bound "ending accesses to windows takes 33% of the ranks' run beside waiting, \
mostly in MPI_Win_flush, planted.c:249: up to 500 us of 1.53 ms"
report accesses_not
assert_equal "[]" "$(json report.json '[c["id"] for c in d["causes"]]')" "accesses_not"
# 4 of 11 us, 500 times; else 4 of 65. Of more bytes it is these, and by one it is what ends each.
says small_accesses small_accesses "4000 operations on windows of 400 B on average take 36% of the \
ranks' run beside waiting, mostly MPI_Put, planted.c:241: up to 2.00 ms of 5.50 ms"
# Of some long ones among others it is what takes 4 of the 5 us: long ones, though all have 2 kB on
# average, or short ones, though all have 20.
for fault in small_accesses_large: small_accesses_by_one:fences accesses_beside_costly: \
    accesses_beside_cheap:small_accesses; do
    report "${fault%%:*}"
    assert_equal "${fault#*:}" "$(json report.json '" ".join(c["id"] for c in d["causes"])')" \
        "$fault"
done
# 200 of 822 us, beside 20 that write and 2 to open and close. Once at the end is as it has to be.
says file_flush file_flush "file I/O: the ranks flush files to disk for 24% of their run, \
MPI_File_sync, planted.c:248, 2 times in all: up to 222 us of 822 us"
# So are two of a file; 20 are many, though each is in a line of its own, or others are not flushed.
for fault in file_flush:file_flush file_flush_not:file_sync file_flush_known:file_flush \
    file_flush_lines:file_sync file_flush_of_one:file_sync; do
    report "${fault%%:*}"
    assert_equal "${fault#*:}" "$(json report.json '" ".join(c["id"] for c in d["causes"])')" \
        "$fault"
done
# 50 of 150 us, what they send is not told.
says neighbors neighbor_bound "MPI_Neighbor_alltoallv takes 33% of the ranks' run beside waiting, \
mostly planted.c:247, 20 calls sending 0 B on average: up to 500 us of 1.50 ms"
# 50 of 150 us.
says alltoall alltoall_bound "MPI_Alltoall takes 33% of the ranks' run beside waiting, \
mostly planted.c:100, sending 8.00 kB to all on average: up to 500 us of 1.50 ms"
# Rank 0 sends 7,700 of 8,000 bytes; and where each sends 2,000 more in messages, which may all be
# its, at least 9,700 - 8,000 of that. Nobody is named where all send as much.
report one_sends
assert_equal "MPI_Alltoallv takes 33% of the ranks' run beside waiting, mostly planted.c:113, \
sending 2.00 kB to all on average, 96% of it from rank 0: up to 500 us of 1.50 ms; let others send \
a part of what rank 0 does, send less or less often, use fewer ranks with threads, or the \
non-blocking form and compute meanwhile. -> calls; [0]" "$(json report.json '"%s; %s; %s" % (
    d["verdict"], d["advice"], d["causes"][0]["ranks"])')" "one rank sends"
for fault in one_sends_not one_sends_and_more; do
    report $fault
    assert_lacks "$(json report.json 'd["verdict"] + d["advice"]')" "rank 0" "$fault"
done
# 225 us above the average of 275, with which all would be done at the same time; in MPI_Finalize
# the others are told to wait for nobody. The same where rank 1 computes 120 us longer before.
says ends_late imbalance "rank 0 computes 82% longer than average, mostly before MPI_Finalize: up \
to 300 us of 520 us"
report ends_late
assert_equal "move work away from rank 0 before tuning MPI; would save about 225 us of 520 us. \
-> imbalance" "$(json report.json 'd["advice"]')" "who ends late"
# 500 + 3 x 200 us and 4 x 20 in MPI, of 4 x 520.
"$analyze" report run >report
assert_contains "$(tr -s ' \n' ' ' <report)" "of 4 x 520 us, of which ranks ran 56.7%" "the runs"
"$analyze" -q report --force --html=page.html run
assert_contains "$(cat page.html)" "<small>of 4 x 520 us, of which ranks ran 56.7%</small>" "page"
report ends_late_not
"$analyze" report run >report
assert_lacks "$(cat report)" "of which ranks ran" "runs that are alike"
"$analyze" -q report --force --html=page.html run
assert_lacks "$(cat page.html)" "of which ranks ran" "page of runs that are alike"
report ends_later
assert_matches "$(json report.json 'd["verdict"]')" "^rank 0 computes 64% longer than average"
# 20 us each longer than the others, 200 in all, of which moving saves 15 each; 500 us of MPI_Pack
# and 10 of MPI_Allreduce, of 1,710, are more than that, and 100 are not.
report little_uneven
assert_equal "move work away from rank 1, though MPI takes more, 30% of the ranks' run beside \
waiting (calls); would save about 150 us of 1.71 ms. -> imbalance" \
    "$(json report.json 'd["advice"]')" "MPI takes more"
report little_uneven_not
assert_equal "move work away from rank 1 before tuning MPI; would save about 150 us of 1.30 ms. \
-> imbalance" "$(json report.json 'd["advice"]')" "MPI takes less"
says allreduce reduction_bound "MPI_Allreduce takes 33% of the ranks' run beside waiting, \
mostly planted.c:101, 40 calls sending 8 B to all on average: up to 500 us of 1.50 ms"
# Of 5.08 ms 1 ms in a call that rank 1 never left says nothing of MPI_Allreduce; else that, and of
# 40 others 1 us each.
report never_left
assert_equal "" "$(json report.json '" ".join(c["id"] for c in d["causes"])')" "never_left"
report never_left_not
assert_equal "reduction_bound" "$(json report.json 'd["causes"][0]["id"]')" "never_left_not"
# Of 50 of 150 us what is left where one of four has no core for a tenth: 0.9^4.
says on_cores reduction_bound "MPI_Allreduce takes 22% of the ranks' run beside waiting and lack \
of cores, mostly planted.c:103, 40 calls sending 8 B to all on average: up to 328 us of 1.50 ms"
# The others 500 us of 1500 each, rank 0 10 of 1010, of which 9 before the others have come: without
# these 1501 the three would be 500 earlier, at most, and rank 0, which ends 490 before them, 8.
says overlap no_overlap "MPI_Bcast takes 27% of the ranks' run beside waiting, mostly \
planted.c:102, 80.0 kB on average, and nothing is computed meanwhile: up to 498 us of 1.50 ms"
# The same, beside whose 16 bytes nothing can be computed.
says tiny_bcast tiny_operations "MPI_Bcast takes 27% of the ranks' run beside waiting, mostly \
planted.c:104, 40 calls of 16 B on average: up to 498 us of 1.50 ms"
report tiny_bcast
assert_equal '["tiny_operations"]' "$(json report.json '[c["id"] for c in d["causes"]]')" "16 bytes"
report overlap
assert_equal '["no_overlap"]' "$(json report.json '[c["id"] for c in d["causes"]]')" "80,000"
# Of 60 us each time half, 10 times: 3 of 4 wait 29 us for the root, which is in MPI_Reduce.
for fault in reduce gather; do
    call=MPI_${fault^}
    says ${fault}_bcast reduce_then_bcast "$call, planted.c:150, then MPI_Bcast, planted.c:151: \
one rank gets a result and gives it to all at once, 10 times: up to 300 us of 1.60 ms"
    report ${fault}_bcast
    assert_equal "use MPI_All$fault, which does both. -> sites" \
        "$(json report.json 'd["advice"]')" "$call"
    assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" tiny_operations
    assert_equal "$call planted.c:150 150 MPI_Bcast planted.c:151 151" "$(json report.json \
        '" ".join("%(call)s %(place)s %(line)d" % p for p in d["causes"][0]["places"])')" places
done
# The root computes in between, another rank broadcasts, it broadcasts something else, or to others.
for fault in reduce_bcast gather_bcast other_size other_comm; do
    report ${fault}_not
    assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" reduce_then_bcast
    report $fault
    assert_contains "$(json report.json '[c["id"] for c in d["causes"]]')" reduce_then_bcast
done
# Each 30 of 160 us: the barrier can go, before the reduction or behind it.
for fault in before behind; do
    line=$([ $fault = before ] && echo 152 || echo 153)
    says barrier_$fault needless_barrier "MPI_Barrier, planted.c:$line, and MPI_Allreduce, \
planted.c:$((305 - line)), follow one another directly, and all wait for all in either: the 40 \
calls of the former take 19% of the ranks' run beside waiting: up to 300 us of 1.60 ms"
    report barrier_$fault
    assert_equal "leave out MPI_Barrier, planted.c:$line, unless it orders what ranks do with \
shared memory or files, or times are measured by it. -> sites" \
        "$(json report.json 'd["advice"]')" "its advice"
done
# 4 of 10 us, 500 times of two ranks; else 4 of 64. Fewer than 1,000 are not told, nor those that
# the operation behind makes needless: 4 of 14, as is the latter.
says barriers barrier_bound "1000 calls of MPI_Barrier take 40% of the ranks' run beside waiting, \
mostly planted.c:262: up to 2.00 ms of 5.00 ms"
for fault in barriers_few: "barriers_needless:needless_barrier reduction_bound"; do
    report "${fault%%:*}"
    assert_equal "${fault#*:}" "$(json report.json '" ".join(c["id"] for c in d["causes"])')" \
        "$fault"
done
# Not while there is a window: what a rank puts there another one reads behind the barrier.
report barrier_of_window
assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" needless_barrier
report barrier_of_window_not
assert_contains "$(json report.json '[c["id"] for c in d["causes"]]')" needless_barrier
# Ranks compute in between, or what follows lets others go before all have come.
report barrier_to_root_not
assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" needless_barrier

# 20 times 100 us, and 20 times 1: 990 us above the average. A round is 1, the broadcast, 100 and
# the gather of 1 each. Where rank 0 computes 51 for 100 there is work to move: rank 1 has 32 % more
# than 75.5 on average, and 49 more than rank 0 each time, which waits 50 us for it.
says worker_of_root one_worker "rank 1 is the only worker: rank 0 waits for what it computes, and \
computes little: up to 990 us of 2.06 ms"
report worker_of_root
assert_contains "$(json report.json 'd["advice"]')" "let rank 0 compute as well, or use more ranks"
report worker_of_root_not
assert_equal "imbalance rank 1 computes 32% longer than average, mostly before MPI_Gather, \
planted.c:251: up to 980 us of 2.06 ms" "$(json report.json '"%s %s" % (d["causes"][0]["id"],
    d["verdict"])')" "worker_of_root_not"

# 50 of 150 us in calls that manage a file: what helps is told of the call, and is never larger
# pieces, which are for those that write or read.
advises() {
    report "$1"
    assert_equal "$2 file I/O: 33% of the ranks' run, mostly MPI_$3, planted.c:$4: up to 500 us of \
1.50 ms" "$(json report.json 'd["causes"][0]["id"] + " " + d["verdict"]')" "$1"
    assert_contains "$(json report.json 'd["advice"]')" "$5" "$1"
}
manages() {
    advises "file_$1" "$2" "File_$1" 249 "$3"
    assert_lacks "$(json report.json 'd["advice"]')" "pieces" "$1"
}
manages open file_io_together "open a file once"
manages close file_io_together "what is not on the disk yet"
manages set_size file_io_together "write over it, and set its size at the end"
manages preallocate file_io_together "MPI_File_set_size does not"
manages set_atomicity file_io_together "call it less often"
manages delete file_io "delete no old file" # which a rank may do alone
advises file_view file_io_together File_set_view 125 "set each view once"
advises file_together file_io_together File_write_all 124 "in larger pieces, and with hints"
advises file_io file_io File_write_at 122 "write and read in larger pieces"

# 8,000 bytes ten times as text, 160 us each; 34,000 that are copied count 136 us in all, of 3,010.
says output output "all 4 ranks write up to 80.0 kB to files outside of MPI, mostly before \
MPI_Barrier, planted.c:248, for about 1.60 ms as text (80.0 us if copied) of 3.01 ms"
# What write(2) did not get was not made text of: 180 us for 9,000 bytes and 3 for 3,000 more; or 12
# for 12,000, where it would be 48 to 240 else.
says output_mapped output "ranks 0 and 1 write up to 120 kB to files outside of MPI, mostly before \
MPI_Barrier, planted.c:252, for about 1.83 ms as text (120 us if copied) of 3.01 ms"
# Rank 0 writes for 280 us of 400; the others are done after 300, or after 400 as well: then nothing
# would be saved if it did not.
report output_beside
assert_equal "rank 0 writes 140 kB to files outside of MPI, mostly before MPI_Barrier, \
planted.c:251, for about 2.80 ms as text (140 us if copied) of 4.01 ms, of which up to 1.00 ms \
delay it" "$(json report.json '[c["sentence"] for c in d["causes"]
    if c["id"] == "output"][0]')" "beside"
report system_time_beside
assert_equal "rank 0 spends about 2.80 ms of 4.01 ms in the kernel outside of MPI, of which up to \
1.00 ms delay it, mostly before MPI_Barrier, planted.c:251" "$(json report.json '[c["sentence"]
    for c in d["causes"] if c["id"] == "system_time"][0]')" "in the kernel beside"
report input_beside
assert_equal "rank 0 reads 200 kB from files outside of MPI, mostly before MPI_Barrier, \
planted.c:251, for about 2.80 ms of 4.01 ms if it is text (200 us if copied), of which up to \
1.00 ms delay it" \
    "$(json report.json '[c["sentence"] for c in d["causes"] if c["id"] == "input"][0]')" "beside"
# It comes as much later, since it computes longer, or since it has no core, which the others would
# wait for without it as well.
for fault in output_delayed system_time_delayed; do
    report $fault
    assert_contains "$(json report.json '[c["sentence"] for c in d["causes"]
        if c["id"] == "'"${fault%_delayed}"'"][0]')" "of which up to 1.50 ms delay it" "$fault"
done
for fault in output_beside_not system_time_beside_not input_beside_not output_delayed_not \
    system_time_delayed_not; do
    report $fault
    assert_equal "[]" "$(json report.json '[c["id"] for c in d["causes"]
        if c["id"] in ("output", "system_time", "input")]')" "$fault: it delays nobody"
done
# Of 3,010 us they are outside of MPI for 3,000, and run for 2,000 of these or for all: no text was
# made in the rest.
for fault in output_asleep:2.00 output_asleep_not:3.00; do
    report "${fault%:*}"
    assert_equal "ranks 0 and 1 write up to 400 kB to files outside of MPI, mostly before \
MPI_Barrier, planted.c:250, for 400 us (copied) to ${fault#*:} ms (made text) of 3.01 ms" \
        "$(json report.json '[c["sentence"] for c in d["causes"] if c["id"] == "output"][0]')" \
        "$fault"
done
# Rank 0 waits for 40 of 100 samples of 100 us, rank 1 for 10: without that the run is as long as
# the longer one computes, 9 of 10 ms. A function of the program is not the runtime's by its name.
for fault in openmp_waiting openmp_with_symbols; do
    says $fault openmp_waiting "the main threads of ranks 0 and 1 spend up to 4.00 ms +-632 us of \
10.0 ms in the OpenMP runtime outside of MPI, of which up to 1.00 ms delay it, mostly before \
MPI_Allreduce, planted.c:260: threads wait there for each other, or are given work"
done
# Three threads of each rank do nothing for 80 of 100 us, on their cores or asleep: shared out among
# four, 8 ms would be 2.
for fault in threads_without_work threads_without_work_asleep; do
    says $fault threads_without_work "threads of ranks 0 and 1 that call no MPI have no work for \
80% +-2% of the time outside of MPI, mostly before MPI_Allreduce, planted.c:260, while main \
threads are mostly in assemble, planted.c:7 (nearly all of it): up to 6.00 ms of 10.0 ms"
done
# Two of three have 20 samples of 100 each, and one writes a log for 12, which may be theirs: 148 of
# 200. That it has next to no work is as it should be, also where there is no other.
says threads_without_work_beside threads_without_work "threads of ranks 0 and 1 that call no MPI \
have no work for 74% +-2% of the time outside of MPI, mostly before MPI_Allreduce, planted.c:260, \
while main threads are mostly in assemble, planted.c:7 (92% +-4% of it): up to 4.93 ms of 10.0 ms"
report threads_without_work_logging
assert_equal false "$(json report.json '"threads_without_work" in [
    c["id"] for c in d["causes"]]')" "threads_without_work_logging"
# 150 us ten times of 3,010.
says input input "all 4 ranks read up to 100 kB from files outside of MPI, mostly before \
MPI_Barrier, planted.c:251, for about 1.50 ms of 3.01 ms if it is text (100 us if copied)"
# Of 2,250 us more than the average it reads for 2,100 more, or for 750; writing takes it 150.
report input_of_one
assert_equal "rank 0 computes 2.3 times the average, mostly before MPI_Barrier, planted.c:252, \
and rank 0 reads 200 kB from files meanwhile: up to 3.00 ms of 4.01 ms" \
    "$(json report.json 'd["verdict"]')" "input of one"
assert_equal "read numbers as they are in memory and not as text, or let each rank read its part; \
or move work away from rank 0" \
    "$(json report.json 'd["causes"][0]["advice"].partition(" before tuning")[0]')" "input of one"
report input_of_one_not
assert_equal "rank 0 computes 2.3 times the average, mostly before MPI_Barrier, planted.c:252: \
up to 3.00 ms of 4.01 ms" "$(json report.json 'd["verdict"]')" "little input of one"
# 150 us ten times of 3,010, with a fault for each 1.5 us, of pages that are new, or that come back;
# or for each 75, where 50 us of 300 are not told, and 25 nowhere. Who has written as much as takes
# that long is told of that alone.
says system_time system_time "ranks 0 and 1 spend up to 1.50 ms of 3.01 ms in the kernel outside \
of MPI, mostly before MPI_Barrier, planted.c:250, with 1000 page faults"
for fault in "system_time:allocate less memory: each page" \
    "system_time_again:use it again, or have malloc keep" \
    "system_time_of_calls:look at what system calls take it" \
    "system_time_after_faults:look at what system calls take it" \
    "system_time_after_faults_not:allocate less memory: each page" \
    "system_time_of_writing_not:look at what system calls take it"; do
    report "${fault%%:*}"
    assert_contains "$(json report.json '"%s" % [c["advice"] for c in d["causes"]
        if c["id"] == "system_time"]')" "${fault#*:}" "${fault%%:*}"
done
report system_time_of_calls_not
assert_equal "[]" "$(json report.json '[c["id"] for c in d["causes"]]')" "few calls"
report system_time_of_calls
assert_equal "[]" "$(json report.json '[c["id"] for c in d["causes"]
    if "page fault" in c["sentence"]]')" "few faults"
report system_time_of_writing
assert_equal '["output"]' "$(json report.json '[c["id"] for c in d["causes"]]')" "of writing"
# Rank 0 computes 4,000 us for an average of 1,750; of the 2,250 more it may write for 2,800, or for
# 1,000.
report output_of_one
assert_equal "rank 0 computes 2.3 times the average, mostly before MPI_Barrier, planted.c:249, \
and rank 0 writes 140 kB to files meanwhile: up to 3.00 ms of 4.01 ms" \
    "$(json report.json 'd["verdict"]')" "output of one"
assert_equal "write less, numbers as they are in memory, or all ranks together; or move work away \
from rank 0" "$(json report.json 'd["causes"][0]["advice"].partition(" before tuning")[0]')" \
    "output of one"
# So it is of pieces that may have been copied, though they would take as long if they were text.
for fault in output_of_one_not output_of_one_copied; do
    report "$fault"
    assert_equal "rank 0 computes 2.3 times the average, mostly before MPI_Barrier, \
planted.c:249: up to 3.00 ms of 4.01 ms" "$(json report.json 'd["verdict"]')" "$fault"
done
