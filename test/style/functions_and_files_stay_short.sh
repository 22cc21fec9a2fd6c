# No function over 100 lines, no file over 600, in tests, examples and scripts neither; the median
# function of the sources has at most 15 and nine of ten have at most 50. Needs Universal Ctags for
# the functions of C and Python.
. "$TOP_SRCDIR/test/style/findings.sh"

files=$(sources formats recorder analyzer)
others=$(find analyzer completions examples packaging python recorder test -type f \
    \( -name '*.py' -o -name '*.sh' -o -name '*.js' \) -o -path 'test/*.[ch]' -o \
    -path 'examples/*.[ch]' | sort)
report "$(wc -l $files $others | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }')"

# A shell's function ends with the first line that closes something and is not indented.
report "$(awk 'FNR == 1 { name = "" }
    /^[a-z_0-9]+\(\) *[{(]$/ { name = $1; line = FNR }
    /^[})]/ && name {
        if (FNR - line >= 100) { print FILENAME ": " name " has " FNR - line + 1 " lines" }
        name = ""
    }' $(echo "$others" | grep '\.sh$'))"

# lengths FILE...: of each function of C or Python, with its file and name, the longest one last.
lengths() {
    ctags -x --c-kinds=f --python-kinds=fm --languages=C,C++,Python \
        --_xformat='%{line} %{end} %F %N' "$@" | awk '{ print $2 - $1 + 1, $3, $4 }' | sort -n
}

if ! ctags --version 2>/dev/null | grep -q Universal; then
    finish
    skip "no Universal Ctags to measure functions with"
fi
of_sources=$(lengths $files)
report "$( (echo "$of_sources" && lengths $(echo "$others" | grep -vE '\.(sh|js)$')) |
    awk '$1 > 100 { print $2 ": " $3 " has " $1 " lines" }')"
echo "$of_sources" | awk '{ length_of[NR] = $1 }
    END {
        median = length_of[int((NR + 1) / 2)]; ninth = length_of[int(NR * 0.9)]
        print NR " functions: median " median ", 90th percentile " ninth ", longest " length_of[NR]
        exit median > 15 || ninth > 50
    }' || report "functions are too long in general"
finish
