# mpiwatch-tutorial(7): each of its screens is what mpiwatch-analyze prints of that run now, each
# fault has a section in the manual page, and the page of make html its picture.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

folder=$TOP_SRCDIR/analyzer/man
tutorial() {
    "$python" -B "$folder/tutorial.py" "$1" "$2" "$analyze" "$TOP_SRCDIR/test/system/planted.py" \
        "${@:3}"
}
tutorial check "$folder/mpiwatch-tutorial.md" >changes ||
    fail "its screens are others now (make update-tutorial): $(cat changes)"

# What is not so any more is found.
sed 's/up to 2.00 ms of 3.01 ms/up to 2.00 ms of 3.02 ms/' "$folder/mpiwatch-tutorial.md" >old.md
assert_equal 1 "$(status_of tutorial check "$scratch/old.md")" "an old screen"
cp "$scratch/old.md" new.md
tutorial update new.md
cmp new.md "$folder/mpiwatch-tutorial.md" || fail "it is not put right again"

sed -n 's/^!\[.*(\([a-z_]*\)\.svg)$/\1/p' "$folder/mpiwatch-tutorial.md" >faults
[ "$(wc -l <faults)" -ge 11 ] || fail "only $(wc -l <faults) faults"
while read -r fault; do
    grep -q "\"$fault\": " "$TOP_SRCDIR"/test/system/planted*.py || fail "nobody plants $fault"
    grep -q "^\$ mpiwatch-analyze $fault\.otf2$" "$folder/mpiwatch-tutorial.md" ||
        fail "no screen of $fault"
done <faults
page=$TOP_BUILDDIR/analyzer/man/mpiwatch-tutorial.7
[ -e "$page" ] || page=$folder/mpiwatch-tutorial.7
sed -n 's/^## //p' "$folder/mpiwatch-tutorial.md" | while read -r section; do
    grep -qF "$section" "$page" || fail "mpiwatch-tutorial(7) lacks $section"
done
if command -v groff >/dev/null; then
    # Nothing is cut at 80 columns: screens stand in it line by line.
    MANWIDTH=80 groff -man -t -k -Tutf8 -P-cbou "$page" >shown
    assert_contains "$(cat shown)" '$ mpiwatch-analyze imbalance.otf2'
    assert_equal 0 "$(awk 'length > 80' shown | wc -l)" "lines that are too long"
fi

command -v lowdown >/dev/null || skip "no lowdown here: the page with pictures is not made"
mkdir site
tutorial html "$folder/mpiwatch-tutorial.md" lowdown site
page=site/mpiwatch-tutorial.html
assert_equal "$(wc -l <faults)" "$(grep -c '<svg ' $page)" "pictures"
while read -r fault; do
    grep -q "href=\"$fault.html\"" $page || fail "nothing leads to the page of $fault"
    grep -q "$fault\.otf2" "site/$fault.html" || fail "no page of $fault"
done <faults
grep -qE 'src=|<script|href="http' $page && fail "it needs something else"
"$python" - <<'PYTHON' || fail "its pictures are not sound"
import re
import xml.etree.ElementTree as tree
page = open("site/mpiwatch-tutorial.html").read()
for svg in re.findall("<svg .*?</svg>", page, re.S):
    assert len(list(tree.fromstring(svg))) > 8
assert "wait at NxN" in page and "```" not in page
PYTHON
