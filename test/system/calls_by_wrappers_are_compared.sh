# compare of runs whose calls are by wrappers of the program's: of one that makes the same call in
# two lines each is compared with itself, whichever takes longer; where one run was recorded without
# callers (--sites=line) the wrapper's own lines are compared, as all calls of both; and what many
# lines are called on the screen is found about as fast as without names.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

[ "$(uname -m)" = x86_64 ] || skip "callers of wrappers are known on x86-64 alone"

cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static int rank, late;
static volatile int steps;

static void come(int call)
{
    if (rank == 1 && call == late) {
        nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
    }
}

static void both_MPI_Barrier(void)
{
    come(1);
    MPI_Barrier(MPI_COMM_WORLD); /* first */
    come(2);
    MPI_Barrier(MPI_COMM_WORLD); /* second */
    steps++;
}

static void my_MPI_Allreduce(void)
{
    MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_MIN, MPI_COMM_SELF); /* its own */
    steps++;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    late = atoi(argv[1]);
    for (int i = 0; i < 10; i++) {
        both_MPI_Barrier(); /* caller */
        my_MPI_Allreduce(); /* one */
        my_MPI_Allreduce(); /* other */
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

line() {
    grep -n -F "/* $1 */" program.c | cut -d: -f1
}

# lines A B: the lines compared, and whether their calls take longer in B.
lines() {
    "$analyze" compare --json "$1" "$2" >compared.json || fail "compare $*"
    "$python" - <<'PYTHON'
import json
compared = json.load(open("compared.json"))
for line in compared["lines"]:
    print(line["call"], line["file"], *line["line"], line.get("called_from"),
          "less" if line["per_rank_ns"][0] > line["per_rank_ns"][1] else "longer")
for call in compared["calls"]:
    for run in 0, 1:
        parts = [line["per_rank_ns"][run] for line in compared["lines"]
                 if line["call"] == call["name"]]
        if call["name"] not in ("MPI_Init", "MPI_Finalize"):
            assert abs(sum(parts) - call["per_rank_ns"][run]) <= len(parts), (call, parts)
PYTHON
}

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -g -O1 -fno-inline -o program program.c
    for late in 1 2; do
        run_mpi "$mpi" 2 "$record" -q --force -o "$late.otf2.zip" ./program $late
    done
    run_mpi "$mpi" 2 "$record" -q --force --sites=line -o line.otf2.zip ./program 1

    # Rank 0 waits 1 s in the first barriers or in the second ones, and else for a core at most.
    lines 1.otf2.zip 2.otf2.zip >lines
    at=$(line caller)
    assert_contains "$(cat lines)" \
        "MPI_Barrier program.c $at $at program.c:$at via program.c:$(line first) less"
    assert_contains "$(cat lines)" \
        "MPI_Barrier program.c $at $at program.c:$at via program.c:$(line second) longer"
    "$analyze" compare 1.otf2.zip 2.otf2.zip >text
    assert_matches "$(cat text)" \
        "MPI_Barrier, program.c:$at via program.c:$(line first) .* -[0-9]+%"
    assert_matches "$(cat text)" "MPI_Allreduce, program.c:$(line one)  "

    for runs in "line 2" "2 line"; do
        # shellcheck disable=SC2086
        lines ${runs% *}.otf2.zip ${runs#* }.otf2.zip >lines
        for each in first second "its own"; do
            at=$(line "$each")
            assert_matches "$(cat lines)" "(MPI_Barrier|MPI_Allreduce) program.c $at $at None "
        done
        assert_equal 3 "$(wc -l <lines)" "$mpi: lines of $runs"
        assert_lacks "$(cat lines)" via
    done
    "$analyze" compare line.otf2.zip 1.otf2.zip >text
    assert_lacks "$(sed -n '/^lines/,/^waits/p' text)" " new"
done

# 10,000 lines that call one wrapper.
"$python" - >many.c <<'PYTHON'
print("#include <mpi.h>\nstatic volatile int k;")
print("static void my_MPI_Barrier(void)\n{\n    MPI_Barrier(MPI_COMM_SELF);\n    k++;\n}")
for i in range(100):
    print("static void step%d(void)\n{" % i)
    print("    my_MPI_Barrier();\n" * 100 + "}")
print("int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);")
print("".join("    step%d();\n" % i for i in range(100)) + "    return MPI_Finalize();\n}")
PYTHON
"$(mpicc_of "$mpi")" -g -O0 -o many many.c
run_mpi "$mpi" 1 "$record" -q -o many.otf2.zip ./many || fail "many lines"
"$python" - "$analyze" <<'PYTHON' || fail "many lines"
import resource
import subprocess
import sys

def seconds(*options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run([sys.argv[1], "-q", "sites", "--no-cache", *options, "many.otf2.zip"],
                         stdout=subprocess.PIPE, text=True, check=True).stdout
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, out

names, out = seconds("--csv")
assert out.count(" via my_MPI_Barrier") + out.count("my_MPI_Barrier") >= 10000, out[:500]
numbers, _ = seconds("--json")
names, out = seconds()
assert out.count("many.c:") >= 10000, out[:500]
assert names < 3 * numbers, "%.1f s with names on the screen, %.1f s as JSON" % (names, numbers)
PYTHON
