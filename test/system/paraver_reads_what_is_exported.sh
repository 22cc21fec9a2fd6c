# export --paraver writes a trace that a parser made by the format's description reads, and in it is
# what test/data/archives_page.c says: calls, times, messages; of a part of the run that part.
. "$TOP_SRCDIR/test/system/lib.sh"

# traced FILE.prv: what is in it, in FILE.read.
traced() {
    "$python" -B "$TOP_SRCDIR/test/system/paraver.py" "$1" >"${1%.prv}.read" || fail "$1"
}

"$TOP_BUILDDIR/test/data/make_archive" names names
"$analyze" export --paraver all.prv names
traced all.prv
assert_equal '[4, 16, 80, 80, 80, 160, 80, 4, 4]' "$(json all.read '[d["entered"][name]
    for name in ("MPI_Init", "MPI_Comm_dup", "solve", "MPI_Irecv", "MPI_Isend", "MPI_Wait",
                 "MPI_Allreduce", "MPI_Comm_free", "MPI_Finalize")]')" "calls and regions"
assert_equal '[104000, 168000, [1, 1, 1, 1]]' "$(json all.read \
    '[d["time"]["solve"], d["time"]["MPI_Allreduce"], d["threads"]]')" "times"
assert_equal '["rank 0 one", "rank 1 two", "rank 2 one", "rank 3 two"]' \
    "$(json all.read 'd["tasks"]')" "names of ranks"
# What is told of MPI is the sum of its calls, but for MPI_Init, which comes before the run.
assert_equal 0 "$(json all.read 'd["states"]["MPI"] - sum(time for name, time in
    d["time"].items() if name.startswith("MPI_"))')" "time in MPI"
assert_equal '[80, 80, [[0, 1, 1920, 2110, 2700, 1, 0]]]' "$(json all.read '[len(d["messages"]),
    sum((m[0] + 1) % 4 == m[1] and m[5] == 2 ** m[6] for m in d["messages"]),
    [m for m in d["messages"] if m[0] == 0 and m[6] == 0]]')" "messages"

"$analyze" export --paraver part.prv --from 5.7us --to 10.499us --ranks 0-1 names
traced part.prv
assert_equal '[10, 2, 1]' "$(json part.read '[sum(count for name, count in d["entered"].items()
    if name != "solve"), d["entered"]["solve"], len(d["messages"])]')" "a step of two ranks"

# Others: threads, calls inside of calls, gaps.
for name in threads nested uneven waits_collective waits_messages; do
    "$TOP_BUILDDIR/test/data/make_archive" "$name" "$name"
    "$analyze" export --paraver "$name.prv" "$name" || [ $? -eq 4 ]
    traced "$name.prv"
done
assert_contains "$(json threads.read 'd["threads"]')" 2

"$analyze" export --paraver all.prv names || fail "a former output is not replaced"
cp all.prv foreign.prv
assert_equal 2 "$(status_of "$analyze" export --paraver foreign.prv names)" "another tool's trace"
assert_equal 2 "$(status_of "$analyze" export --paraver all.pcf names)" "not .prv"
assert_equal 2 "$(status_of "$analyze" export --paraver - names)" "the standard output"
