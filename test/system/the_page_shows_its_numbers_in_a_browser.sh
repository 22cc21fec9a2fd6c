# The page of report --html in Chromium: every section shows the numbers of the JSON report,
# charts zoom together, nothing is asked of a network, light, dark, without its script, printed.
. "$TOP_SRCDIR/test/system/lib.sh"

# It stays below 1 MB at 1024 ranks.
"$TOP_BUILDDIR/test/bench/generate" many 1024 100000 >/dev/null
"$analyze" report --html many.html many
[ "$(wc -c <many.html)" -lt 1000000 ] || fail "the page of 1024 ranks has $(wc -c <many.html) bytes"
[ "$(grep -c 'rank 1000' many.html)" -ge 1 ] ||
    fail "the page of 1024 ranks does not show rank 1000"
rm -rf many

chromium=$(command -v chromium || true)
driver=$(command -v chromedriver || true)
[ -n "$chromium" ] && [ -n "$driver" ] || skip "no chromium with chromedriver here"
"$python" -c 'import selenium' 2>/dev/null || skip "no python3-selenium here"

# A browser keeps files at home.
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home XDG_CACHE_HOME=$scratch/home
mkdir "$HOME"
"$TOP_BUILDDIR/test/data/make_archive" names run
cat >run/mpiwatch.json <<'JSON'
{"schema": "mpiwatch-archive/1", "complete": true, "ranks_expected": 4,
 "program": "./<img src=x onerror=window.hostile=1>",
 "mpi_library": "</title><script>window.hostile=1",
 "recorder": "\"><b>", "settings": {"</dd><script>": "<script>window.hostile=1</script>"}}
JSON
"$analyze" report --json -o report.json run
"$analyze" report --html page.html run
timeout 240 "$python" -B "$TOP_SRCDIR/test/system/page.py" "$scratch/page.html" report.json \
    "$chromium" "$driver" || fail "the page in the browser"
[ -z "${KEEP_PAGES-}" ] || cp page.html ./*.png page.pdf "$KEEP_PAGES"
