# The page of report --html in Chromium: every section shows the numbers of the JSON report,
# charts zoom together, nothing is asked of a network, light, dark, without its script, printed.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/browser.sh"

# is_below PAGE BYTES: it is so large, and shows what was around the longest waits.
is_below() {
    [ "$(grep -c 'class="chart closeup"' "$1")" = 4 ] || fail "$1 has not four close-ups"
    [ "$(wc -c <"$1")" -le "$2" ] || fail "$1 has $(wc -c <"$1") bytes, and not $2 at most"
}
# It stays below 1 MB at 1024 ranks, below 300 kB at 4; of a program with many lines and variables,
# too.
"$TOP_BUILDDIR/test/bench/generate" many 1024 100000 >/dev/null
"$analyze" report --html many.html many
is_below many.html 1000000
"$TOP_BUILDDIR/test/bench/generate" four 4 100000 >/dev/null
"$analyze" report --html four.html four
is_below four.html 300000
# What is around the longest waits is the same, whether it is read from the beginning or from quiet
# places before.
XDG_CACHE_HOME=$scratch/cache "$TOP_BUILDDIR/test/data/keep_blocks" four >said
XDG_CACHE_HOME=$scratch/cache "$analyze" report -q --html quiet.html four
cmp four.html quiet.html || fail "read from quiet places, the page says something else: $(cat said)"
mpi=$(mpis | head -1)
if [ "$mpi" = openmpi ] && command -v lmp >/dev/null; then # LAMMPS is one of Open MPI here
    run_mpi openmpi 4 "$record" -q -o lammps.otf2.zip lmp \
        -in "$TOP_SRCDIR/examples/lennard-jones.in" -log none -var steps 300 >said 2>&1 ||
        fail "recording LAMMPS: $(cat said)"
    "$analyze" report --html lammps.html lammps.otf2.zip
    is_below lammps.html 300000
fi
[ "$(grep -c 'rank 1000' many.html)" -ge 1 ] ||
    fail "the page of 1024 ranks does not show rank 1000"
rm -rf many

# The first line has which MPI it was, and the settings all that it says of itself.
"$TOP_BUILDDIR/test/data/make_archive" names named
cat >named/mpiwatch.json <<'JSON'
{"schema": "mpiwatch-archive/1", "complete": true, "ranks_expected": 4,
 "mpi_library": "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4"}
JSON
"$analyze" report -q --html named.html named
assert_matches "$(cat named.html)" '<p class="facts">.*<span>Open MPI v4\.1\.4</span></p>'
assert_contains "$(cat named.html)" "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"

has_browser || skip "no chromium with chromedriver and python3-selenium here"

# A browser keeps files at home.
"$TOP_BUILDDIR/test/data/make_archive" names run
cat >run/mpiwatch.json <<'JSON'
{"schema": "mpiwatch-archive/1", "complete": true, "ranks_expected": 4,
 "program": "./<img src=x onerror=window.hostile=1>",
 "mpi_library": "</title><script>window.hostile=1",
 "recorder": "\"><b>", "settings": {"</dd><script>": "<script>window.hostile=1</script>"}}
JSON
"$analyze" report --json -o report.json run
"$analyze" report --html page.html run 2>said
grep -q '^mpiwatch-analyze: page.html: .* kB; open with: xdg-open page.html$' said ||
    fail "when the page is written it says: $(cat said)"
"$analyze" report -q --html page.html run 2>said
[ -s said ] && fail "with -q it says: $(cat said)"
"$TOP_BUILDDIR/test/data/make_archive" waits_messages waits
"$analyze" report -q --html waits.html waits
"$TOP_BUILDDIR/test/data/make_archive" nested nested
"$analyze" report -q --html nested.html nested
timeout 240 "$python" -B "$TOP_SRCDIR/test/system/page.py" "$scratch/page.html" report.json \
    "$scratch/many.html" "$scratch/waits.html" "$scratch/nested.html" ||
    fail "the page in the browser"
[ -z "${KEEP_PAGES-}" ] || cp page.html ./*.png page.pdf "$KEEP_PAGES"
