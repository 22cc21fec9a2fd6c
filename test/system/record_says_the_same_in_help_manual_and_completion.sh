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
