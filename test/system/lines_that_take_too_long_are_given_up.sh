# Looking up lines has a limit of time, from outside and from inside, and one of memory. What was
# told before the end counts, the other places are addresses, and a sentence says so: in
# MPI_Finalize, and by mpiwatch-recover.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

mpi=$(built_mpis | head -1)
mpi=${mpi%% *}
resolver=$TOP_BUILDDIR/mpiwatch-resolve
[ -x "$resolver" ] || skip "lines are not looked up here (libdw)"

# From inside: it waits for questions that do not come. Its limits, meanwhile.
mkfifo questions
"$resolver" questions answers full &
inside=$!
exec 3>questions # which it has opened then
for attempt in $(seq 100); do
    grep -q '^Max cpu time *15 ' "/proc/$inside/limits" && break
    sleep 0.1
done
limits=$(cat "/proc/$inside/limits")
assert_matches "$limits" 'Max cpu time *15 '
assert_matches "$limits" 'Max core file size *0 '
case $(readelf -Ws "$resolver") in
*__asan_*) ;; # which maps more than there is
*) assert_matches "$limits" 'Max address space *4294967296 ' ;;
esac

# From outside: a recorder that has others for resolvers beside it.
cat >program.c <<'CODE'
#include <mpi.h>
#include <signal.h>
int main(int count, char **words)
{
    MPI_Init(&count, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    if (count > 1) {
        raise(SIGKILL);
    }
    return MPI_Finalize();
}
CODE
"$(mpicc_of "$mpi")" -g -w -o program program.c
mkdir kit
cp "$record" "$TOP_BUILDDIR/.libs/libmpiwatch-$mpi.so" kit/
cp "$(ls "$TOP_BUILDDIR"/.libs/mpiwatch-recover "$TOP_BUILDDIR"/mpiwatch-recover 2>/dev/null |
    head -1)" kit/
# resolver_is COMMAND: answers the first question, and then does that.
resolver_is() {
    printf '%s\n' '#!/bin/sh' 'printf "7\tfirst\t/told.c\n" >"$2"' "$1" >kit/mpiwatch-resolve
    chmod +x kit/mpiwatch-resolve
}
# recorded WAY OPTION...: places are told up to where it answered.
recorded() {
    local way=$1
    shift
    run_mpi "$mpi" 1 kit/mpiwatch-record "$@" -o run.zip ./program >out 2>err ||
        fail "$way: $(cat err)"
    "$analyze" sites run.zip >sites || fail "$way"
    assert_contains "$(cat sites)" "told.c:7"
    assert_matches "$(cat sites)" 'program\+0x'
    rm run.zip
}
said="2 places of calls are told as an address"
resolver_is 'exec sleep 100'
recorded "takes long" --force
assert_contains "$(cat err)" "$said"
assert_contains "$(cat err)" "more than 20 s"
resolver_is 'kill -9 $$'
recorded "is killed" --force
assert_contains "$(cat err)" "$said"
recorded "is killed, quiet" --quiet
assert_equal "" "$(cat err)" "quiet"
run_mpi "$mpi" 1 kit/mpiwatch-record -q -o killed.zip ./program die >out 2>err || true
ranks_have_ended
assert_equal 4 "$(status_of kit/mpiwatch-recover killed.zip.run --remove)" "$(cat stderr)"
assert_contains "$(cat stdout)" "looking up lines failed or took too long: 1;"

# All is told: nothing is said.
cp "$resolver" kit/
run_mpi "$mpi" 1 kit/mpiwatch-record -o run.zip ./program >out 2>err || fail "$(cat err)"
assert_lacks "$(cat err)" "as an address"
assert_lacks "$("$analyze" sites run.zip)" "program+0x"

# The one that got no questions has ended by now.
status=0
wait $inside || status=$?
assert_equal 142 "$status" "a resolver that waits ends by SIGALRM"
