# Every option that a program's --help lists is in its manual page, and the other way round; so is
# every command, with what its help says.
. "$TOP_SRCDIR/test/system/lib.sh"

pages=$(find "$TOP_SRCDIR/recorder" "$TOP_SRCDIR/analyzer/man" "$TOP_BUILDDIR/analyzer" \
    -name 'mpiwatch-*.1')
[ -n "$pages" ] || fail "there are no manual pages"
for page in $pages; do
    program=$(basename "$page" .1)
    [ -x "$TOP_BUILDDIR/$program" ] || [ "$program" != mpiwatch-view ] || continue # not built
    "$TOP_BUILDDIR/$program" --help >help
    grep -oE '^ +(-., )? *--[a-z-]+' help | grep -oE -- '--[a-z-]+' | sort -u >of_help
    [ "$(wc -l <of_help)" -ge 3 ] || fail "$program --help lists few options"
    # An option has a line of its own after .TP, but for examples; --version is \-\-version there.
    sed '/^\.SH EXAMPLES/,/^\.SH /d' "$page" | grep -A1 '^\.TP' | sed 's/\\-/-/g' |
        grep '^\.[BI]' | grep -oE -- '--[a-z][a-z-]*' | sort -u >of_manual
    assert_equal "$(cat of_help)" "$(cat of_manual)" "the options in the manual of $program"
    # No indent stands before the line before, wherever what prints it has to stop.
    assert_equal "" "$(grep -E '^ +$|^ {25,}--' help)" "indents of $program --help"
done

# A command's help is its usage, a sentence or more, and its options.
page=$TOP_BUILDDIR/analyzer/man/mpiwatch-analyze.1
commands=$("$analyze" --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p' | grep -v '^help$')
[ "$(echo "$commands" | wc -l)" -ge 19 ] || fail "few commands: $commands"
for command in $commands; do
    said=$("$analyze" help "$command" | sed '1d; /^$/,$d' | tr -d ' \n')
    [ "${#said}" -gt 30 ] || fail "$command has no help"
    grep -A1 "^\.BI $command \"" "$page" | sed '1d; s/\\-/-/g' | tr -d ' \n' >of_manual
    assert_equal "$said" "$(cat of_manual)" "$command in the manual"
done
