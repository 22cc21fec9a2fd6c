# make check-trixie: what the README promises of Debian 13, on a Debian that is another.
#
#     bash in_trixie.sh share     ./bootstrap demo, and the system tests named in SHARE
#     bash in_trixie.sh whole     ./bootstrap demo and ./bootstrap check
#
# A Debian 13 is installed below trixie/ in the build directory, the sources are copied into it,
# and what is to run runs there as in a machine of its own: its mounts and processes are in
# namespaces that end with the first of them, whatever ends that; the files go at the end. Packages
# come from the mirror that this machine's apt uses. With a directory TEST_CACHE, else
# ~/.cache/mpiwatch, what was installed is kept there as trixie-*.tar, and taken from there.
#
# Results are .trs files of Automake's in trixie/results. Where no Debian 13 can be had, it says
# so and ends well; what is skipped is one such file, too.
#
# Three stages: "share" and "whole" out here; "install" in the namespaces; "run" in Debian 13.

set -eu
. "$(dirname "$0")/debian.sh"

packages_of_share="mpich gfortran otf2-tools python3-otf2 python3-six unzip"
# Where the sources are in Debian 13, and results of what is no test of Automake's.
user=/srv/mpiwatch
steps=/srv/steps

# What happens, and after how many seconds.
: "${started=$(date +%s)}"
say() {
    printf 'check-trixie: %s s: %s\n' "$(($(date +%s) - started))" "$*"
}

# result NAME PASS|FAIL|SKIP: of something that is no test of Automake's.
result() {
    printf ':test-result: %s\n:global-test-result: %s\n:recheck: no\n' "$2" "$2" >"$results/$1.trs"
}

# --- out here ------------------------------------------------------------------------

skip() {
    say "skipped: $*"
    result trixie SKIP
    exit 0
}

# What Debian 13 takes: skips when something of it is missing.
need_all() {
    need_debootstrap
    [ "${VERSION_CODENAME-}" != trixie ] || skip "this is Debian 13"
}

# The kept installation's name says what is in it.
find_cache() {
    cache=${TEST_CACHE:-${HOME:-/nowhere}/.cache/mpiwatch}
    kept=$(cat "$TOP_SRCDIR/bootstrap" "$0" "${0%/*}/debian.sh" | sha256sum | cut -c 1-16)
    kept=$cache/trixie-$1-$kept.tar
    [ ! -d "$cache" ] || [ -f "$kept" ] || rm -f "$cache/trixie-$1-"*
}

# Only what was installed whole is kept; sources, and what was built of them, are not.
keep() {
    [ -d "$cache" ] && [ -w "$cache" ] && [ ! -f "$kept" ] && [ -f "$root$user/.installed" ] ||
        return 0
    tar -C "$root" --exclude=".$user" --exclude=".$steps" \
        --exclude='./tmp/*' -cf "$kept.$$" . &&
        mv "$kept.$$" "$kept" || rm -f "$kept.$$"
}

# Ends what runs in the namespaces: all of it, since the first process there ends.
end() {
    trap - EXIT INT TERM HUP
    [ -z "${inside-}" ] || kill -KILL "$inside" 2>/dev/null || true
    wait
    rm -rf --one-file-system "$root"
    exit "$1"
}

# The results of Automake's tests in Debian 13, found by their names.
collect() {
    [ -d "$root$user/build" ] || return 0
    (cd "$root$user/build" && find . \( -name '*.trs' -o -name '*.log' \) -path './*test*' \
        -exec cp --parents -t "$results" {} +)
    cp "$root$steps"/* "$results/"
}

out_here() {
    results=$TOP_BUILDDIR/trixie/results
    root=$TOP_BUILDDIR/trixie/root
    rm -rf --one-file-system "$results" "$root"
    mkdir -p "$results"
    need_all
    find_cache "$1"
    inside=
    trap 'end $?' EXIT
    trap 'end 130' INT TERM HUP
    mkdir -p "$root"
    export started results root mirror kept SHARE TOP_SRCDIR TOP_BUILDDIR
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
        bash "$0" install "$1" </dev/null &
    inside=$!
    status=0
    wait "$inside" || status=$?
    inside=
    [ "$status" != 77 ] || skip "no Debian 13 could be installed from $mirror"
    collect
    keep
    end "$status"
}

# --- in the namespaces -----------------------------------------------------------------

# A Debian 13 with no packages but the least.
install_minimum() {
    if [ -f "$kept" ]; then
        say "unpacking $kept"
        tar -C "$root" -xf "$kept"
        return
    fi
    install_least trixie
}

# The working tree's sources as they would be in a checkout or a tarball.
copy_sources() {
    mkdir -p "$root$user"
    if git -C "$TOP_SRCDIR" rev-parse >/dev/null 2>&1; then
        git -C "$TOP_SRCDIR" ls-files -z |
            tar -C "$TOP_SRCDIR" --null --ignore-failed-read -T - -cf - | tar -C "$root$user" -xf -
    else
        MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" distdir distdir="$root$user"
    fi
}

install() {
    install_minimum
    copy_sources
    enter
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive started="$started" SHARE="${SHARE-}" \
        bash test/trixie/in_trixie.sh run "$1"
}

# --- in Debian 13 ------------------------------------------------------------------------

# Runs a command that counts as a test, NAME, of the results.
step() {
    name=$1
    shift
    say "$*"
    if "$@"; then
        result "$name" PASS
    else
        result "$name" FAIL
        status=1
    fi
}

# They take none of the programs in C but those of each MPI.
share_of_tests() {
    local failed=0
    say "installing what the share of the tests needs"
    apt-get -qq -y --no-install-recommends install $packages_of_share >build/apt.log || return
    touch .installed
    # A launcher that does not end is not waited for for long: all tests together take some 100 s.
    export TEST_TIMEOUT=45 TIMEOUTS=$PWD/build/timeouts
    set -- -C build --no-print-directory -k VERBOSE=1 check_PROGRAMS= TESTS="$SHARE"
    say "make check TESTS=…"
    # Its launchers are not as steady as Debian 12's: what fails once is printed, twice fails.
    make -j"$(nproc)" "$@" check || {
        say "make recheck"
        make "$@" recheck
    } || failed=1
    tell_timeouts
    return $failed
}

# A test that passes does not say that a launcher of its took all of its time.
tell_timeouts() {
    [ -s "$TIMEOUTS" ] || return 0
    say "these took all of their time:"
    cat "$TIMEOUTS"
    cut -d: -f1 "$TIMEOUTS" | sort -u | while read -r test; do
        say "$test:"
        tail -n 50 "build/test/system/${test%.sh}.log"
    done
}

run() {
    status=0
    results=$steps
    mkdir -p "$results" build
    # Of a share compiling is long, and what it makes is hardly used: -O0 takes the least time.
    [ "$1" != share ] || export CFLAGS="-O0 -g1"
    step demo ./bootstrap demo
    if [ "$1" = share ]; then
        share_of_tests || status=1
    else
        say "./bootstrap check"
        ./bootstrap check || status=1
        touch .installed
    fi
    say "done"
    exit "$status"
}

case ${1-} in
share | whole) out_here "$1" ;;
install) install "$2" ;;
run) run "$2" ;;
*) exit 2 ;;
esac
