# For tests that other tests beside them would change or hold up by what these take of the cores: of
# when ranks run and sleep, and of ranks that use a core while they wait for each other. To be
# sourced before lib.sh: where that is permitted the test begins once more, with the niceness
# $precedence, -15 if that is not said, and as a session of its own, which may have a share of the
# cores that niceness does not change (sched_autogroup). So may each rank of MPICH: those are to be
# started by the words $foremost, which are none where nothing is permitted.
#
#     bash served_first.sh COMMAND...     what these words do
: "${precedence=-15}"
if [ $# -gt 0 ]; then
    { nice >/proc/self/autogroup; } 2>/dev/null
    exec "$@"
elif [ -n "${SERVED_FIRST-}" ]; then
    foremost="bash $(cd "$TOP_SRCDIR" && pwd)/test/system/served_first.sh"
elif [ "$(nice -n "$precedence" nice 2>/dev/null)" -lt "$(nice)" ]; then
    SERVED_FIRST=yes exec setsid --wait setpriv --pdeathsig TERM nice -n "$precedence" \
        bash "$TOP_SRCDIR/test/system/served_first.sh" bash "$0"
else
    foremost=
fi
