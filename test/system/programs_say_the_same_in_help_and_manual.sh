# Every option that a program's --help lists is in its manual page, and the other way round.
. "$TOP_SRCDIR/test/system/lib.sh"

pages=$(find "$TOP_SRCDIR/recorder" "$TOP_SRCDIR/analyzer" -name 'mpiwatch-*.1')
[ -n "$pages" ] || fail "there are no manual pages"
for page in $pages; do
    program=$(basename "$page" .1)
    "$TOP_BUILDDIR/$program" --help >help
    grep -oE '^ +(-., )? *--[a-z-]+' help | grep -oE -- '--[a-z-]+' | sort -u >of_help
    [ "$(wc -l <of_help)" -ge 3 ] || fail "$program --help lists few options"
    # An option has a line of its own after .TP; --version in the manual is \-\-version.
    grep -A1 '^\.TP' "$page" | sed 's/\\-/-/g' | grep '^\.[BI]' |
        grep -oE -- '--[a-z][a-z-]*' | sort -u >of_manual
    assert_equal "$(cat of_help)" "$(cat of_manual)" "the options in the manual of $program"
done
