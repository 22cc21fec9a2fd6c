# The first screen of programs with one fault each that is none of their MPI's: more ranks than the
# host has cores, two ranks that are bound to one, rank 0 asleep, rank 0 writing to disk, rank 0
# waiting for a thread of its own; and the same programs without it, of which none of that may be
# said. Only of a deadlock that is proved it is not said: with more cores it would be the same.
. "$TOP_SRCDIR/test/system/lib.sh"
need taskset
cores=$(env -u OMP_NUM_THREADS nproc) # which it would obey
[ "$cores" -le 8 ] || skip "too many cores here for more ranks than cores"

# verdict RANKS COMMAND...: the verdict of a run of so many ranks, on one line.
verdict() {
    run_mpi "$mpi" "$1" ${binding:-} "$record" -q --force -o run.otf2.zip "${@:2}" >/dev/null
    "$analyze" report --json run.otf2.zip |
        "$python" -c 'import json, sys; print(json.load(sys.stdin)["verdict"])'
}

cat >ends.c <<'C'
/* ends ring|loop: ranks compute and meet for 2 s, and then each receives from the next one, or they
 * go on as before. */
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, size, in, goes_on = 1;
    double begin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (begin = MPI_Wtime(); goes_on;) {
        for (volatile int i = 0; i < 5000000; i++) {
        }
        goes_on = strcmp(argv[1], "loop") == 0 || MPI_Wtime() - begin < 2;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Recv(&in, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
C

# killed RANKS COMMAND...: the verdict of a run that is killed when it has been there for 4 s.
killed() {
    rm -rf run.otf2.zip*
    run_mpi "$mpi" "$1" taskset -c 0 "$record" -q -o run.otf2.zip "${@:2}" >out 2>err &
    for _ in $(seq 300); do
        [ ! -s run.otf2.zip.run ] || break
        sleep 0.1
    done
    sleep 4
    kill -KILL $(sed -n 's/.*"pid":\([0-9]*\),.*/\1/p' run.otf2.zip.run)
    wait $! || true
    "$TOP_BUILDDIR/mpiwatch-recover" -q run.otf2.zip.run >out 2>err || true
    { "$analyze" -q report --json run.otf2.zip || true; } >report.json
    said=$(json report.json 'd["verdict"]')
}

# must_say PATTERN and must_not_say PATTERN, of $said.
must_say() {
    [[ $said =~ $1 ]] || fail "$mpi, not \"$1\": $said"
}
must_not_say() {
    [[ ! $said =~ $1 ]] || fail "$mpi, \"$1\": $said"
}

for mpi in $(mpis); do
    equal=$TOP_BUILDDIR/examples/equal_ranks-$mpi
    stretches=$TOP_BUILDDIR/examples/stretches-$mpi

    if [ "$mpi" = openmpi ]; then # MPICH's ranks keep their cores while they wait: minutes
        said=$(verdict $((4 * cores)) "$equal")
        must_say "^$((4 * cores)) ranks share the $cores cores? of .* and have none for"
        must_say ': all else is doubtful; '
        must_not_say 'computes .* average'
        # Who compares it with another run is told, too.
        said=$("$analyze" compare run.otf2.zip run.otf2.zip | tr -s '\n ' ' ')
        lack='share cores and have none for [0-9]+% of their run(, [0-9]+% beside waiting)?'
        must_say " warning the ranks of A $lack, the ranks of B $lack: all times are doubtful "
        # What is told of the efficiency is what it is the product of.
        "$analyze" run.otf2.zip | tr -s '\n ' ' ' >out
        "$python" - <<'PYTHON' || fail "$mpi: the factors: $(cat out)"
import re
told = re.search(r"parallel ([\d.]+) = ((?:\w+ [\d.]+(?: x )?)+)", open("out").read())
product = 1
for factor in re.findall(r"[\d.]+", told[2]):
    product *= float(factor)
assert abs(float(told[1]) - product) < 0.02, told[0]
assert "running" in told[2], told[0]
PYTHON
    fi
    if [ "$cores" -ge 2 ]; then
        binding='taskset -c 0'
        said=$(verdict 2 "$equal")
        must_say '^ranks 0 and 1 are bound to core 0 and have none for .*: all else is doubtful; '
        binding=
        "$(mpicc_of "$mpi")" -o "ends-$mpi" ends.c
        killed 3 "./ends-$mpi" ring
        must_not_say 'doubt|core'
        assert_contains "$(json report.json 'd["hang"]')" "deadlock: rank 0 in MPI_Recv from 1"
        assert_contains "$(json report.json '[c["id"] for c in d["causes"]]')" oversubscription
        [[ ! $(json report.json 'd["advice"]') =~ core ]] || fail "$mpi: it advises cores"
        killed 3 "./ends-$mpi" loop
        must_say '^3 ranks (are bound to|share the) .* and have none for .*: all else is doubtful'
        said=$(verdict 2 "$equal")
        must_not_say 'doubtful|bound|share|sleeps'
        said=$(verdict 2 "$stretches" s300 c10 s200)
        must_say '^the main thread of rank 0 does not run for .*, mostly before MPI_Barrier, s'
        must_say 'it sleeps or waits for a file, a lock or another process$'
        must_not_say 'computes'
        mv run.otf2.zip asleep.zip
        said=$(verdict 2 "$stretches" t300 c10 t200)
        must_say '^the main thread of rank 0 does not run for .*: it sleeps .*, another thread or'
        # They compute for all of this, and may lack cores on a machine that is busy.
        must_say 'process(, and its other threads run for [0-9.]+ m?s)?$'
        # A thread of rank 0 has 500 of the two ranks' 1,020 ms, which useful time leaves out:
        # compare says so, and not of a run and itself, where as much is left out on both sides.
        warns="warning other threads than the main ones ran for .* in A, for .* in B: useful time"
        assert_matches "$("$analyze" compare asleep.zip run.otf2.zip | tr -s ' \n' ' ')" "$warns" \
            "$mpi, threads of one run"
        assert_lacks "$("$analyze" compare run.otf2.zip run.otf2.zip | tr -s ' \n' ' ')" \
            "other threads than" "$mpi, threads of both"
        said=$(verdict 2 "$stretches" w300 c10 w200)
        # The other one may have none as well, on a machine that is busy.
        must_say 'ranks? [01].* (do(es)? not run|ha(s|ve) no core) for .* before MPI_Barrier'
        said=$(verdict 2 "$stretches" c100 c200)
        must_not_say 'doubtful|sleeps'
    fi
done
