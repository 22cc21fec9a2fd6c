# make check-packages: what debian/ says of packages, tried on clean Debians.
#
#     TARBALL=… TARBALL_VERSION=… bash in_debian.sh [RELEASE...]
#
# For each release (bookworm and trixie, if none is said) two Debians are installed below packages/
# in the build directory, from the mirror that this machine's apt uses. In the first one the
# packages are built of the tarball with what debian/control says and nothing else, and lintian has
# to have neither errors nor warnings; in the second one they are installed with what they say
# themselves, and use.sh records real programs with them. The packages and all logs stay in
# packages/RELEASE.
#
# Ends with 1 when something of that fails; where no other Debian can be had, it says so and passes.
# Stages: without one out here; "build" and "use" in namespaces, which end with their first process;
# "building" in that Debian.
set -eu
. "${0%/*}/../trixie/debian.sh"

user=/srv/packages

: "${started=$(date +%s)}"
say() {
    printf 'check-packages: %s s: %s\n' "$(($(date +%s) - started))" "$*"
}

skip() {
    say "skipped: $*"
    exit 0
}

# --- out here ----------------------------------------------------------------------------

# Ends what runs in the namespaces, and takes the Debians away.
end() {
    trap - EXIT INT TERM HUP
    [ -z "${inside-}" ] || kill -KILL "$inside" 2>/dev/null || true
    wait
    [ -z "${results-}" ] || rm -rf --one-file-system "$results/build" "$results/use"
    exit "$1"
}

# stage NAME: in the Debian $root. \return its status.
stage() {
    local status=0
    export started root results mirror release TARBALL TARBALL_VERSION
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
        bash "$0" "$1" </dev/null &
    inside=$!
    wait "$inside" || status=$?
    inside=
    return "$status"
}

try_release() {
    release=$1
    results=$TOP_BUILDDIR/packages/$release
    rm -rf --one-file-system "$results"
    mkdir -p "$results"
    root=$results/build
    (install_least "$release") || { say "$release can't be had from $mirror" && return; }
    cp -a "$root" "$results/use"
    mkdir -p "$root$user" "$results/use$user"
    cp "$TOP_BUILDDIR/$TARBALL" "$root$user/mpiwatch_$TARBALL_VERSION.orig.tar.xz"
    say "$release: building; what is printed goes to packages/$release/build.log"
    stage build >"$results/build.log" 2>&1 || {
        tail -20 "$results/build.log"
        say "$release: building failed"
        return 1
    }
    cp "$root$user"/*.deb "$root$user"/*.changes "$results/"
    grep -E '^[A-Z]: ' "$results/build.log" | grep -v '^N:' | cut -c 1-120 || true
    rm -rf --one-file-system "$root"
    root=$results/use
    cp "$results"/*.deb "${0%/*}/use.sh" "$root$user/"
    say "$release: installing and using"
    stage use 2>&1 | tee "$results/use.log"
    grep -qx 'used: all' "$results/use.log" || { say "$release: using failed" && return 1; }
    say "$release: built, installed and used"
    rm -rf --one-file-system "$root"
}

out_here() {
    need_debootstrap
    inside=
    trap 'end $?' EXIT
    trap 'end 130' INT TERM HUP
    failed=0
    for each in ${*:-bookworm trixie}; do
        try_release "$each" || failed=1
    done
    end "$failed"
}

# --- in the namespaces ---------------------------------------------------------------------

# run SCRIPT ARGUMENT...: in that Debian, with an environment of its own.
run() {
    enter
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive TARBALL_VERSION="$TARBALL_VERSION" bash "$@"
}

# --- in that Debian --------------------------------------------------------------------------

building() {
    apt-get -qq update
    apt-get -qq -y --no-install-recommends install build-essential debhelper lintian
    tar -xf "mpiwatch_$TARBALL_VERSION.orig.tar.xz"
    cd "mpiwatch-$TARBALL_VERSION"
    apt-get -qq -y --no-install-recommends build-dep .
    DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -us -uc
    cd ..
    lintian -i -I --allow-root --fail-on error,warning ./*.changes
}

case ${1-} in
build)
    mkdir -p "$root$user"
    cp "$0" "$root$user/in_debian.sh"
    mkdir -p "$root/srv/trixie"
    cp "${0%/*}/../trixie/debian.sh" "$root/srv/trixie/"
    run "$user/in_debian.sh" building
    ;;
use) run "$user/use.sh" ;;
building) building ;;
*) out_here "$@" ;;
esac
