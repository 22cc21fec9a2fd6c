# No function over 100 lines, no file over 600; the median function has at most 15 and nine
# of ten have at most 50. Needs Universal Ctags for the functions.
. "$TOP_SRCDIR/test/style/findings.sh"

files=$(sources formats recorder analyzer)
report "$(wc -l $files | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }')"

if ! ctags --version 2>/dev/null | grep -q Universal; then
    finish
    skip "no Universal Ctags to measure functions with"
fi
lengths=$(ctags -x --c-kinds=f --_xformat='%{line} %{end} %F %N' $files |
    awk '{ print $2 - $1 + 1, $3, $4 }' | sort -n)
report "$(echo "$lengths" | awk '$1 > 100 { print $2 ": " $3 " has " $1 " lines" }')"
echo "$lengths" | awk '{ length_of[NR] = $1 }
    END {
        median = length_of[int((NR + 1) / 2)]; ninth = length_of[int(NR * 0.9)]
        print NR " functions: median " median ", 90th percentile " ninth ", longest " length_of[NR]
        exit median > 15 || ninth > 50
    }' || report "functions are too long in general"
finish
