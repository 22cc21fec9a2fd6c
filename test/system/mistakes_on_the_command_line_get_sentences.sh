# -h, --help and help COMMAND explain on the standard output; what is wrong with a command line or
# with a file that is no archive is a sentence, with what was meant, and the status of the manual.
. "$TOP_SRCDIR/test/system/lib.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
vars=$TOP_BUILDDIR/mpiwatch-vars

for program in "$analyze" "$record" "$recover" "$vars"; do
    for option in -h '-?' --help; do
        assert_equal 0 "$(status_of "$program" $option)" "$program $option"
        assert_empty stderr
        assert_contains "$(cat stdout)" "Usage: ${program##*/}"
    done
    for option in --usage --version; do
        assert_equal 0 "$(status_of "$program" $option)" "$program $option"
        assert_empty stderr
        assert_contains "$(cat stdout)" "${program##*/} "
    done
done

# A command's help is the same in all ways, and lists what it takes and nothing else.
"$analyze" waits --help >waits.help
for words in "help waits" "waits -h" "--help waits"; do
    # shellcheck disable=SC2086 # two words
    "$analyze" $words | cmp - waits.help || fail "$words"
done
assert_contains "$(cat waits.help)" "--top=N"
for option in bins perfetto series weak html max=; do
    assert_lacks "$(cat waits.help)" "--$option"
done
assert_contains "$("$analyze" help)" "timeline: in N equal parts"
# Options are in the order of the alphabet: none can be told as "the same" as the one before it,
# but where that is next to it there, too (--folded, --folded-waits).
assert_equal "" "$("$analyze" waits --help | grep -i ' the same')" "what is the same"
assert_contains "$("$analyze" waits --help)" "As --no-cache, and remove what is kept"
"$analyze" help --help | cmp - <("$analyze" --help) || fail "help --help"
assert_contains "$("$analyze" help help)" "Usage: mpiwatch-analyze help [COMMAND]"
assert_contains "$("$analyze" export --help)" "--csv=DIR"
assert_lacks "$("$analyze" calls --help)" "--csv=DIR"

# says STATUS SENTENCE COMMAND...
says() {
    local wanted=$1 sentence=$2
    shift 2
    assert_equal "$wanted" "$(status_of "$@")" "$*: $(cat stderr)"
    assert_contains "$(cat stderr)" "$sentence"
    assert_empty stdout
}
says 2 'no option --jsn; did you mean --json?' "$analyze" calls --jsn x
says 2 'no option --zzz' "$analyze" --zzz x
assert_lacks "$(cat stderr)" "did you mean"
says 2 'no option -k' "$analyze" -k x
says 2 'messages does not take --from' "$analyze" messages --from=1s x
says 2 'messages does not take --from' "$analyze" --from 1s messages x
# Who confuses commands, or an option with a command, learns which ones take it.
says 2 'report does not take --ranks (export: only these ranks, such as 0-3,8)' "$analyze" --ranks x
says 2 'timeline does not take --top (mistakes, waits: show the N longest, or first)' \
    "$analyze" timeline --top=3 x
says 2 'check does not take --debug-dir (all but compare, check, validate, schema: look up' \
    "$analyze" check --debug-dir=. x
# Whoever does without the cache may say so of any archive.
for command in calls hang imbalance counters validate; do
    says 3 'cannot open' "$analyze" "$command" --no-cache ./not-there
done
# An option of another command is no abbreviation: --max is of check, and here not --max-memory.
says 2 'calls does not take --max (check: ' "$analyze" calls --max=x x
says 2 'calls does not take --max (check: ' "$analyze" --max x calls x
says 2 '--max-memory: "x" is not a size from 16M on' "$analyze" calls --max-m=x x
says 2 'there is no option --ma; did you mean --max-memory?' "$analyze" calls --ma=x x
says 2 'export does not take --output' "$analyze" export -o x --chrome y z
says 2 'report does not take --csv' "$analyze" --csv x
says 2 '--json takes no value' "$analyze" --json=yes x
says 2 '--rank needs N' "$analyze" waits x --rank
says 2 '--rank: "x" is not a number from 0' "$analyze" waits --rank x y
says 2 '--m may be any of --mpi, --max, --min, --max-memory' "$analyze" check --m a=1 x
says 2 '--json and --csv exclude each other' "$analyze" calls --csv --json x
says 2 '--html and --json exclude each other' "$analyze" --html x --json y
says 2 'export needs --perfetto, --chrome, --paraver, --folded, --folded-waits, --otf2 or --csv' \
    "$analyze" export x
says 2 'check needs --max, --min, --limits, --baseline or --keys' "$analyze" check x
says 2 'did you mean calls?' "$analyze" callz
says 2 'did you mean waits?' "$analyze" help wats
# Of a short name two letters stay what they are: of "pop" one is another at most.
says 2 'did you mean pop?' "$analyze" help pup
says 2 'did you mean sites?' "$analyze" help sights
says 2 'there is no command "foo"' "$analyze" help foo
assert_lacks "$(cat stderr)" "did you mean"
says 2 'no archive is named' "$analyze" calls
# An option that takes a file has taken the archive; one that is not there may be the output.
touch made.otf2.zip
says 2 'no archive is named: --html takes the file that it writes, and has "made.otf2.zip"' \
    "$analyze" report --html made.otf2.zip
says 2 'no archive is named: --perfetto takes the file that it writes, and has "made.otf2.zip"' \
    "$analyze" export --perfetto made.otf2.zip
says 2 'no archive is named' "$analyze" report --html page.html
assert_lacks "$(cat stderr)" "takes the file"
for program in record recover top vars view; do
    says 2 "\"$program\" is neither a command nor an archive that is there; did you mean \
mpiwatch-$program?" "$analyze" $program x
    [ -x "$TOP_BUILDDIR/mpiwatch-$program" ] || fail "there is no mpiwatch-$program"
done
says 2 '"frobnicate" is neither a command nor an archive that is there' "$analyze" frobnicate x
says 2 '"x" is one word too many; the archive is "y"' "$analyze" calls y x
says 2 'compare needs two archives or more' "$analyze" compare x
assert_contains "$(cat stderr)" "Try mpiwatch-analyze compare --help"
says 125 'is linked with no MPI; if it loads one when it runs, or starts mpirun itself, say which' \
    "$record" ls
says 125 'no option --evnts; did you mean --events?' "$record" --evnts=p2p ls
says 125 '--max-spool: "much" is not a size such as' "$record" --max-spool=much ls
says 2 'did you mean --remove?' "$recover" --remov-e x
says 2 '--format: "tar" is not zip or directory' "$recover" --format tar x
says 2 'did you mean --cvars?' "$vars" --cvar-s
says 2 '--mpi: "lam" is not openmpi, mpich or abi' "$vars" --mpi=lam

# Abbreviations are of the command's own options; an option has its value behind it or behind "=".
"$TOP_BUILDDIR/test/data/make_archive" plain plain
assert_equal 0 "$(status_of "$analyze" dump --ra 1 plain)" "--ra of dump: $(cat stderr)"
cp stdout by_letters
"$analyze" plain dump --rank=1 | cmp - by_letters || fail "the archive before the command"
"$analyze" dump --rank 1 -- plain | cmp - by_letters || fail "behind --"
assert_equal 0 "$(status_of "$analyze" export --csv tables plain)" "export --csv: $(cat stderr)"
assert_equal 0 "$(status_of "$analyze" --csv=more export plain)" "--csv=: $(cat stderr)"
assert_file more/calls.csv
# What a command says that it prints it does print.
for command in $("$analyze" help | sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    words=$command
    [ $command != check ] || words="check --min info.ranks=1"
    [ $command != compare ] || words="compare plain"
    [ $command != help ] && [ $command != export ] || continue
    for format in --csv --json; do
        "$analyze" $command --help | grep -q -- " $format " || continue
        # shellcheck disable=SC2086 # words
        assert_equal 0 "$(status_of "$analyze" $words $format plain)" "$words $format"
        assert_matches "$(cat stdout)" '^[a-z]+,[a-z_,]+|^\{'
        printed=$((${printed-0} + 1))
    done
done
[ "$printed" -ge 28 ] || fail "few commands print tables and JSON: $printed"
# An archive may be called like a command.
cp -r plain calls
assert_equal 0 "$(status_of "$analyze" calls calls)" "calls calls"
"$analyze" calls >report
assert_contains "$(cat report)" "verdict"

# Two outputs have one name, also with a slash at its end: nothing is written.
for directory in both both/; do
    assert_equal 2 "$(status_of "$analyze" export --csv=$directory --otf2=both plain)" "two outputs"
    assert_contains "$(cat stderr)" "two outputs have the same name"
    [ ! -e both ] || fail "something is written: $(ls both)"
done
