# The programs under valgrind, with an exit status that counts: no invalid access, nothing used
# that was never set, no memory lost for good. With VALGRIND=all the unit tests as well, each
# test's process by itself: Criterion would hide what valgrind says of them.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need valgrind
make_archive=$TOP_BUILDDIR/test/data/make_archive

# libotf2 loses memory of its own when it meets damaged files.
cat >otf2.supp <<'SUPPRESSION'
{
   libotf2-leaks
   Memcheck:Leak
   ...
   fun:OTF2_*
}
{
   libotf2-leaks-inside
   Memcheck:Leak
   ...
   fun:otf2_*
}
SUPPRESSION

# checked STATUS COMMAND...: its output is in out; what valgrind says in a file per process.
checked() {
    local wanted=$1 status=0
    shift
    rm -f valgrind.*
    timeout 300 valgrind -q --trace-children=$children --trace-children-skip='*/sh' \
        --leak-check=full \
        --errors-for-leak-kinds=definite --show-leak-kinds=definite --error-exitcode=99 \
        --suppressions=otf2.supp --log-file=valgrind.%p "$@" </dev/null >out 2>err || status=$?
    [ "$status" = "$wanted" ] || wrong "$*: exit $status, not $wanted: $(head -5 err)"
    [ -z "$(cat valgrind.*)" ] || wrong "$*: $(cat valgrind.* | head -40)"
    runs=$((runs + 1))
}
runs=0
children=no # but Criterion's: the loader, which mpiwatch-record asks, is not clean itself

# --- mpiwatch-analyze ----------------------------------------------------------------------

"$make_archive" comms comms
"$make_archive" nested nested
"$python" -c 'import shutil; shutil.make_archive("comms", "zip", "comms")'
while read -r line; do
    # shellcheck disable=SC2086
    checked 0 "$analyze" $line comms.zip
    json=--json
    case $line in
    *--html* | export*) json= ;; # the page holds the JSON itself, and export prints nothing
    esac
    # shellcheck disable=SC2086
    checked 0 "$analyze" $line $json nested
done < <("$python" -B "$TOP_SRCDIR/test/system/commands.py" "$analyze")
head -c 1000 comms.zip >cut.zip
checked 3 "$analyze" cut.zip
cp -r nested damaged
truncate -s 40 damaged/traces/0.evt
checked 3 "$analyze" damaged
checked 3 "$analyze" validate damaged
checked 2 "$analyze" no-command no-archive no-third

# --- the others -----------------------------------------------------------------------------

for mpi in $(built_mpis); do
    dies=$TOP_BUILDDIR/test/system/dies-$mpi
    rm -rf "${spools:?}"/*
    status_of run_mpi "$mpi" 2 "$record" -o died.otf2.zip "$dies" SIGKILL 0 10 >status
    checked 4 "$TOP_BUILDDIR/mpiwatch-recover" --force -o "$mpi.otf2.zip" "$spools"
    checked 4 "$analyze" "$mpi.otf2.zip"
    checked 0 "$record" --dry-run "$dies"
done
checked 125 "$record" -o x --max-spool=nonsense /bin/true

# --- unit tests -------------------------------------------------------------------------------

if [ "${VALGRIND-}" = all ]; then
    children=yes
    for test in "$TOP_BUILDDIR"/test/unit/*/*_test; do
        checked 0 "$test" -j1
    done
fi
echo "$runs runs under valgrind"
finish
