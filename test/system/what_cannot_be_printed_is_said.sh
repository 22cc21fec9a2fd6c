# What can't be printed is an error with its reason, of one process and of several: a full disk, a
# standard output that is closed, a reader that has gone, of text, JSON, CSV and help. A standard
# error that is closed leaves nothing in what is written, nor does what the MPI has to say. No file
# of mpiwatch-top's and mpiwatch-view's gets the number of a stream that is closed.
. "$TOP_SRCDIR/test/system/lib.sh"
"$TOP_BUILDDIR/test/data/make_archive" open open
"$TOP_BUILDDIR/test/data/make_archive" names names
export XDG_CACHE_HOME=$PWD/cache

# to WHERE COMMAND…: standard output is there.
cat >to <<'SCRIPT'
where=$1
shift
case $where in
full) exec "$@" >/dev/full ;;
closed) exec "$@" >&- ;;
left) # by its reader, of which who writes takes no notice
    trap '' PIPE
    mkfifo "left.$$"
    exec 3<>"left.$$" 4>"left.$$" 3<&-
    exec "$@" >&4 4>&-
    ;;
esac
SCRIPT

# says WHERE REASON WHO WORDS…: the command, whose words are behind those that run it.
says() {
    local where=$1 reason=$2 who=$3
    shift 3
    assert_equal 3 "$(status_of "$@")" "$who, $where: $*: $(cat stdout stderr)"
    assert_equal "mpiwatch-analyze: cannot write the output: $reason" \
        "$(grep '^mpiwatch-analyze:' stderr)" "$who, $where: $*"
}

for command in "report names" "report --json names" "waits --csv names" \
    "compare --json names names" "check --json --max=info.ranks=9 names" "validate --json names" \
    schema --help; do
    # shellcheck disable=SC2086 # words
    {
        says full "No space left on device" one sh to full "$analyze" $command
        says closed "Bad file descriptor" one sh to closed "$analyze" $command
        says left "Broken pipe" one sh to left "$analyze" $command
    }
done
for mpi in $(mpis); do
    for command in "waits --json names" "waits --csv names"; do
        # shellcheck disable=SC2086 # words
        {
            says full "No space left on device" "$mpi" run_mpi "$mpi" 2 sh to full \
                "$analyze" $command
            says closed "Bad file descriptor" "$mpi" run_mpi "$mpi" 2 sh to closed \
                "$analyze" $command
            says left "Broken pipe" "$mpi" run_mpi "$mpi" 2 sh to left "$analyze" $command
        }
    done
done

# The other programs say it of their help and version, with the status of theirs for it; and nothing
# where what they print is written.
# others STATUS PROGRAM WORDS…
others() {
    local status=$1 program=$2
    shift 2
    [ -x "$TOP_BUILDDIR/$program" ] || return 0
    for where in full closed left; do
        case $where in
        full) reason="No space left on device" ;;
        closed) reason="Bad file descriptor" ;;
        left) reason="Broken pipe" ;;
        esac
        assert_equal "$status" "$(status_of sh to $where "$TOP_BUILDDIR/$program" "$@")" \
            "$program $*, $where: $(cat stdout stderr)"
        assert_equal "$program: cannot write the output: $reason" "$(cat stderr)" \
            "$program $*, $where"
    done
    assert_equal 0 "$(status_of "$TOP_BUILDDIR/$program" "$@")" "$program $*: $(cat stderr)"
    assert_empty stderr
    [ -s stdout ] || fail "$program $* prints nothing"
}
for word in --help --usage --version --print-options; do
    others 3 mpiwatch-top $word
    others 3 mpiwatch-view $word
    others 3 mpiwatch-recover $word
    others 3 mpiwatch-vars $word
    others 125 mpiwatch-record $word
done
others 125 mpiwatch-record --env --mpi openmpi
# Wrong usage stays what it is.
assert_equal 2 "$(status_of sh to full "$TOP_BUILDDIR/mpiwatch-top" --nothing)" "$(cat stderr)"

# What is said of an archive that is incomplete is said while the output is open.
assert_equal 4 "$(status_of "$analyze" compare --json -o said open open)" "status"
assert_equal 2 "$(grep -c 'open: the archive is incomplete' stderr)" "$(cat stderr)"
assert_equal 4 "$(status_of sh -c 'exec "$@" 2>&-' sh "$analyze" compare --json -o unsaid open \
    open)" "status without a standard error"
cmp said unsaid || fail "without a standard error the output is: $(head -n 3 unsaid)"

# UCX says much, if asked to, and warns without being asked.
"$analyze" waits --json -j 1 names >expected
for mpi in $(mpis); do
    UCX_LOG_LEVEL=debug run_mpi "$mpi" 2 "$analyze" waits --json names >stdout 2>stderr
    cmp expected stdout || fail "$mpi: on standard output is also: $(head -n 1 stdout)"
done

# Those that look at runs hold the place of all streams that are closed.
cat >held.c <<'PROGRAM'
#include <fcntl.h>
#include <unistd.h>

__attribute__((destructor)) static void leave(void)
{
    _exit(fcntl(0, F_GETFD) < 0 || fcntl(1, F_GETFD) < 0 || fcntl(2, F_GETFD) < 0 ? 99 : 98);
}
PROGRAM
$CC -shared -fPIC -o held.so held.c
for program in mpiwatch-top mpiwatch-view mpiwatch-analyze; do
    [ -x "$TOP_BUILDDIR/$program" ] || continue
    assert_equal 98 "$(status_of env LD_PRELOAD="$PWD/held.so" sh -c 'exec "$@" <&- >&- 2>&-' sh \
        "$TOP_BUILDDIR/$program" nothing)" "$program with closed streams"
done
