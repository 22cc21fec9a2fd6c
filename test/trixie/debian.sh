# What the checks share that install another Debian below the build directory and run in it as in a
# machine of its own. A script that sources this has say and skip, and sets
#
#     root      the directory that Debian is in, or will be
#     results   where logs go
#
# and, before enter, user: the directory in that Debian where things begin.

# of_apt WHAT: of the sources of packages of this machine's release, by apt's own reading of them.
of_apt() {
    apt-get indextargets --format "$1" 'Created-By: Packages' "Release: $VERSION_CODENAME"
}

# The address of the mirror that holds this machine's Debian.
find_mirror() {
    mirror=$(of_apt '$(REPO_URI) $(COMPONENT)' | awk '$2 == "main" { print $1; exit }')
    [ -n "$mirror" ] || skip "apt has no mirror of Debian's here"
}

# need_debian PROGRAM...: what another Debian takes, with these programs: skips when something of it
# is missing.
need_debian() {
    [ -r /etc/os-release ] && . /etc/os-release
    [ "${ID-}" = debian ] || skip "this is no Debian"
    [ "$(id -u)" = 0 ] || skip "installing a Debian takes root"
    for program in unshare "$@"; do
        command -v "$program" >/dev/null || skip "no $program here"
    done
    unshare --mount --pid --fork mount -t tmpfs none /mnt 2>/dev/null ||
        skip "no file system can be mounted here"
    find_mirror
}

need_debootstrap() {
    need_debian debootstrap setpriv pivot_root apt-get
}

# install_least RELEASE: a Debian with no packages but the least; ends with 77 when it can't be had.
install_least() {
    say "debootstrap $1 from $mirror"
    timeout 300 debootstrap --variant=minbase "$1" "$root" "$mirror" >"$results/debootstrap.log" \
        2>&1 || {
        tail -3 "$results/debootstrap.log"
        exit 77
    }
    echo "deb $mirror $1 main" >"$root/etc/apt/sources.list"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
    printf '%s\n' 'Acquire::Retries "3";' 'APT::Keep-Downloaded-Packages "false";' \
        'Acquire::Languages "none";' >"$root/etc/apt/apt.conf.d/90test"
    apt-config dump --no-empty | grep '^Acquire::.*::Proxy' >>"$root/etc/apt/apt.conf.d/90test" ||
        true
}

# Makes $root the root of this process, with devices, /proc and /sys, and nothing else of here.
enter() {
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=1777 none "$root/dev/shm"
    mount --rbind /sys "$root/sys"
    mount -t proc none "$root/proc"
    cd "$root"
    mkdir -p old
    pivot_root . old
    umount -l /old
    rmdir /old
    cd "$user"
}
