# An analysis takes the five files that CONTRIBUTING names, and has then a command with its text,
# JSON, schema, help, completion and entry in the manual, a table of export --csv and a section of
# the page. A copy of the sources is given one, of messages by tag, and built from the objects that
# there are.
. "$TOP_SRCDIR/test/system/lib.sh"
need automake make

inner=$(realpath --relative-to="$TOP_SRCDIR" "$TOP_BUILDDIR")
case $inner:$(sed -n 's/^srcdir = //p' "$TOP_BUILDDIR/Makefile") in
../* | *:/*) skip "the build directory is not inside of the sources, or not by a relative path" ;;
esac
sources="analyzer build-aux completions examples formats packaging recorder test"
# copy_into TARGET FOLDER...: these of the folder here, and its own files.
copy_into() {
    mkdir -p "$1" && find . -maxdepth 1 -type f -exec cp -p -t "$1" {} + && cp -pR -t "$@"
}
(cd "$TOP_SRCDIR" && copy_into "$scratch/tree" $sources) || fail "the sources cannot be copied"
(cd "$TOP_BUILDDIR" && copy_into "$scratch/tree/$inner" .libs analyzer formats) ||
    fail "what is built cannot be copied"
chmod -R u+w tree

# --- the five files ----------------------------------------------------------------------------
given=$TOP_SRCDIR/test/data/new_analysis
cp "$given/tags.c" "$given/tags.h" tree/analyzer/analysis/messages
cp "$given/tags_table.c" tree/analyzer/table
# before PATTERN: the lines of the input, before the first that matches in file.
before() {
    cat >lines
    awk -v pattern="$1" 'BEGIN { while ((getline line <"lines") > 0) { lines = lines line "\n" } }
        !done && $0 ~ pattern { printf "%s", lines; done = 1 } { print }' "$file" >changed
    cat changed >"$file"
}
file=tree/analyzer/analysis/analyses.def
before '^#include "analyzer/analysis/messages/traffic' <<'ROWS'
#include "analyzer/analysis/messages/tags.h"
ROWS
before '^ANALYSIS\(COMMS' <<'ROWS'
ANALYSIS(TAGS, tags, struct mwa_tags, 0, EVENTS(mwa_tags_analysis), MW_OK, mwa_tags_fini)
ROWS
before '^TABLE\(timeline' <<'ROWS'
TABLE(tags, MWA_NEED_TAGS)
ROWS
before '^COMMAND\(comms' <<'ROWS'
COMMAND(tags, "tags", "messages by tag", "Prints a line per tag: messages sent, bytes.",
        .needs = MWA_NEED_TAGS, .document = &mwa_tags_document, .table = &mwa_tags_table)
ROWS
before '^SECTION\(comms' <<'ROWS'
SECTION(tags, MWA_NEED_TAGS, "Tags", "Messages by tag", .table = &mwa_tags_table)
ROWS
file=tree/analyzer/local.mk
before 'messages/traffic.c' <<'LINES'
	analyzer/analysis/messages/tags.c \
	analyzer/analysis/messages/tags.h \
LINES
before 'table/timeline_table.c' <<'LINES'
	analyzer/table/tags_table.c \
LINES

for folder in . $sources; do
    [ "$folder" = . ] && depth="-maxdepth 1" || depth=
    (cd tree && find "$folder" $depth -type f) | while read -r name; do
        cmp -s "tree/$name" "$TOP_SRCDIR/$name" || echo "${name#./}"
    done
done >touched
assert_equal "analyzer/analysis/analyses.def
analyzer/analysis/messages/tags.c
analyzer/analysis/messages/tags.h
analyzer/local.mk
analyzer/table/tags_table.c" "$(sort touched)" "the files of an analysis"
recipe=$(sed -n '/^\*\*an analysis\*\*/,/^$/p' "$TOP_SRCDIR/CONTRIBUTING.md")
for place in analyses.def local.mk analyzer/table; do
    assert_contains "$recipe" "$place"
done

MAKEFLAGS='' make -C "tree/$inner" -j2 CFLAGS=-O0 mpiwatch-analyze \
    completions/mpiwatch-analyze.bash analyzer/man/mpiwatch-analyze.1 >log 2>&1 ||
    fail "the build: $(tail -20 log)"

# --- what it shows: sends of 100 and 200 bytes with tag 5, and of 300 with tag 6 -----------------
analyze=$scratch/tree/$inner/mpiwatch-analyze
"$TOP_BUILDDIR/test/data/make_archive" reordered reordered
cat >wanted <<'TEXT'
       tag      count       sent
         5          2      300 B
         6          1      300 B
receives are not counted
TEXT
"$analyze" tags reordered | diff wanted - || fail "the text"
"$TOP_BUILDDIR/test/data/make_archive" empty empty
for again in first second; do
    "$analyze" tags -o text reordered || fail "the $again text"
    "$analyze" -q tags -o nothing empty || [ $? = 4 ] || fail "the $again text without rows"
done
printf 'tag,count,bytes\n5,2,300\n6,1,300\n' >wanted
"$analyze" tags --csv reordered | diff wanted - || fail "the table"
"$analyze" export --csv=tables reordered || fail "the tables"
diff wanted tables/tags.csv || fail "the table of export"
"$analyze" tags --json reordered >tags.json || fail "JSON"
"$analyze" schema tags >schema.json || fail "the schema"
"$analyze" report --html=page.html reordered || fail "the page"
"$python" - <<'PYTHON' || fail "what JSON and page say"
import json
import re
import jsonschema
said = json.load(open("tags.json"))
jsonschema.Draft202012Validator(json.load(open("schema.json"))).validate(said)
assert said == {"schema": "mpiwatch-tags/1", "tags": [{"tag": 5, "count": 2, "bytes": 300},
                                                      {"tag": 6, "count": 1, "bytes": 300}]}, said
page = open("page.html").read()
assert '<li><a href="#tags">Tags</a></li>' in page
section = re.search(r'<section id="tags".*?</section>', page, re.S)[0]
assert "Messages by tag</h2>" in section, section
assert re.findall(r'<data value="(\d+)"', section) == ["5", "2", "300", "6", "1", "300"], section
PYTHON
"$analyze" tags --help >help
assert_contains "$(cat help)" "a line per tag: messages sent"
assert_contains "$("$analyze" --help)" "messages by tag"
assert_contains "$(cat "tree/$inner/completions/mpiwatch-analyze.bash")" " tags "
assert_contains "$(cat "tree/$inner/analyzer/man/mpiwatch-analyze.1")" "a line per tag: messages"
