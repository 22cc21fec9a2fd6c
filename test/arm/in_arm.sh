# make check-arm: the programs as 64-bit ARM machines have them, their unit tests and recordings.
#
# A Debian of arm64, of the release of this one, is unpacked below arm/ in the build directory, a
# build against it is made there by Debian's cross compiler, and what was built runs by qemu-user:
# the unit tests, and a program with a library, whose functions sign the addresses that they return
# to, on two ranks of each MPI. Counts and lines have to be right, and this machine's
# mpiwatch-analyze has to read the same in the archives as that one's. QEMU shows nothing of the
# order in which other cores see what one stores, nor how long things take.
#
# With TESTS, names of test/system without .sh, these run there, too, and take their time. What is
# unpacked and built stays, and is gone on with the next time: make distclean takes it away. Where
# something is missing that this takes, it says so and ends well.
#
# Stages: without one out here; "run" in namespaces, which end with their first process.
set -eu
. "${0%/*}/../trixie/debian.sh"

unpacked="bash coreutils dash diffutils elfutils file findutils gawk gcc g++ gfortran grep gzip
    hostname libcairo2-dev libcriterion-dev libdw-dev libisal-dev libjansson-dev libmicrohttpd-dev
    libmpich-dev libncurses-dev libopenmpi-dev libotf2-trace-dev libpng-dev mpich openmpi-bin
    otf2-tools procps python3 python3-mpi4py python3-otf2 python3-six sed unzip util-linux
    zlib1g-dev"
# Under QEMU 7.2 no memory is asked for in huge pages, and the latter does not end.
unable="huge_pages_test team_watch_test"
# Here a child of the recorder's does end with a signal (emulated.c).
unlike='sites/a_child_is_not_noticed'
triplet=aarch64-linux-gnu
python=/usr/bin/python3

: "${started=$(date +%s)}"
say() {
    printf 'check-arm: %s s: %s\n' "$(($(date +%s) - started))" "$*"
}

skip() {
    say "skipped: $*"
    exit 0
}

# --- out here ----------------------------------------------------------------------------

need_all() {
    [ "$(uname -m)" != aarch64 ] || skip "this is such a machine: make check"
    need_debian mmdebstrap qemu-aarch64-static $triplet-gcc pkg-config chroot
}

# Unpacked is not installed: no script of a package's runs.
unpack() {
    [ "$(cat "$root/.unpacked" 2>/dev/null)" != "$unpacked" ] || return 0
    rm -rf --one-file-system "$root"
    say "mmdebstrap $VERSION_CODENAME, arm64, from $mirror"
    timeout 600 mmdebstrap --architectures=arm64 --variant=extract --mode=root --skip=check/qemu \
        --include="$(echo $unpacked | tr ' ' ,)" "$VERSION_CODENAME" "$root" "$mirror" \
        >"$results/mmdebstrap.log" 2>&1 || {
        tail -3 "$results/mmdebstrap.log"
        skip "no Debian of arm64 could be had from $mirror"
    }
    ln -sf gawk "$root/usr/bin/awk" # as its own scripts would have done
    echo "$unpacked" >"$root/.unpacked"
}

# What is executed in there is run by QEMU.
emulate() {
    cp "$(command -v qemu-aarch64-static)" "$root/qemu"
    "$triplet-gcc" --sysroot="$root" -O1 -Wall -Wextra -Werror -shared -fPIC \
        -o "$root/emulated.so" "${0%/*}/emulated.c"
    echo /emulated.so >"$root/etc/ld.so.preload"
}

# compiler MPI FLAGS LIBRARIES: what mpicc.MPI is, for the cross compiler.
compiler() {
    printf '#!/bin/sh\nexec %s-gcc --sysroot=%s %s "$@" -Wl,-rpath-link,%s %s\n' "$triplet" \
        "$root" "$2" "$libraries" "$3" >"$work/mpicc.$1"
    chmod +x "$work/mpicc.$1"
}

# The build's make, or another program that finds the libraries of arm64.
crossing() {
    PKG_CONFIG_LIBDIR="$libraries/pkgconfig:$root/usr/share/pkgconfig" \
        PKG_CONFIG_SYSROOT_DIR="$root" "$@"
}

build() {
    compiler openmpi "-I$libraries/openmpi/include" "-L$libraries/openmpi/lib -lmpi"
    compiler mpich "-I$root/usr/include/$triplet/mpich" "-L$libraries -lmpich"
    mkdir -p "$work/build"
    cd "$work/build"
    [ -f config.status ] || {
        say "configure"
        crossing "$TOP_SRCDIR/configure" -q --host="$triplet" --enable-werror \
            CC="$triplet-gcc --sysroot=$root" CFLAGS="-O1 -g1" \
            MPICC_OPENMPI="$work/mpicc.openmpi" MPICC_MPICH="$work/mpicc.mpich" \
            RUN_BUILT="qemu-aarch64-static -L $root" \
            >"$results/configure.log" 2>&1 || {
            tail -5 "$results/configure.log"
            exit 1
        }
    }
    say "make"
    # No test's compiler of Fortran: it would be this machine's.
    set -- -j"$(nproc)" mpi_fortran=
    { crossing make "$@" all && crossing make "$@" check TESTS= check_SCRIPTS= \
        check_PROGRAMS='$(unit_tests)'; } >"$results/make.log" 2>&1 || {
        grep -A3 'error' "$results/make.log" | tail -20
        exit 1
    }
    cd - >/dev/null
}

# --- in the namespaces -------------------------------------------------------------------

# inside COMMAND...: a program of that Debian's, in the build.
inside() {
    env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin QEMU_CPU=max CC=gcc \
        TOP_SRCDIR="$TOP_SRCDIR" TOP_BUILDDIR="$work/build" OMPI_ALLOW_RUN_AS_ROOT=1 \
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none \
        srcdir="$TOP_SRCDIR" chroot "$root" /qemu /bin/bash -c 'cd "$1" && shift && exec "$@"' \
        bash "$work/build" "$@"
}

# Directories of here that are seen there, by the same names.
show() {
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t proc none "$root/proc"
    mount -t tmpfs -o mode=1777 none "$root/tmp"
    for directory in "$TOP_SRCDIR" "$work"; do
        mkdir -p "$root$directory"
        mount --bind "$directory" "$root$directory"
    done
    cp /etc/hosts /etc/passwd /etc/group "$root/etc/"
}

fail() {
    say "FAILED: $*"
    status=1
}

run_units() {
    local name
    for test in "$work"/build/test/unit/*/*_test; do
        name=${test##*/}
        case " $unable " in
        *" $name "*)
            say "$name is not for QEMU"
            continue
            ;;
        esac
        inside timeout 300 "$test" --filter="!($unlike)" >"$results/$name.log" 2>&1 || {
            tail -20 "$results/$name.log"
            fail "$name"
        }
    done
    say "$(cat "$results"/*_test.log | sed -n 's/.*Passing: \([0-9]*\).*/\1/p' |
        awk '{ n += $1 } END { print n }') unit tests pass"
}

# write_program: 100 receives and sends of each rank at four lines, and two barriers by a library,
# of which the frames are fixed, vary, and are large.
write_program() {
    cat >library.c <<'PROGRAM'
#include <alloca.h>
#include <mpi.h>
#include <string.h>

static void deeper(int depth)
{
    volatile char room[3000];
    char *more = alloca((size_t)depth * 50 + 16);

    room[0] = 1;
    memset(more, 1, 16);
    if (depth > 0) {
        deeper(depth - 1);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    room[1] = more[3];
}

void meet(void)
{
    deeper(3);
}
PROGRAM
    cat >program.c <<'PROGRAM'
#include <mpi.h>

void meet(void);

int main(int argc, char **argv)
{
    int rank, value = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++) {
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); /* first */
            MPI_Recv(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* second */
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* third */
            MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD); /* fourth */
        }
    }
    meet(); /* fifth */
    meet(); /* sixth */
    MPI_Finalize();
    return 0;
}
PROGRAM
}

# line WORD: of the program.
line() {
    sed -n "/\/\* $1 \*\//=" program.c
}

# told_calls ARCHIVE: place, number and callers of calls, as that machine's analyzer tells them.
told_calls() {
    inside ./mpiwatch-analyze sites --stacks --json "$1" |
        "$python" -c 'import json, sys
for site in json.load(sys.stdin)["sites"]:
    if site["call"] in ("MPI_Barrier", "MPI_Recv", "MPI_Send"):
        for way in site["callers"]:
            frames = [f["function"] + ":" + str(f["line"]) for f in way["stack"]]
            print(site["call"], site["line"], way["count"], *frames)' | sort
}

# record MPI PROTECTION: a run, whose calls have to be told as they are.
record() {
    local expected library flags="-O2 -g -fno-optimize-sibling-calls -mbranch-protection=$2"
    "$work/mpicc.$1" $flags -shared -fPIC -o libmeet.so library.c
    "$work/mpicc.$1" $flags -o program program.c -L. -lmeet -Wl,-rpath,"$PWD"
    inside timeout 120 "mpirun.$1" -n 2 ./mpiwatch-record -q --force -o "$PWD/$1.zip" \
        "$PWD/program" >out 2>&1 || {
        cat out
        fail "$1, $2: no recording"
        return
    }
    library="meet:22 deeper:13 deeper:13 deeper:13 deeper:15"
    expected="MPI_Barrier 15 2 main:$(line fifth) $library
MPI_Barrier 15 2 main:$(line sixth) $library
MPI_Recv $(line second) 100
MPI_Recv $(line third) 100
MPI_Send $(line first) 100
MPI_Send $(line fourth) 100"
    told_calls "$PWD/$1.zip" >told
    [ "$(cat told)" = "$expected" ] || {
        printf '%s\n' "$expected" | diff - told || true
        fail "$1, $2: calls"
    }
    inside ./mpiwatch-analyze dump "$PWD/$1.zip" >there
    "$TOP_BUILDDIR/mpiwatch-analyze" dump "$1.zip" >here
    cmp here there || fail "$1, $2: it reads otherwise here"
}

run() {
    status=0
    show
    run_units
    mkdir -p "$work/recordings"
    cd "$work/recordings"
    write_program
    for mpi in openmpi mpich; do
        record "$mpi" none
        record "$mpi" standard
    done
    say "recordings are done"
    for test in ${TESTS-}; do
        inside bash "$TOP_SRCDIR/test/system/$test.sh" >"$results/$test.log" 2>&1 || {
            tail -20 "$results/$test.log"
            fail "$test"
        }
        say "$test"
    done
    exit "$status"
}

work=$TOP_BUILDDIR/arm
root=$work/root
results=$work/results
libraries=$root/usr/lib/$triplet
case ${1-} in
run) run ;;
*)
    mkdir -p "$results"
    need_all
    unpack
    emulate
    build
    export started
    status=0
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child bash "$0" run </dev/null ||
        status=$?
    say "done"
    exit "$status"
    ;;
esac
