# Of check-packages, in a clean Debian with the packages in the working directory: installs them as
# a user would, and records programs of Debian's and of its own with them, under both MPIs. Prints
# the reports, and "used: all" in the end.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo
export UCX_LOG_LEVEL=fatal

fail() {
    echo "use: FAILED: $*"
    exit 1
}

# reported ARCHIVE: the report, and whether the archive is sound.
reported() {
    [ -s "$1" ] || fail "there is no $1"
    mpiwatch-analyze validate "$1" | grep -q ': sound' || fail "$1 is not sound"
    COLUMNS=80 mpiwatch-analyze "$1" | tee report
    grep -q '^verdict' report && grep -q 'lost 0' report || fail "the report of $1"
}

apt-get -qq update
apt-get -qq -y --no-install-recommends install ./mpiwatch_*.deb ./libmpiwatch-*_*.deb \
    ./mpiwatch-doc_*.deb lammps mpich netpipe-mpich2 gcc pkgconf libopenmpi-dev libmpich-dev \
    >/dev/null 2>apt.log || { tail -5 apt.log && fail "the packages can't be installed"; }
dpkg -l 'mpiwatch*' 'libmpiwatch*' | grep '^ii' | cut -c 1-70
rm -f ./*.deb

echo "--- Open MPI: LAMMPS"
cat >in.melt <<'LAMMPS'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 100
run 300
LAMMPS
timeout 300 mpirun.openmpi -n 2 mpiwatch-record -o lammps.otf2.zip lmp -in in.melt -log none \
    </dev/null >lammps.out
reported lammps.otf2.zip

echo "--- MPICH: NetPIPE"
timeout 300 mpirun.mpich -n 2 mpiwatch-record -o netpipe.otf2.zip \
    NPmpich2 -n 50 -u 65536 -o np.out </dev/null >netpipe.out 2>&1
reported netpipe.otf2.zip

# A program that speaks to the recorder, built with libmpiwatch-dev, and one of the examples.
cat >speaks.c <<'C'
#include <mpi.h>
#include <mpiwatch.h>
int main(int argc, char **argv)
{
    int sum = 1;

    MPI_Init(&argc, &argv);
    mpiwatch_region_begin("solve");
    for (int i = 0; i < 1000; i++) {
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    mpiwatch_region_end("solve");
    MPI_Finalize();
    return 0;
}
C
faults=$(find /usr/share/doc -name 'faults.c*')
case $faults in
*.gz) gzip -dc "$faults" >faults.c ;;
*) cp "$faults" faults.c ;;
esac
for mpi in openmpi mpich; do
    echo "--- $mpi: mpiwatch.h, an example, mpiwatch-vars"
    mpicc.$mpi -g -o speaks speaks.c $(pkg-config --cflags --libs mpiwatch)
    timeout 120 mpirun.$mpi -n 2 mpiwatch-record -q -o "speaks-$mpi.otf2.zip" ./speaks </dev/null
    mpiwatch-analyze pop --json "speaks-$mpi.otf2.zip" | grep -q '"solve"' || fail "no region"
    mpicc.$mpi -g -pthread -o faults faults.c -lm
    timeout 120 mpirun.$mpi -n 2 mpiwatch-record -q -o "faults-$mpi.otf2.zip" ./faults imbalance \
        </dev/null >faults.out
    # The line is there: mpiwatch-resolve was found.
    mpiwatch-analyze "faults-$mpi.otf2.zip" | tee report
    mpiwatch-analyze sites "faults-$mpi.otf2.zip" | grep -q 'faults\.c:[0-9]' || fail "no lines"
    timeout 60 mpiwatch-vars --mpi "$mpi" >vars.out || fail "mpiwatch-vars: $(tail -2 vars.out)"
done
echo "--- mpiwatch-view"
mpiwatch-view --print-url lammps.otf2.zip >view.url &
view=$!
for ((at = 0; at < 300; at++)); do
    [ ! -s view.url ] || break
    sleep 0.1
done
url=$(cat view.url)
server=${url#http://}
server=${server%%/*}
# get PATH COOKIE: what is answered, with its head.
get() {
    exec 3<>"/dev/tcp/${server%:*}/${server#*:}"
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nConnection: close\r\n\r\n' \
        "$1" "$server" "$2" >&3
    tr -d '\r' <&3
    exec 3>&-
}
cookie=$(get "${url#"http://$server"}" none | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p')
[ -n "$cookie" ] || fail "no way into the view at $url"
for ((at = 0; at < 300; at++)); do
    get /meta "$cookie" >meta
    ! head -1 meta | grep -q ' 503' || { sleep 0.1 && continue; }
    break
done
grep -q '"rows":\[{"rank":0' meta || fail "the view shows nothing: $(head -c 500 meta)"
get / "$cookie" >page
for file in $(grep -oE '(href|src)="/[^"]*"' page | sed 's/.*="//; s/"//'); do
    get "$file" "$cookie" | head -1 | grep -q ' 200' || fail "the view has no $file"
    echo "$file is there"
done
kill "$view"
wait "$view" || fail "the view ended with $?"

for file in /usr/share/doc/mpiwatch/html/index.html \
    /usr/share/man/man1/mpiwatch-{analyze,record,recover,top,vars,view}.1.gz \
    /usr/share/bash-completion/completions/mpiwatch-{analyze,record,recover,top,vars,view}.bash \
    /usr/share/zsh/site-functions/_mpiwatch-view; do
    # Some installations leave manual pages out.
    [ -s "$file" ] || dpkg -L mpiwatch mpiwatch-doc | grep -qx "$file" || fail "no $file"
done
echo "used: all"
