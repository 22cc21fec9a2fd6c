# A program that the recorder sees nothing of ends as ever, and one line a job says why there is no
# archive: it has no MPI, has one inside, ended before MPI_Init. Nothing of the kind is said of what
# only starts the program. Processes that the other MPI's mpirun has started are told as what they
# are, jobs of their own.
. "$TOP_SRCDIR/test/system/lib.sh"

printf '#include <stdio.h>\nint main(void) { puts("out"); return 3; }\n' >none.c
$CC -o none none.c

# ends STATUS REASON MPI COMMAND...: two processes end with STATUS, and REASON is said once.
ends() {
    local expected=$1 reason=$2 mpi=$3 status=0
    shift 3
    "run_$mpi" 2 "$record" -o run.otf2.zip "$@" >out 2>err || status=$?
    assert_equal "$expected" $status "status of $*"
    assert_equal 1 "$(grep -c '^mpiwatch: nothing recorded: ' err)" "lines about $* in $(cat err)"
    assert_contains "$(grep '^mpiwatch: nothing recorded: ' err)" "$reason"
    assert_equal 0 "$(find . -name 'run*.otf2.zip*' | wc -l)" "archives of $*"
}

# says_nothing MPI COMMAND...: under the words of $starter, too.
starter=
says_nothing() {
    local mpi=$1
    shift
    "run_$mpi" 2 $starter "$record" -o run.otf2.zip "$@" >out 2>err || true
    assert_equal 0 "$(grep -c 'nothing recorded' err)" "lines about $* in $(cat err)"
}

cat >early.c <<'CODE'
#include <mpi.h>
int main(int count, char **words)
{
    if (count == 1) {
        return 0;
    }
    MPI_Init(&count, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
CODE
for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o early early.c
    ends 3 "which is not linked with MPI" "$mpi" ./none
    assert_equal "out out" "$(sort out | xargs)" "output of both processes"
    ends 0 "linked with libmpi" "$mpi" ./early
    says_nothing "$mpi" ./early go
    [ -s run.otf2.zip ] || fail "no archive of what goes on: $(cat err)"
    rm run.otf2.zip
    says_nothing "$mpi" bash -c './none; exit 0'
    says_nothing "$mpi" bash -c './early go; exit 0'
    [ -s run.otf2.zip ] || fail "no archive of what a script starts: $(cat err)"
    rm run.otf2.zip
done

# An MPI that is looked up where nothing can stand before it.
library=$(ldd early | awk '/libmpi/ { print $3; exit }')
cat >handle.py <<CODE
import ctypes
mpi = ctypes.CDLL("$library")
mpi.MPI_Init(None, None)
mpi.MPI_Finalize()
CODE
ends 0 "in the handle of MPI's library" "$mpi" "$python" handle.py

# By its name in the program's file: an MPI that is linked in.
printf 'int MPI_Init(void) { return 0; }\nint main(void) { return MPI_Init(); }\n' >inside.c
$CC -o inside inside.c
ends 0 "has an MPI linked into it" "$mpi" ./inside

# Of two MPIs, each one's mpirun starts the other one's program. Open MPI's processes make the same
# directory of their sessions then, at once, which fails: each is given one of its own.
cat >apart <<'SCRIPT'
OMPI_MCA_orte_tmpdir_base=$(mktemp -d)
export OMPI_MCA_orte_tmpdir_base
exec "$@"
SCRIPT
starter="sh apart"
if [ "$(mpis | wc -w)" = 2 ]; then
    for mpi in openmpi mpich; do
        other=openmpi
        [ $mpi = mpich ] || other=mpich
        "$(mpicc_of "$other")" -o early early.c
        says_nothing $mpi ./early go
        assert_equal 1 "$(grep -c 'each of the 2 processes is a job of its own' err)" \
            "$mpi: lines about jobs in $(cat err)"
        assert_equal 2 "$(find . -name 'run*.otf2.zip' | wc -l)" "$mpi: archives; $(cat err)"
        rm run*.otf2.zip
    done
fi
