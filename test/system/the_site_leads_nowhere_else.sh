# make html: a site with every manual page, the tutorial and the page of each of its runs, in which
# every link leads to a page that is there, and which needs nothing else.
. "$TOP_SRCDIR/test/system/lib.sh"
need mandoc lowdown
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2 here"

MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" html >log 2>&1 || fail "make html: $(tail -5 log)"
site=$TOP_BUILDDIR/html
for page in "$TOP_SRCDIR"/recorder/man/*.[1-9] "$TOP_SRCDIR"/analyzer/man/*.[1-9] \
    "$TOP_BUILDDIR"/analyzer/man/mpiwatch-analyze.1; do
    name=${page##*/}
    grep -q '^\.so ' "$page" || [ "$name" = mpiwatch-tutorial.7 ] || {
        [ -s "$site/$name.html" ] || fail "$name is not in the site"
        assert_contains "$(cat "$site/index.html")" "href=\"$name.html\""
    }
done
"$python" - "$site" <<'PYTHON' || fail "the site is not sound"
import html.parser
import pathlib
import sys

site, wrong, links = pathlib.Path(sys.argv[1]), 0, 0


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.leads = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        words = dict(attributes)
        if "id" in words:
            self.names.add(words["id"])
        for key in ("href", "src"):
            if not (words.get(key) or "data:").startswith("data:"):
                self.leads.append(words[key])


pages = {path.name: Page(path) for path in site.glob("*.html")}
for name, page in pages.items():
    for lead in page.leads:
        file, _, place = lead.partition("#")
        links += 1
        if file and not (site / file).is_file():
            wrong += print(name, "leads to", lead) or 1
        elif place and (file or name) in pages and place not in pages[file or name].names:
            wrong += print(name, "leads to no", lead) or 1
assert len(pages) > 24, sorted(pages)
assert links > 100, links
sys.exit(wrong > 0)
PYTHON
for page in "$site"/mpiwatch*.html; do
    [ "${page##*/}" = mpiwatch-tutorial.html ] || assert_contains "$(cat "$page")" 'id="NAME"'
done
