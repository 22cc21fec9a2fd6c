# A program that may be executed and not read, as licensed ones are installed (mode 0711): which MPI
# it has is what its launcher or the user says, that this was taken for granted is told once, and it
# is recorded, with the same status and output as without.
. "$TOP_SRCDIR/test/system/lib.sh"

as_others=
if [ "$(id -u)" = 0 ]; then # who may read everything, unless that is given away
    need setpriv
    as_others="setpriv --bounding-set=-dac_override,-dac_read_search"
    $as_others true 2>/dev/null || skip "capabilities can't be given away here"
fi

cat >program.c <<'C'
#include <mpi.h>
#include <stdio.h>

int main(int count, char **words)
{
    int one = 1, sum;

    MPI_Init(&count, &words);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return printf("%d\n", sum) < 0;
}
C

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o program program.c
    chmod 0111 program
    ! $as_others cat program >/dev/null 2>&1 || fail "it can be read"
    run_mpi "$mpi" 2 $as_others ./program >expected || fail "$mpi: $?"
    run_mpi "$mpi" 2 $as_others "$record" -o run.otf2.zip ./program >out 2>err || fail "$mpi: $?"
    cmp expected out || fail "$mpi: other output"
    assert_equal 1 "$(grep -c "^mpiwatch-record: \./program: can't be read; taken for a program \
that is linked dynamically with .*, by the launcher's environment$" err)" "$mpi: $(cat err)"
    assert_equal '[2, true]' "$("$analyze" info --json -o info.json run.otf2.zip
        json info.json '[d["ranks"], d["complete"]]')" "$mpi: the archive"
    run_mpi "$mpi" 2 $as_others "$record" -q --force -o run.otf2.zip env A=b ./program >out \
        2>err || fail "$mpi, quiet: $?"
    cmp expected out || fail "$mpi, quiet: other output"
    assert_empty err
    assert_equal 125 "$(status_of $as_others "$record" -o none.otf2.zip ./program)" "$mpi: alone"
    assert_contains "$(cat stderr)" "it is not known what MPI it is linked with; say which with"
    timeout -k 10 60 $as_others "$record" -q -o alone.otf2.zip --mpi "$mpi" ./program \
        >/dev/null 2>err || fail "$mpi, alone: $(cat err)"
    [ -s alone.otf2.zip ] || fail "$mpi: nothing of the one that runs alone"
    rm -f program run.otf2.zip alone.otf2.zip
done
