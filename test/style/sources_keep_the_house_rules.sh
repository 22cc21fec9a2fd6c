# What CONTRIBUTING.md asks of every source file and a pattern can see.
. "$TOP_SRCDIR/test/style/findings.sh"

all=$(find formats recorder analyzer examples test -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' -o -name '*.mk' \))
c_files=$(sources formats recorder analyzer examples test)
headers=$(find formats recorder analyzer -name '*.h' -type f)
libraries=$(sources formats recorder analyzer | grep -vE '/main[^/]*\.c$')

# Form.
report "$(matches '^.{101,}$' $all)"
report "$(matches '[[:blank:]]+$' $all)"
report "$(matches $'\r$' $all)"
report "$(matches $'\t' $c_files)"
for file in $all; do
    [ -z "$(tail -c 1 "$file")" ] || report "$file: no newline at the end"
done
report "$(grep -LE '^#ifndef MW[A-Z0-9_]*_H$|^#pragma once$' $headers /dev/null |
    grep -vE '/dev/null|recorder/include/' || true)"

# Texts have lines as sources do, but for tables and screens. What they refer to is there.
texts=$(find README.md CONTRIBUTING.md formats recorder analyzer examples test -name '*.md' -type f)
report "$(matches '^.{101,}$' $texts | grep -vE '^[^:]*:[0-9]+:([|]|    )' || true)"
for file in $texts; do
    for target in $(grep -oE '\]\([A-Za-z0-9_./-]+\.md' "$file" | cut -c 3-); do
        [ -e "$(dirname "$file")/$target" ] || report "$file: refers to $target, which is not there"
    done
done

# Pages are for people to read, too: lintian takes one with lines of more than 512 for one that a
# program has written, whose source is missing.
pages=$(find analyzer -name '*.html' -o -name '*.css' -o -name '*.js')
report "$(awk 'length > 400 { print FILENAME ":" FNR ": " length " columns" }' $pages)"

# Each source says near its top why it exists, or what is not obvious about how it does it.
for file in $(find formats recorder analyzer -name '*.c' -type f | sort); do
    head -n 15 "$file" | grep -q '/\*' || report "$file: no word on its why near the top"
done

# State outside of functions says above it who writes it and when. Variables that stand
# together share a comment. A pointer to what is constant is state, a constant is not. What is
# linked into all programs has none.
qualified='(static |__thread |_Thread_local |const |struct |enum )*'
report "$(awk -v variable="^$qualified[a-zA-Z_0-9]+ [*]*[a-z_0-9]+([[]|;| =)" '
    FNR == 1 { said = 0 }
    /^(extern|typedef|((struct|enum) [a-z_0-9]+;))/ || /^static const [^*]*$/ || /\*const / ||
    /^(static )?const (struct )?[a-z_0-9]+ [a-z_]/ { said = 0; next }
    $0 ~ variable || /^static struct \{/ {
        if (FILENAME ~ /^formats/) { print FILENAME ":" FNR ": state: " $0 }
        if (!said) { print FILENAME ":" FNR ": nobody says who writes it: " $0 }
        next
    }
    { said = /\*\/$/ }
' $(find formats recorder analyzer -name '*.c' -type f | sort))"

# A compiler may be two words: "ccache gcc".
report "$(matches '"\$\{?CC[:}"]' $(find test -name '*.sh'))"

# Things that were meant to be finished, in words that do not match this file itself.
report "$(matches '\b(TO''DO|FIX''ME|XX''X|HA''CK)\b' $all bootstrap configure.ac Makefile.am)"

# Functions that C has better ones for.
banned='strcpy|strcat|stpcpy|sprintf|vsprintf|gets|strtok|atoi|atol|atoll|atof|tmpnam|tempnam'
banned="$banned|mktemp|alloca"
report "$(matches "(^|[^A-Za-z0-9_])($banned)[[:blank:]]*\(" $(sources formats recorder analyzer))"

# A library neither ends the process nor speaks; formats/ prints nothing at all.
report "$(matches '(^|[^A-Za-z0-9_])(exit|abort)[[:blank:]]*\(' $libraries)"
speaking='printf|puts|putchar|perror|vprintf'
report "$(matches "(^|[^A-Za-z0-9_])($speaking)[[:blank:]]*\(" $(sources formats))"
report "$(matches '[(,] *(stdout|stderr)[,)]' $(sources formats))"
finish
