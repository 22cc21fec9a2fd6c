# mpiwatch-record hands its options over as variables, puts its library before what is in
# LD_PRELOAD, and becomes the program: same process, same arguments, same status.
. "$TOP_SRCDIR/test/system/lib.sh"

# A library that can be preloaded anywhere, since the programs here are no MPI programs.
printf 'int mpiwatch_test_library;\n' >library.c
$CC -shared -fPIC -o libmpiwatch-openmpi.so library.c
$CC -shared -fPIC -o other.so library.c
export MPIWATCH_LIBDIR=$scratch

cat >show <<'SCRIPT'
#!/bin/sh
echo "pid $$"
for word; do echo "word <$word>"; done
env | grep -E '^(MPIWATCH_|LD_PRELOAD=)' | sort
exit 7
SCRIPT
chmod +x show

status=0
MPIWATCH_EVENTS=all LD_PRELOAD=$scratch/other.so "$record" --mpi openmpi -o sub.zip -z 9 -v \
    --max-spool 2M --start-paused ./show -o 'a b' '' >shown &
wait $! || status=$?
assert_equal 7 "$status" "the program's status"
assert_equal "pid $!" "$(sed -n 1p shown)" "the process"
assert_equal "word <-o>
word <a b>
word <>" "$(grep '^word' shown)" "the arguments"
assert_equal "LD_PRELOAD=$scratch/libmpiwatch-openmpi.so:$scratch/other.so
MPIWATCH_COMPRESS=9
MPIWATCH_EVENTS=all
MPIWATCH_LAUNCHED=$!:
MPIWATCH_LIBDIR=$scratch
MPIWATCH_MAX_SPOOL=2097152
MPIWATCH_OUTPUT=$scratch/sub.zip
MPIWATCH_QUIET=0
MPIWATCH_START_PAUSED=1
MPIWATCH_VERBOSE=1" "$(grep -E '^[A-Z]' shown)" "the environment"

# The command line counts more than the environment, and -q more than an earlier -v.
MPIWATCH_COMPRESS=2 "$record" --mpi openmpi -v -q -z 3 ./show >shown || true
assert_equal "MPIWATCH_COMPRESS=3" "$(grep COMPRESS shown)" "-z over the variable"
assert_equal "MPIWATCH_QUIET=1 MPIWATCH_VERBOSE=0" \
    "$(grep -E 'QUIET|VERBOSE' shown | xargs)" "-v -q"

# What --env prints is what a shell takes.
(
    eval "$("$record" --env --mpi openmpi -o "it's \$HOME" -e p2p)"
    assert_equal "$scratch/it's \$HOME" "$MPIWATCH_OUTPUT" "MPIWATCH_OUTPUT"
    assert_equal "$scratch/libmpiwatch-openmpi.so" "$LD_PRELOAD" "LD_PRELOAD"
    assert_equal "p2p" "$MPIWATCH_EVENTS" "MPIWATCH_EVENTS"
)

# The dry run runs nothing, and warns of what nobody would read.
MPIWATCH_OTPUT=x "$record" --dry-run --mpi openmpi ./show a >shown 2>said
assert_lacks "$(cat shown)" "word <a>"
assert_contains "$(cat shown)" "would run   ./show a"
assert_contains "$(cat said)" "did you mean MPIWATCH_OUTPUT?"
assert_matches "$(cat shown)" "^ +compress +1$"
