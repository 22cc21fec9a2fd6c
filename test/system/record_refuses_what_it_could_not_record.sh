# What can't be recorded is refused before the job runs, with what to do instead: status
# 125; 126 for what can't be executed, 127 for what isn't there, as env(1) has it.
. "$TOP_SRCDIR/test/system/lib.sh"

touch libmpiwatch-openmpi.so libmpiwatch-mpich.so
export MPIWATCH_LIBDIR=$scratch OMPI_COMM_WORLD_RANK=0

# refuses STATUS FRAGMENT WORD...: FRAGMENT is in the message.
refuses() {
    local expected=$1 fragment=$2
    shift 2
    assert_equal "$expected" "$(status_of "$record" "$@")" "status of mpiwatch-record $*"
    assert_contains "$(cat stderr)" "$fragment"
    assert_contains "$(cat stderr)" "mpiwatch-record: "
    assert_empty stdout
}

printf 'int main(void) { return 0; }\n' >main.c
$CC -o program main.c
$CC -o privileged main.c && chmod u+s privileged
touch data && chmod -x data

refuses 127 "No such file" ./missing
refuses 127 "No such file" missing-on-the-path
refuses 126 "Permission denied" ./data
refuses 126 "Permission denied" .
refuses 125 "LD_PRELOAD" ./privileged
refuses 125 "mpirun -n 4 mpiwatch-record ./program ..." mpirun -n 4 ./program -in file
refuses 125 "srun --mpi=pmix -n 4 mpiwatch-record ./program" srun --mpi=pmix -n 4 ./program
refuses 125 "mpiexec.hydra ... mpiwatch-record" mpiexec.hydra -n 4 ./missing
refuses 125 "comes first" env A=b mpirun ./program
refuses 125 "put mpiwatch-record after env" env -i A=b ./program
refuses 125 "no program to record"
refuses 125 '"12" is not a level' -z 12 ./program
refuses 125 "--events" -e p2p,none ./program
refuses 125 "can't be written to" -o /nowhere/x.otf2.zip ./program
refuses 125 "can't be written to" --spool /nowhere ./program
refuses 125 "libmpiwatch-openmpi.so" --libdir /usr ./program
refuses 125 "no-such-option" --no-such-option ./program
if $CC -static -o static main.c 2>/dev/null; then
    refuses 125 "statically" ./static
fi
if [ -n "$MPICC_OPENMPI" ]; then
    printf '#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n' >mpi.c
    "$MPICC_OPENMPI" -o mpi mpi.c
    refuses 125 "would crash it" --mpi mpich ./mpi
fi
