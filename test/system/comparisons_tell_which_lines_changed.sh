# compare tells which lines of the program changed: two versions of a program, the second with other
# line numbers, a call that waits longer and one more call. A line is known again by its function
# and order; of a function with one more call only those whose numbers stay. Other commits of the
# program are warned of.
. "$TOP_SRCDIR/test/system/lib.sh"

mpi=$(mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"
mpicc=$(mpicc_of "$mpi")

# version DIRECTORY COMMIT LATE MORE: the program there; rank 1 comes so many us late to its second
# barrier.
version() {
    mkdir -p "$1/.git"
    echo "$2" >"$1/.git/HEAD"
    {
        [ "$1" = one ] || printf '\n\n\n'
        cat <<C
#include <mpi.h>
static void __attribute__((noinline)) wait_for(int rank, int us)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        for (double end = MPI_Wtime() + us * 1e-6; MPI_Wtime() < end;) {}
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
static void __attribute__((noinline)) reduce(int rank)
{
    int sum;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    $4
}
int main(void)
{
    int rank;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wait_for(rank, $3);
    reduce(rank);
    MPI_Finalize();
}
C
    } >"$1/solve.c"
    (cd "$1" && "$mpicc" -g -O1 -o solve solve.c)
    # What else runs here is of no interest.
    MPIWATCH_CPU=off run_mpi "$mpi" 2 "$record" -q -o "$1.otf2.zip" "$1/solve" ||
        fail "recording $1"
}
version one 0123456789abcdef0123456789abcdef01234567 1000 ';'
version two 89abcdef0123456789abcdef0123456789abcdef 400000 \
    'MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);'

"$analyze" compare --json one.otf2.zip two.otf2.zip >compared.json || fail "compare"
"$python" - <<'PYTHON' || fail "the lines: $(cat compared.json)"
import json

compared = json.load(open("compared.json"))
lines = {(line["call"], line["function"], tuple(line["line"])): line for line in compared["lines"]}
# By order: 4 and 8, three lines further down; of reduce there are one and two calls.
assert set(lines) == {("MPI_Barrier", "wait_for", (4, 7)), ("MPI_Barrier", "wait_for", (8, 11)),
                      ("MPI_Allreduce", "reduce", (13, None)),
                      ("MPI_Allreduce", "reduce", (None, 16)),
                      ("MPI_Allreduce", "reduce", (None, 17))}, set(lines)
assert all(line["file"] == "solve.c" for line in compared["lines"])
# Rank 0 waits 400 ms for rank 1: 200 ms of each rank's time, or more where cores are short.
late = lines["MPI_Barrier", "wait_for", (8, 11)]
assert compared["lines"][0] is late, compared["lines"][0]
assert late["per_rank_ns"][1] >= late["waiting_ns"][1] >= 150e6, late
assert late["change_ns"] == abs(late["per_rank_ns"][1] - late["per_rank_ns"][0]), late
barriers, = (call for call in compared["calls"] if call["name"] == "MPI_Barrier")
for run in 0, 1:
    both = sum(line["per_rank_ns"][run] for line in compared["lines"]
               if line["call"] == "MPI_Barrier")
    assert abs(both - barriers["per_rank_ns"][run]) <= 2, (both, barriers)
assert "MPI_Barrier waits" in compared["sentences"][0], compared["sentences"]
assert " at solve.c:11" in compared["sentences"][0], compared["sentences"]
assert [told for told in compared["differences"]] == [
    'the commits of the program differ: A "0123456789abcdef0123456789abcdef01234567", '
    'B "89abcdef0123456789abcdef0123456789abcdef"'], compared["differences"]
PYTHON

"$analyze" compare one.otf2.zip two.otf2.zip >text || fail "compare"
assert_matches "$(cat text)" '^  MPI_Barrier, solve\.c:8 \(11 in B\) +[0-9.]+ [mu]?s +[0-9.]+ m?s'
assert_matches "$(cat text)" '^  MPI_Allreduce, solve\.c:17 +0 ns +[0-9.]+ [mun]?s +new$'
"$analyze" compare -q --html page.html one.otf2.zip two.otf2.zip || fail "compare --html"
grep -q '<h2 id="h-lines">' page.html || fail "the page has no lines"
grep -q 'MPI_Barrier, solve.c:8 (11 in B)' page.html || fail "the page does not tell the line"

# Where an archive does not say where calls were made, no line is new or gone.
run_mpi "$mpi" 2 "$record" -q --sites=off -o without.otf2.zip two/solve || fail "without lines"
"$analyze" compare --json one.otf2.zip without.otf2.zip >compared.json || fail "compare"
assert_equal null "$(json compared.json 'd["lines"]')" "lines that nobody knows"
"$analyze" compare one.otf2.zip without.otf2.zip >text || fail "compare"
assert_lacks "$(cat text)" "lines whose"

# Numbers stand below each other, however long the name of a line is that fits.
cp two/solve.c two/solve_one_equation.c
(cd two && "$mpicc" -g -O1 -o solve solve_one_equation.c)
run_mpi "$mpi" 2 "$record" -q -o three.otf2.zip two/solve || fail "recording three"
"$analyze" compare --width=200 one.otf2.zip three.otf2.zip >text || fail "compare, long names"
assert_matches "$(cat text)" '^  MPI_Allreduce, solve_one_equation\.c:17 '
assert_equal 1 "$(grep '^  MPI_' text | awk '{ print length($0) }' | sort -u | wc -l)" \
    "lengths of lines: $(cat text)"
