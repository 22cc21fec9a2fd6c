# The options that mpiwatch-record --help lists are those of its manual and of its
# completion: no more, no fewer, with the same short letters.
. "$TOP_SRCDIR/test/system/lib.sh"

# options: the options in a text, one a line: "-o --output", "--force".
"$record" --help >help
grep -oE '^ +(-., )? *--[a-z-]+' help | tr -d ' ' | tr , ' ' | sort >of_help
[ "$(wc -l <of_help)" -ge 19 ] || fail "--help lists few options"

manual=$TOP_SRCDIR/recorder/man/mpiwatch-record.1
sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$manual" | grep -A1 '^\.TP' | grep -v '^\.TP\|^--$' |
    sed 's/\\-/-/g; s/" *, *"/ /g; s/^\.B[IR]* *//; s/=.*//; s/\\f.*//' | tr -d '"' |
    tr -s ' ' | sed 's/ $//' | sort >of_manual
assert_equal "$(tr -d ' ' <of_help)" "$(tr -d ' ' <of_manual)" "the options in the manual"

# The completion offers what it is asked for.
cat >ask <<'SCRIPT'
. "$1/completions/mpiwatch-record.bash"
shift
COMP_WORDS=(mpiwatch-record "$@")
COMP_CWORD=$#
_mpiwatch_record
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
ask() {
    bash ask "$TOP_BUILDDIR" "$@"
}
assert_equal "$(grep -oE -- '--[a-z-]+' of_help | sort)" \
    "$(ask -- | tr -d = | sort)" "the long options that completion offers"
assert_equal "$(grep -oE -- '^-[^-]' of_help | sort)" \
    "$(ask - | grep -v '^--' | sort)" "the short options that completion offers"
assert_equal "openmpi" "$(ask --force --mpi = o)" "--mpi=o"
assert_equal "directory" "$(ask --format d)" "--format d"
touch libmpiwatch-openmpi.so
assert_equal "$("$record" --env --mpi openmpi -e all --libdir "$scratch" |
    sed -n "s/.*EVENTS='\(.*\)'/\1/p" | tr , '\n' | sort)" \
    "$(ask -e '' | grep -vE '^(all|default)$' | sort)" "the groups"

# After the options it is the program's turn, even for a word like an option.
touch some_program some_file
assert_contains "$(ask -o out -q some_p)" "some_program"
assert_contains "$(ask ./some_program some_f)" "some_file"

# What README and mpiwatch(7) both tell is the same: which MPIs there are, and what recording costs
# beyond the table of README, whose rows are without it.
overview=$(tr '\n' ' ' <"$TOP_SRCDIR/recorder/man/mpiwatch.7" | sed 's/\\-/-/g')
readme=$(tr '\n' ' ' <"$TOP_SRCDIR/README.md")
for fact in "works with Open MPI 4.1 and 5, MPICH 4.0 and 4.2" "take 70 to 105 ns more"; do
    assert_contains "$readme" "$fact"
    assert_contains "$overview" "$fact"
done
# Every status of mpiwatch-analyze is there, and the way to every page of the manual.
"$analyze" --help >help
for status in $(sed -n '/^Exit status/,$p' help | grep -oE '\b[0-4] [a-z]' | cut -c 1); do
    assert_matches "$overview" "^.*mpiwatch-analyze +ends with .*\b$status (when|if)"
done
for page in "$TOP_SRCDIR"/recorder/man/*-*.1 "$TOP_SRCDIR"/analyzer/man/mpiwatch-*.[17]*; do
    page=$(basename "$page" .in)
    assert_contains "${overview##*SEE ALSO}" ".BR ${page%.*} (${page##*.})"
done
# An archive that README shows has the name that the command above it gives.
shown=$(sed -n 's|^    mpiwatch: /.*/\([^/ ]*\): .*|\1|p' "$TOP_SRCDIR/README.md")
[ -n "$shown" ] || fail "README shows no archive"
assert_contains "$(cat "$TOP_SRCDIR/README.md")" "mpiwatch-record -o $shown "
