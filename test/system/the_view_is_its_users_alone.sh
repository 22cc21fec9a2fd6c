# mpiwatch-view answers who has its cookie, by GET, under its own name, and nobody else: no other
# user, and no other page of the browser. The address opens it once, and is in no argument.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/view.sh"
need_view

"$TOP_BUILDDIR/test/data/make_archive" waits_messages waits
show waits
for path in / /meta /near /call?id=0 /news /page.css /view.js /nothing; do
    assert_equal 403 "$(code "$base$path")" "$path without a cookie"
done
wrong=$(printf %064d 0)
assert_equal 403 "$(code -b "mpiwatch-view-${base##*:}=$wrong" "$base/")" "a wrong cookie"
assert_equal 403 "$(code "$base/enter?token=$wrong")" "a wrong token"
assert_equal 403 "$(code "$base/enter")" "no token"
# Under another name not even the token helps, and it is not used up by that; nor by POST.
assert_equal 403 "$(code -H 'Host: example.org' "$url")" "another name"
assert_equal 405 "$(code -X POST -d x=y "$url")" "POST with the token"
assert_equal 200 "$(code -c jar "$url")" "the token"
assert_equal 403 "$(code "$url")" "the token, used twice"
grep -q '#HttpOnly_127.0.0.1' jar || fail "scripts can read the cookie: $(cat jar)"

until_read
curl -s -i -b jar "$base/" >answer
for header in "default-src 'none'" "frame-ancestors 'none'" 'Referrer-Policy: no-referrer' \
    'X-Content-Type-Options: nosniff' 'Cache-Control: no-store'; do
    grep -qi "$header" answer || fail "no $header: $(cat answer)"
done
! grep -qi 'access-control-allow' answer || fail "other pages may read it"
! grep -qiE 'unsafe-inline|unsafe-eval' answer || fail "what is written into the page may run"
assert_equal 403 "$(code -b jar -H 'Host: example.org' "$base/")" "another name with the cookie"
assert_equal 403 "$(code -b jar -H 'Host: localhost:1' "$base/")" "another port"
for site in cross-site same-site; do
    assert_equal 403 "$(code -b jar -H "Sec-Fetch-Site: $site" "$base/meta")" "asked from $site"
done
assert_equal 200 "$(code -b jar -H 'Sec-Fetch-Site: same-origin' "$base/meta")" "our own page"
for method in POST PUT DELETE OPTIONS TRACE; do
    assert_equal 405 "$(code -b jar -X $method "$base/meta")" "$method"
done
assert_equal 404 "$(code -b jar "$base/../../etc/passwd")" "a path that leads away"
# It listens at 127.0.0.1, and nowhere else.
if command -v ss >/dev/null; then
    ss -Htln "sport = :${base##*:}" | awk '{ print $4 }' | grep -vx "${base#http://}" &&
        fail "others reach it"
fi
tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q "${url##*=}" && fail "the token is in its arguments"

# Whatever is asked, it answers, and in bounds.
for question in 'near?from=99999999999999999999&to=-1' 'near?from=5&to=4&rows=999999' \
    'states?cells=0' 'states?cells=4000000000&rows=4000000000' 'span?first=77' \
    'call?id=4294967294' 'call?id=4294967296' 'call?id=x' 'call' 'call?id=1023' \
    'near?from=%00&to=%ff'; do
    status=$(code -b jar "$base/$question")
    [ "$status" = 200 ] || [ "$status" = 404 ] || fail "$question: $status"
    [ "$(wc -c <body)" -lt 1000000 ] || fail "$question: $(wc -c <body) bytes"
done

# Long ones are answered, or refused as too long. Not by curl: of one with a cookie that gets longer
# than 8 kB it sends no end (7.88), and waits for the answer.
cat >long.py <<'PYTHON'
import socket
import sys
port, jar = int(sys.argv[1]), open(sys.argv[2]).read().split()
def ask(path, header):
    link = socket.create_connection(("127.0.0.1", port), timeout=20)
    link.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {jar[-2]}={jar[-1]}"
                 f"\r\nX-Any: {header}\r\n\r\n".encode())
    return int(link.makefile("rb").readline().split()[1])
for size in 9000, 20000:
    assert ask("/meta?x=" + size * "1", "") == 200, size
    assert ask("/meta", size * "1") == 200, size
for size in 40000, 200000:
    assert ask("/meta?x=" + size * "1", "") == 414, size
    assert ask("/meta", size * "1") == 431, size
PYTHON
"$python" long.py "${base##*:}" jar || fail "long requests"
leave || fail "it ends with $?: $(cat view.err)"

# The page gone, so is the program, some seconds later.
show waits
enter
timeout 1 curl -s -N -b jar "$base/news" >news || true
grep -q '"stage":"ready"' news || fail "no news: $(cat news)"
timeout 20 tail --pid="$pid" -f /dev/null || fail "it stays when the page has gone"
wait "$pid" || fail "it ended with $?"

# --- the file that leads there ----------------------------------------------------------------

cat >browser <<'SHELL'
#!/bin/sh
cp "$1" "$TMPDIR/seen.html"
stat -c '%a %n' "$1" >"$TMPDIR/seen"
SHELL
chmod +x browser
lead() {
    BROWSER=$scratch/browser "$@" "$view" --linger=1 waits >view.url 2>view.err &
    pid=$!
    for ((at = 0; at < 300; at++)); do
        [ ! -s "$TMPDIR/seen" ] || break
        sleep 0.1
    done
    door=$(sed 's/^[0-9]* //' "$TMPDIR/seen")
    assert_equal 600 "$(sed 's/ .*//' "$TMPDIR/seen")" "the mode of $door"
    url=$(sed -n 's/.*url=\(http[^"]*\)".*/\1/p' "$TMPDIR/seen.html")
    [ ! -s view.url ] || fail "it prints what was not asked for"
    ! grep -q "${url##*=}" view.err || fail "it says the token"
}
unset SSH_CONNECTION SSH_TTY
mkdir -m 700 runtime
lead env XDG_RUNTIME_DIR="$scratch/runtime"
case $door in "$scratch/runtime/"*) ;; *) fail "it is not in XDG_RUNTIME_DIR: $door" ;; esac
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$scratch" && chmod 755 runtime # the file itself has to keep others out
    ! setpriv --reuid=65534 --regid=65534 --clear-groups cat "$door" 2>/dev/null ||
        fail "another user can read $door"
    assert_equal 403 "$(setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -o /dev/null \
        -w '%{http_code}' "${url%/enter*}/meta")" "another user"
    chmod 700 runtime
fi
assert_equal 200 "$(code -c jar "$url")" "what the file leads to"
for ((at = 0; at < 100; at++)); do
    [ -e "$door" ] || break
    sleep 0.1
done
[ ! -e "$door" ] || fail "the file stays when it has been used"
leave || fail "it ended with $?"

# A directory that others can write to is no place for it.
rm "$TMPDIR/seen"
chmod 777 runtime
lead env XDG_RUNTIME_DIR="$scratch/runtime"
case $door in "$TMPDIR/"*) ;; *) fail "it is in a directory of all: $door" ;; esac
assert_equal 700 "$(stat -c %a "$(dirname "$door")")" "its directory's mode"
leave || fail "it ended with $?"
[ ! -e "$(dirname "$door")" ] || fail "its directory stays"

# From afar: how to get there.
SSH_CONNECTION="1 2 3 4" "$view" waits 2>view.err &
pid=$!
for ((at = 0; at < 300; at++)); do
    ! grep -q enter view.err || break
    sleep 0.1
done
leave || fail "it ended with $?"
port=$(sed -n 's,.*127.0.0.1:\([0-9]*\)/enter.*,\1,p' view.err)
grep -q "ssh -N -L $port:127.0.0.1:$port $(uname -n)" view.err || fail "no way: $(cat view.err)"

# --- what can't be shown ------------------------------------------------------------------------

refuses() {
    local status=0
    timeout 60 "$view" --print-url "$@" >out 2>err || status=$?
    assert_equal 3 "$status" "$*: $(cat out err)"
    assert_equal 1 "$(wc -l <err)" "$*: $(cat err)"
}
refuses nothing.otf2.zip
head -c 3000 /dev/urandom >noise.otf2.zip
refuses noise.otf2.zip
"$TOP_BUILDDIR/test/data/make_archive" empty empty
refuses empty
status=0
"$view" >out 2>err || status=$?
assert_equal 2 "$status" "without an archive"
# An archive whose events are damaged, and a disk that is full: it says so, and ends.
cp -r waits damaged
for events in damaged/traces/*.evt; do
    head -c 40 "$events" >short && mv short "$events"
done
refuses damaged
if can_mount; then
    cat >full.sh <<'SHELL'
mount -t tmpfs -o size=64k none "$1" && TMPDIR=$1 exec "$2" --print-url --no-cache waits
SHELL
    mkdir full
    status=0
    timeout 60 unshare --mount sh full.sh "$scratch/full" "$view" >out 2>err || status=$?
    assert_equal 3 "$status" "a full disk: $(cat err)"
    grep -q "no room for" err || fail "a full disk: $(cat err)"
fi
