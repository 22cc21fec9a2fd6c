# What mpiwatch-analyze writes takes the place of nothing but an empty file or a former output of
# the same kind: not of a file of somebody else, nor of another archive. --force replaces them, but
# never the archive that is read, nor a directory that holds anything else.
. "$TOP_SRCDIR/test/system/lib.sh"

make_archive=$TOP_BUILDDIR/test/data/make_archive
"$make_archive" names names # test/data/archives_page.c says what is in it
"$make_archive" open other

# expect STATUS WHAT COMMAND...
expect() {
    local wanted=$1 what=$2
    shift 2
    assert_equal "$wanted" "$(status_of "$@")" "$what: $(head -c 500 stderr)"
}

# Two archives that were not exported, as files and as directories.
pack() {
    (cd "$1" && "$python" -m zipfile -c ../"$2" traces traces.def traces.otf2)
}
pack other other.otf2.zip
pack names names.otf2.zip

# --- each output over what is not its like ---------------------------------------------------

"$analyze" report --html page names
"$analyze" timeline --svg svg names >/dev/null
has_png=yes
"$analyze" timeline --png picture names >/dev/null || {
    has_png=no # without cairo
    echo none >picture
}
"$analyze" export --perfetto perfetto --chrome chrome --csv tables --otf2 exported.zip names
"$analyze" calls -o text names
"$analyze" calls --json -o json names
"$analyze" calls --csv -o table names
printf 'my notes\n' >notes
printf 'id,name,value\n1,2,3\n' >foreign_table
printf '{"schema": "mine/1"}\n' >foreign_json
printf '<!DOCTYPE html>\n<html lang="en">\n<title>mine</title>\n' >foreign_page
"$python" - <<'PYTHON'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
open("foreign_picture", "wb").write(b"\x89PNG\r\n\x1a\n" +
    chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) +
    chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))
open("binary", "wb").write(bytes(range(256)) * 40)
PYTHON
files="notes foreign_table foreign_json foreign_page foreign_picture binary other.otf2.zip
    other/traces.otf2 page svg picture perfetto chrome text json table exported.zip"

# output_over KIND OPTION...: all files but the one called KIND stay as they are, that is replaced;
# an empty file, too. The name of the output is put for OUT.
output_over() {
    local kind=$1 file sum words word
    shift
    for file in $files empty; do
        rm -rf target.zip
        if [ "$file" = empty ]; then : >target.zip; else cp "$file" target.zip; fi
        sum=$(sha256sum <target.zip)
        words=()
        for word; do
            words+=("${word/OUT/target.zip}")
        done
        if [ "$file" = "$kind" ] || [ "$file" = empty ]; then
            expect 0 "$* over $file" "$analyze" "${words[@]}" names
            [ "$file" = "$kind" ] || [ -s target.zip ] || fail "$*: nothing in the empty file"
            continue
        fi
        expect 2 "$* over $file" "$analyze" "${words[@]}" names
        assert_equal "$sum" "$(sha256sum <target.zip)" "$* over $file: what is there"
        assert_contains "$(cat stderr)" "mpiwatch-analyze: target.zip: "
        assert_contains "$(cat stderr)" "--force"
        assert_equal 1 "$(wc -l <stderr)" "lines of the message"
        [ -z "$(find . -maxdepth 1 -name 'target.zip?*')" ] || fail "$*: something is left"
        expect 0 "$* over $file, by force" "$analyze" "${words[@]}" --force names
        [ "$sum" != "$(sha256sum <target.zip)" ] || fail "$* --force over $file: not replaced"
    done
}
output_over text calls --output OUT
output_over json calls --json -o OUT
output_over table calls --csv -o OUT
output_over page report --html OUT
output_over svg timeline --svg OUT
[ $has_png = no ] || output_over picture timeline --png OUT
output_over perfetto export --perfetto OUT
output_over chrome export --chrome OUT
output_over exported.zip export --otf2 OUT

# What every command prints is known again.
for words in report info calls ranks messages comms dump pop imbalance critical-path timeline \
    "timeline --comms" waits counters "counters --series" watermarks \
    "check --max info.ranks=1000" validate "report --color=always" "timeline --color=always" \
    "report --comm=* --color=always" compare; do
    archives=names
    [ "$words" != compare ] || archives="names other"
    for format in "" --json --csv; do
        rm -f again
        set -f
        # shellcheck disable=SC2086 # words
        status=$(status_of "$analyze" -q $words $format -o again $archives)
        [ "$status" != 2 ] || continue # not all have tables
        # shellcheck disable=SC2086
        again=$(status_of "$analyze" -q $words $format -o again $archives)
        set +f
        assert_equal "$status" "$again" "$words $format twice: $(cat stderr)"
    done
done

# So is a schema, which is JSON without --json.
"$analyze" schema -o schema.json
expect 0 "a schema again" "$analyze" schema watermarks -o schema.json
cp foreign_json schema.json
expect 2 "a schema over a foreign file" "$analyze" schema -o schema.json

# --- tables, and archives in directories -----------------------------------------------------

expect 0 "tables again" "$analyze" export --csv tables names
cp notes tables/notes
cp foreign_table tables/waits.csv
sum=$(cat tables/* | sha256sum)
expect 2 "a foreign table" "$analyze" export --csv tables --chrome new names
assert_contains "$(cat stderr)" "tables/waits.csv: "
assert_equal "$sum" "$(cat tables/* | sha256sum)" "tables"
[ ! -e new ] || fail "something was written beside what was refused"
expect 0 "a foreign table, by force" "$analyze" export --csv=tables --force names
assert_equal "my notes" "$(cat tables/notes)" "a file beside the tables"
expect 2 "tables instead of a file" "$analyze" export --csv notes names

"$analyze" export --otf2 exported names
expect 0 "an archive again" "$analyze" export --otf2 exported names
for force in "" --force; do
    cp notes exported/notes
    # shellcheck disable=SC2086 # no word, or one
    expect 2 "an archive and notes $force" "$analyze" export $force --otf2 exported names
    assert_equal "my notes" "$(cat exported/notes)" "a file beside an archive"
    rm exported/notes
    # shellcheck disable=SC2086
    expect 2 "a directory without archive $force" "$analyze" export $force --otf2 tables names
    [ -e tables/notes ] || fail "a directory is gone"
    # shellcheck disable=SC2086
    expect 2 "a directory for a ZIP file $force" "$analyze" export $force --otf2 . names
done
sum=$(sha256sum <other/traces.otf2)
expect 2 "an archive that was not exported" "$analyze" export --otf2 other names
assert_equal "$sum" "$(sha256sum <other/traces.otf2)" "the other archive"
expect 0 "the same, by force" "$analyze" export --otf2 other --force names

# --- what is read, and places that are none ----------------------------------------------------

sum=$(sha256sum <names.otf2.zip)
for words in "calls -o" "report --html" "timeline --svg" "export --perfetto" "export --chrome" \
    "export --otf2"; do
    # shellcheck disable=SC2086 # words
    expect 2 "$words, what is read" "$analyze" $words names.otf2.zip --force names.otf2.zip
    assert_equal "$sum" "$(sha256sum <names.otf2.zip)" "$words: the archive that is read"
    # shellcheck disable=SC2086
    [ "$words" = "export --otf2" ] ||
        expect 2 "$words, a directory" "$analyze" $words tables --force names
done
expect 2 "an archive on the standard output" "$analyze" export --otf2 - names
expect 2 "tables on the standard output" "$analyze" export --csv=- names
expect 2 "two on the standard output" "$analyze" timeline --svg - names
expect 2 "one file for two" "$analyze" export --chrome one --perfetto one names
expect 2 "nothing for -o" "$analyze" report --html new -o new2 names
expect 2 "nothing for -o" "$analyze" export --chrome new -o new2 names
[ ! -e new ] && [ ! -e new2 ] && [ ! -e - ] && [ ! -e one ] || fail "written all the same"

# --- pipes, devices, links -----------------------------------------------------------------------

"$analyze" report --html - names >stdout.html
assert_contains "$(head -c 500 stdout.html)" "<!DOCTYPE html>"
"$analyze" calls names >plain.calls
"$analyze" calls -o - names >dash.calls
"$analyze" calls -o /dev/stdout names | cmp - plain.calls || fail "/dev/stdout into a pipe"
printf 'my notes\n' >log
"$analyze" calls -o /dev/stdout names >>log
printf 'my notes\n' | cat - plain.calls | cmp - log || fail "/dev/stdout at the end of a file"
cmp plain.calls dash.calls || fail "-o -"
"$analyze" calls -o >(cat >substituted) names
"$analyze" calls -o /dev/null names
mkfifo fifo
timeout 20 cat fifo >through &
reader=$!
"$analyze" calls -o fifo names
wait $reader
cmp plain.calls through || fail "through a named pipe"
[ -p fifo ] || fail "the named pipe is gone"
cmp plain.calls substituted || fail "through a substituted process"

ln -s text link
chmod 600 text
expect 0 "through a link" "$analyze" info -o link names
[ -L link ] && [ ! -L text ] || fail "the link is gone"
assert_contains "$(cat text)" "archive              names"
assert_equal 600 "$(stat -c %a text)" "the mode of what is replaced"
ln -sf notes link
expect 2 "through a link to notes" "$analyze" info -o link names
assert_equal "my notes" "$(cat notes)" "behind the link"
ln -sf nowhere link
expect 2 "a link that leads nowhere" "$analyze" info -o link names
[ -L link ] && [ ! -e nowhere ] || fail "what became of the link?"

# --- a failed run leaves the former output alone, and files of others beside it -------------------

"$analyze" calls -o text --force names
sum=$(sha256sum <text)
cp -r names damaged
truncate -s 50 damaged/traces/0.evt
expect 3 "a damaged archive" "$analyze" calls -o text damaged
expect 3 "a damaged archive" "$analyze" dump -o text damaged
assert_equal "$sum" "$(sha256sum <text)" "the former output"
(
    trap '' XFSZ
    ulimit -f 0
    status=0
    "$analyze" calls -o text names 2>stderr || status=$?
    [ $status = 3 ] || fail "no room: exit $status"
)
assert_equal "$sum" "$(sha256sum <text)" "the former output on a full disk"
expect 3 "a full disk" "$analyze" dump -o /dev/full names
assert_contains "$(cat stderr)" "/dev/full: "
printf 'my notes\n' >text.partial
ln -s notes text.1.partial
expect 0 "beside files called .partial" "$analyze" calls -o text names
assert_equal "my notes" "$(cat text.partial)" "text.partial"
assert_equal "my notes" "$(cat notes)" "behind text.1.partial"
# validate's findings are its output, also of what is corrupt.
expect 3 "findings" "$analyze" validate -o findings damaged
assert_contains "$(cat findings)" "corrupt "
