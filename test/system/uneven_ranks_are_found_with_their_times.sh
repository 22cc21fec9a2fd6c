# examples/imbalance.f90: ranks sleep the longer the higher their number, and write down how
# long. imbalance, pop, critical-path and timeline say so.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# Of test/data: rank 1 waits from 200 to 300 of its receive until 450, rank 2 from 100 to 650 of
# 800; MPI_Init is left at 100, so that the first bin of ten ends 9990 later.
"$TOP_BUILDDIR/test/data/make_archive" chain chain
"$analyze" timeline --csv --bins 10 chain | grep ',0,' >first_bins
cat >wanted <<'CSV'
0,0,9990,800,100,0,0,100,0
1,0,9990,600,200,0,0,100,100
2,0,9990,600,150,0,0,100,550
CSV
sed -i 's/,999[01],/,9990,/' first_bins
grep -v ',0,0,0,0,0,0$' first_bins | diff wanted - || fail "the timeline of chain"

# At scale (test/bench/generate.c): in each step one rank computes 10 us and D = 1000 (1 + i mod 7)
# ns, the others 10 us. On an ideal network nothing else is left of it; on the critical path, 100
# in MPI_Irecv and MPI_Isend each, 500 in MPI_Waitall and 1000 in MPI_Allreduce as well.
"$TOP_BUILDDIR/test/bench/generate" big 64 100000 >big.json
reported_of_big() {
    "$analyze" "$1" --json big >"$1.json" || fail "$1 of big: exit $?"
}
reported_of_big pop
reported_of_big critical-path
reported_of_big waits
python_check "the generated archive" <<'PYTHON'
import json
made, pop, path, waits = (json.load(open(name + ".json"))
                          for name in ("big", "pop", "critical-path", "waits"))
steps = made["steps"]
ideal = sum(10000 + 1000 * (1 + i % 7) for i in range(steps))
assert pop["ranks"] == 64 and sum(pop["useful_ns"]) == made["useful_ns"], pop["ranks"]
assert pop["runtime_ns"] == path["length_ns"] == made["run_ns"] == ideal + 1700 * steps
assert pop["ideal_runtime_ns"] == ideal, (pop["ideal_runtime_ns"], ideal)
on_path = {row["name"]: row["path_ns"] for row in path["rows"]}
assert on_path == {"useful": ideal, "MPI_Irecv": 100 * steps, "MPI_Isend": 100 * steps,
                   "MPI_Waitall": 500 * steps, "MPI_Allreduce": 1000 * steps}, on_path
delays = waits["delays"]
assert delays["short_term_ns"] == sum(made["waits"].values()), made
assert delays["long_term_ns"] == delays["unexplained_ns"] == 0, made
computed = sum(each["short_term_ns"] for each in delays["worst"]
               if each["activity"] == "computation")
assert computed >= 0.999 * delays["short_term_ns"], (computed, delays["short_term_ns"])
PYTHON

# uneven MPI RANKS
uneven() {
    local mpi=$1 ranks=$2 command
    MPIWATCH_CPU=off recorded "$mpi" "$ranks" imbalance # sleep stands for work
    [ "$status" -eq 0 ] || wrong "imbalance, $mpi: exit $status: $(head -5 imbalance.err)"
    for command in imbalance pop critical-path timeline calls report; do
        reported "$command" imbalance
    done
    python_check "imbalance, $mpi, $ranks ranks" "$ranks" <<'PYTHON'
import json, sys
n = int(sys.argv[1])
slept = [[int(line) for line in open(f"imbalance.{rank}")] for rank in range(n)]
sums = [sum(each) for each in slept]
longest = sum(max(each[i] for each in slept) for i in range(5))  # of each round, whoever it is
rows = json.load(open("imbalance.json"))["rows"]
useful = rows[0]["per_rank_ns"]

# What surrounds the sleeps is short, but a loaded machine makes it longer.
assert rows[0]["name"] == "useful" and rows[0]["max_ns"] == max(useful), rows[0]
for rank in range(n):
    assert sums[rank] <= useful[rank] <= sums[rank] * 1.3 + 500e6, (rank, sums, useful)
assert abs(rows[0]["load_balance"] - sum(sums) / n / max(sums)) < 0.2, (rows[0], sums)
reduce, = [row for row in rows if row["name"] == "MPI_Allreduce"]
waits = 0.7 * (longest - sums[0]) - 50e6
assert reduce["ranks"] == n and reduce["per_rank_ns"][0] >= waits, (reduce, slept)

# Each round ends with its longest sleep, on any network; what is not sleep can only add.
pop = json.load(open("pop.json"))
assert pop["useful_ns"] == useful
assert longest <= pop["ideal_runtime_ns"] <= longest + sum(useful) - sum(sums), (pop, slept)
assert pop["ideal_runtime_ns"] <= pop["runtime_ns"], pop
assert abs(pop["load_balance"] - rows[0]["load_balance"]) < 1e-9
assert abs(pop["serialisation_efficiency"] - max(useful) / pop["ideal_runtime_ns"]) < 1e-9
assert abs(pop["serialisation_efficiency"] * pop["transfer_efficiency"]
           - pop["communication_efficiency"]) < 1e-9
assert json.load(open("report.json"))["pop"] == pop

# The longest sleeps are on the path.
path = json.load(open("critical-path.json"))
assert abs(sum(path["per_rank_ns"]) - path["length_ns"]) < 10, path
assert path["length_ns"] <= pop["runtime_ns"], path
on_path = {row["name"]: row["path_ns"] for row in path["rows"]}
assert on_path["useful"] >= 0.6 * longest, (path, slept)

# Rank 0 waits for them; the bins add up to the useful time.
ranks = json.load(open("timeline.json"))["ranks"]
for rank, row in enumerate(ranks):
    assert row["rank"] == rank and abs(sum(row["useful_ns"]) - useful[rank]) < 1000, row
assert sum(ranks[0]["waiting_ns"]) >= waits, (ranks[0], slept)
PYTHON
    "$analyze" timeline --svg picture.svg --bins 40 imbalance.otf2.zip >timeline.out
    [ "$(grep -c '^ *[0-9]* |.\{40\}|' timeline.out)" = "$ranks" ] || wrong "$(cat timeline.out)"
    assert_equal "$ranks" "$(grep -c 'class="useful"' picture.svg)" "rows of the picture"
}

# slept_outside MPI RANKS: where it is told that ranks sleep, that is neither useful nor
# computation.
slept_outside() {
    recorded "$1" "$2" imbalance
    for command in waits ranks critical-path; do
        reported "$command" imbalance
    done
    python_check "imbalance, $1, with its sleep" "$2" <<'PYTHON'
import json, sys
n = int(sys.argv[1])
waits, ranks, path = (json.load(open(name + ".json"))
                      for name in ("waits", "ranks", "critical-path"))
rows = {row["name"]: row for row in path["rows"]}
assert "useful" not in rows, rows
row = rows["outside MPI"]
assert row["average_ns"] == sum(rank["outside_ns"] for rank in ranks["ranks"]) // n, (row, ranks)
assert row["imbalance_ns"] == max(0, row["path_ns"] - row["average_ns"]), row
activities = {each["activity"] for each in waits["delays"]["worst"]}
assert "outside MPI" in activities and "computation" not in activities, activities
PYTHON
}

for mpi in $(built_mpis); do
    [ -x "$TOP_BUILDDIR/examples/imbalance-$mpi" ] || continue
    uneven "$mpi" "$(ranks_of "$mpi")"
    slept_outside "$mpi" "$(ranks_of "$mpi")"
done
finish
