# mpiwatch-analyze check ends with 1 when a limit is not kept, with 2 and what may have been meant
# when there is no such number; compare puts archives whose numbers were worked out on paper side
# by side.
. "$TOP_SRCDIR/test/system/lib.sh"

make_archive=$TOP_BUILDDIR/test/data/make_archive
"$make_archive" chain chain
"$make_archive" allreduce allreduce
"$make_archive" open open

# check_ends STATUS ARGUMENT...
check_ends() {
    local wanted=$1
    shift
    assert_equal "$wanted" "$(status_of "$analyze" check "$@")" "check $*: $(cat stdout stderr)"
}

# Of chain: T = 1300, parallel efficiency 2000 / 3900 = 0.5128, MPI_Recv 250 + 700 of rank 1, 2.
check_ends 0 --min pop.parallel_efficiency=0.5 --max pop.parallel_efficiency=51.3% chain
check_ends 1 --min pop.parallel_efficiency=0.5 --max pop.parallel_efficiency=51.2% chain
assert_contains "$(cat stdout)" "verdict   1 of 2 limits is not kept"
assert_contains "$(cat stdout)" "ok        pop.parallel_efficiency 0.5128, at least 0.5"
assert_contains "$(cat stdout)" "BREACH    pop.parallel_efficiency 0.5128, at most 0.512"
check_ends 0 --max pop.runtime_ns=1.3us --min pop.runtime_ns=1300ns chain
check_ends 0 --min calls.calls.MPI_Recv.time_ns=950 --max calls.calls.MPI_Recv.time_ns=950 chain
check_ends 0 --max pop.useful_ns.2=600 --min pop.useful_ns.2=600 chain
check_ends 0 --max waits.share=100% chain
check_ends 1 --json --max info.ranks=2 chain
assert_equal '[false, 3, 2.0]' \
    "$(json stdout '[d["passed"], d["checks"][0]["value"], d["checks"][0]["limit"]]')" "JSON"
check_ends 1 --min pop.transfer_efficiency=0 open # not known keeps no limit
assert_contains "$(cat stdout)" "is not known"


# missed KEY WORDS: what is said of a key that is not there. Which keys there are is in the report.
missed() {
    check_ends 2 --max "$1=1" chain
    assert_equal "mpiwatch-analyze: chain: there is no number \"$1\" in the report$2;\
 check --keys lists all${3-}" "$(cat stderr)" "$1"
}
missed pop.paralel_eficiency " (there is pop.parallel_efficiency)"
missed calls.calls.MPI_Recw.time_ns " (there is calls.calls.MPI_Recv.time_ns)"
missed transfer_efficiency " (there is pop.transfer_efficiency)"
often=", such as pop.parallel_efficiency, pop.runtime_ns and waits.share"
missed nothing.like.this "" "$often"
missed waiting "" "$often"
check_ends 0 --max pop.parallel_efficiency=1 --min pop.runtime_ns=0 --max waits.share=1 chain
check_ends 2 --max pop.no_such_number=1 chain
assert_matches "$(cat stderr)" \
    ' \(there is pop\.[^ ]+, pop\.[^ ]+, pop\.[^ ]+ and [0-9]+ more\);'
check_ends 2 --max calls.calls.MPI_Recv=1 chain
assert_contains "$(cat stderr)" " (there is calls.calls.MPI_Recv."
check_ends 0 --keys chain
assert_empty stderr
cp stdout keys
for key in pop.parallel_efficiency calls.calls.MPI_Recv.time_ns; do
    assert_equal 1 "$(grep -cx "$key" keys)" "$key among the keys"
done
check_ends 2 --keys --max pop.runtime_ns=1 chain
check_ends 2 --max info.program=1 chain
check_ends 2 --max pop.runtime_ns chain
check_ends 2 --max pop.runtime_ns=soon chain
check_ends 2 chain
check_ends 3 --max info.ranks=2 no-such-archive

# Of ring, ranks 0 and 2 on host one, 1 on two: 0 -> 1 -> 2 -> 0, 100 bytes each.
"$make_archive" ring ring
check_ends 0 --max messages.late_posted=2 --min messages.queueing_max_ns=301ns ring
check_ends 0 --min watermarks.watermarks.outstanding_requests.high.value=1 ring
"$analyze" messages --json ring >messages.json
assert_equal '[["one", "one", 1, 100], ["one", "two", 1, 100], ["two", "one", 1, 100]]' \
    "$(json messages.json '[[p[key] for key in ("from", "to", "count", "bytes")]
        for p in d["host_pairs"]]')" "hosts"
assert_matches "$("$analyze" messages ring)" '^ +0 +\. +100 B +\.$'

# Of allreduce: T = 900, useful 1950 against 2000 of chain.
"$analyze" compare --json chain allreduce >compared.json
assert_equal '["chain", "allreduce"]' "$(json compared.json '[r["archive"] for r in d["runs"]]')" \
    "archives"
near() {
    assert_equal true "$(json compared.json "abs(d[\"runs\"][1][\"$1\"] - $2) < 1e-9")" "$1"
}
near speedup "1300 / 900"
near computation_scaling "2000 / 1950"
near global_efficiency "2000 / 2700"
near parallel_efficiency "1950 / 2700"
# Per rank: MPI_Recv 950 / 3 to 0, MPI_Allreduce 0 to (250 + 50 + 150) / 3.
assert_equal '[["MPI_Recv", 317, [317, 0]], ["MPI_Allreduce", 150, [0, 150]]]' \
    "$(json compared.json '[[c[key] for key in ("name", "change_ns", "per_rank_ns")]
        for c in d["calls"][:2]]')" "calls that changed"
"$analyze" compare chain allreduce chain >compared
assert_matches "$(cat compared)" '^speed-up +1\.00 +1\.44 +1\.00$'
assert_matches "$(cat compared)" '^  MPI_Allreduce +0 ns +150 ns +0 ns$'
assert_equal 2 "$(status_of "$analyze" check --min waits.share=nan chain)" "no number"
assert_equal 2 "$(status_of "$analyze" compare chain)" "one archive is too few"
assert_equal 2 "$(status_of "$analyze" pop chain allreduce)" "two are too many for others"
assert_equal 4 "$(status_of "$analyze" compare chain open)" "one of them is incomplete"
assert_equal "mpiwatch-analyze: open: the archive is incomplete" "$(cat stderr)" "which one"
