# mpiwatch-view where things go wrong: a second view of the same archive, one that is killed while
# it keeps what it has read, an archive that is removed or changed while it is viewed, a full disk,
# a cache that can't be written. It goes on where it can, and says what is the matter.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
. "$TOP_SRCDIR/test/system/browser.sh"
need_view

kept() {
    find cache -type f -name '*-view' 2>/dev/null
}
# until WORD...: waits for a command to be fine.
until_is() {
    local at
    for ((at = 0; at < 600; at++)); do
        "$@" && return
        sleep 0.1
    done
    fail "it does not come to be: $*"
}
is_kept() {
    [ -n "$(kept)" ]
}
# news SENTENCE: whether the page is told so.
is_news() {
    curl -s -N -m 1 -b jar "$base/news" >news || true
    grep -qF "$1" news
}
# is_over: whether all is read, or it can't be, or the program has ended.
is_over() {
    is_news '"stage":"ready"' || grep -qF '"stage":"failed"' news || ! kill -0 "$pid" 2>/dev/null
}
is_said() {
    grep -qF "$1" view.err
}
# say NAME: what is told of the archive, into NAME.
say() {
    local path
    for path in /meta "/span?from=7&to=90000" /waits "/call?id=3"; do
        curl -s -b jar "$base$path"
    done >"$1"
    [ "$(wc -c <"$1")" -gt 1000 ] || fail "$1: little is told: $(cat "$1")"
}
make() {
    rm -rf run
    "$TOP_BUILDDIR/test/bench/generate" run 4 "${1:-400000}" >/dev/null
}
archive=run/traces.otf2

# Two views at once, of which neither finds anything kept, and a third that finds it.
make
show $archive
first_pid=$pid first_base=$base first_url=$url
show $archive
trap 'kill "$first_pid" "$pid" 2>/dev/null || true; wait || true; clean_up' EXIT
enter
say second
curl -s -c jar "$first_url" >/dev/null
base=$first_base until_read
base=$first_base say first
cmp first second || fail "two views tell different things"
until_is is_kept
leave || fail "the second ended with $?: $(cat view.err)"
base=$first_base say again
cmp first again || fail "the first tells something else when the second has ended"
kill -TERM "$first_pid" && wait "$first_pid" || fail "the first ended with $?"
inode=$(stat -c %i "$(kept)")
show $archive
enter
say third
leave || fail "the third ended with $?: $(cat view.err)"
cmp first third || fail "the third tells something else"
assert_equal "$inode" "$(stat -c %i "$(kept)")" "what is kept was made anew"
assert_equal "" "$(cat view.err)" "said of nothing"

# Killed while it keeps what it has read, or just before or behind: the next one is fine.
for delay in 0 0.03 0.1; do
    rm -rf cache
    show $archive
    enter
    sleep $delay
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null || true
    show $archive
    enter
    say fine
    cmp first fine || fail "killed $delay s behind reading: something else is told"
    until_is is_kept
    leave || fail "behind a killed one it ended with $?: $(cat view.err)"
done
rm -rf cache && mkdir -p cache/mpiwatch && chmod 700 cache/mpiwatch
show $archive
enter
until_is is_kept
leave || fail "it ended with $?"
head -c 5000 "$(kept)" >half # what one that was killed has written
name=$(basename "$(kept)")
rm "$(kept)" && mv half "cache/mpiwatch/.$name.abcdef"
show $archive
enter
say fine
cmp first fine || fail "beside half of what is kept something else is told"
until_is is_kept
leave || fail "it ended with $?"

# A cache that can't be written, and a disk that has no room for it.
unkept="the next view has to read it again, nothing is kept"
rm -rf cache && : >cache
show $archive
enter
until_is is_said "$unkept: $scratch/cache/mpiwatch: there is no cache of the user's own"
until_is is_news '"unkept":"'
say without
cmp first without || fail "without a cache something else is told"
leave || fail "without a cache it ended with $?"
rm cache
# What is read takes 7 MB for calls, and all that is kept 11.
: >view.url
(ulimit -f 8300 && exec "$view" --print-url --linger=2 $archive >view.url 2>view.err) &
pid=$!
until_is test -s view.url
url=$(cat view.url)
base=${url%/enter*}
enter
until_is is_said "$unkept: "
is_said "larger than what the cache may have" || fail "no room: $(cat view.err)"
say full
cmp first full || fail "on a full disk something else is told"
leave || fail "on a full disk it ended with $?"
[ -z "$(find cache -type f)" ] || fail "left on a full disk: $(find cache -type f)"
# Nor for what it needs while it runs.
status=0
(ulimit -f 2000 && exec timeout 60 "$view" --print-url $archive >view.url 2>view.err) || status=$?
assert_equal 3 "$status" "no room to read: $(cat view.err)"
is_said "no room for the" || fail "no room to read: $(cat view.err)"

# Removed, or another one: what was read is shown, and the page says so.
show $archive
enter
say before
until_is is_news '"fate":null'
mv run gone
until_is is_news '"fate":"The archive has been removed since it was opened."'
say after
cmp before after || fail "when it has been removed something else is told"
make 100000
until_is is_news '"fate":"The archive has been changed since it was opened."'
say after
cmp before after || fail "when it has been changed something else is told"
leave || fail "it ended with $?: $(cat view.err)"
show $archive
enter
say other
! cmp -s before other || fail "the archive in its place is not shown"
leave || fail "it ended with $?: $(cat view.err)"

# While it is read: whatever it comes to, it is no signal, and nothing wrong is kept.
rm -rf cache
make 8000000
show $archive
rm -r run
wait_status=0
curl -s -c jar "$url" >/dev/null || true
until_is is_over
leave || wait_status=$?
case $wait_status in
0 | 3) ;;
*) fail "removed while it is read: $wait_status: $(cat view.err)" ;;
esac
make 8000000
show $archive
for file in run/traces/*.evt; do
    truncate -s 5000 "$file"
done
curl -s -c jar "$url" >/dev/null || true
until_is is_over
leave || wait_status=$?
case $wait_status in
0 | 3) ;;
*) fail "cut while it is read: $wait_status: $(cat view.err)" ;;
esac

# Half of a chunk at its end, which is read last: all that is asked says why, and so does the page.
make 8000000
file=run/traces/3.evt
truncate -s $(($(stat -c %s $file) - 100000)) $file
show $archive --linger=60
curl -s -c jar "$url" >/dev/null
assert_equal 503 "$(code -b jar "$base/meta")" "asked while it is read"
assert_equal 503 "$(code -b jar "$base/search?by=tag&text=1")" "looked for while it is read"
until_is is_news '"stage":"failed"'
why=$(json <(sed -n 's/^data: //p' news | tail -1) 'd["why"]')
assert_matches "$why" "^$file: offset [1-9][0-9]*: this is no chunk$"
for path in /meta /states /waits /lanes/alive /preview "/part?from=0" "/search?by=tag&text=1" \
    /comms; do
    assert_equal 500 "$(code -b jar "$base$path")" "$path of what can't be read"
    assert_equal "$why" "$(json body 'd["error"]')" "$path of what can't be read"
done
assert_equal 404 "$(code -b jar "$base/nothing")" "what there never is"
if has_browser; then
    cat >look.py <<'PYTHON'
import sys

from selenium.webdriver.common.by import By

import browser

base, name, value, why = sys.argv[1:]
driver = browser.start()
try:
    driver.get(base + "/")
    driver.add_cookie({"name": name, "value": value, "path": "/"})
    driver.get(base + "/")
    said = driver.find_element(By.ID, "reading-text")
    browser.wait_for(lambda: said.text == why, "the page does not say why")
    assert "failed" in said.get_attribute("class")
finally:
    driver.quit()
PYTHON
    read -r name value < <(awk '/127.0.0.1/ { print $(NF - 1), $NF }' jar)
    timeout 120 "$python" -B look.py "$base" "$name" "$value" "$why" || fail "in the browser"
fi
leave || wait_status=$?
assert_equal "3 mpiwatch-view: $why" "$wait_status $(cat view.err)" "the end of what can't be read"
