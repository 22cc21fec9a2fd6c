# For tests of mpiwatch-view: need_view skips where it was not built, show starts it for an archive.
view=$TOP_BUILDDIR/mpiwatch-view
export XDG_CACHE_HOME=$scratch/cache
export PYTHONPATH="$TOP_SRCDIR/test/system" PYTHONDONTWRITEBYTECODE=1

need_view() {
    [ -x "$view" ] || skip "mpiwatch-view was not built"
    curl --version >/dev/null 2>&1 || skip "no curl here"
}

# show ARCHIVE [OPTION...]: leaves $url, which opens the view once, $base, its $pid, and what it
# says in view.err. It ends at the latest with the test.
show() {
    local archive=$1
    shift
    : >view.url
    "$view" --print-url --linger=2 "$@" "$archive" >view.url 2>view.err &
    pid=$!
    trap 'kill "$pid" 2>/dev/null || true; wait "$pid" || true; clean_up' EXIT
    await "an address" has_begun
    url=$(cat view.url)
    base=${url%/enter*}
    [ "$base" != "$url" ] || fail "no address: $url"
}

has_begun() {
    [ -s view.url ] || ! kill -0 "$pid" 2>/dev/null || return 1
    [ -s view.url ] || fail "it has ended: $(cat view.err)"
}

# enter: gets in, and waits until all is read.
enter() {
    curl -s -c jar "$url" >/dev/null
    until_read
}

# until_read: waits until all is read.
until_read() {
    await "that all is read" is_read
}
is_read() {
    [ "$(code -b jar "$base/meta")" != 503 ]
}

# code CURL-WORD...: the status of HTTP that is answered.
code() {
    curl -s -o body -w '%{http_code}' "$@" || true
}

# leave: Ctrl-C, or its like; the status is the program's.
leave() {
    local status=0
    kill -TERM "$pid" 2>/dev/null || true
    wait "$pid" || status=$?
    return "$status"
}
