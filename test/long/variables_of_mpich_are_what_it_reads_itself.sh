# An MPICH that has performance variables, which those of distributions have not: levels, counters
# and timers come out as a program (reads_variables.c) reads them itself at each step, with the
# default settings. Those of one-sided communication stand still until they are started: they are
# not observed by default, and as it reads them with --pvar-start. Sources: MPICH_SOURCES, or
# those of the release that Debian 12 has, which are fetched. Building them takes some ten minutes
# on two cores; MPICH_WITH_PVARS is where one is installed.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi mpich
need "$MPICC_MPICH"

# find_mpich_sources: sets $mpich_sources.
find_mpich_sources() {
    mpich_sources=${MPICH_SOURCES-}
    if [ -z "$mpich_sources" ]; then
        fetch_mpich || skip "no network that has the sources of MPICH ($(cat fetched)), and" \
            "MPICH_SOURCES does not say where they are"
        mpich_sources=$(echo "$scratch"/mpich-*)
    fi
    [ -x "$mpich_sources/configure" ] || skip "$mpich_sources has no configure"
}

# build_mpich NAME: the library into the folder mpich, called as the one that is installed.
build_mpich() {
    mkdir build
    (
        cd build
        unset MAKEFLAGS MFLAGS
        MPILIBNAME=$1 "$mpich_sources/configure" --quiet --prefix="$scratch/mpich" \
            --disable-fortran --disable-cxx --disable-static --disable-dependency-tracking \
            --with-device=ch3:nemesis --enable-mpit-pvars=all --enable-fast=O1 --with-hwloc=no \
            --with-datatype-engine=dataloop --with-pm=no --with-pmi=simple &&
            make -j2 && make install
    ) >build.log 2>&1 || skip "MPICH can't be built here: $(tail -1 build.log)"
}

$MPICC_MPICH -O1 -o reads "$TOP_SRCDIR/test/long/reads_variables.c"
library=$(objdump -p reads | sed -n 's/^ *NEEDED *lib\(mpi[^. ]*\)\.so\.12$/\1/p')
[ -n "$library" ] || skip "the MPICH here is not of the ABI of MPICH 3 and 4"
if [ -n "${MPICH_WITH_PVARS-}" ]; then # one that is there, to save the time
    ln -s "$MPICH_WITH_PVARS" mpich
else
    find_mpich_sources
    build_mpich "$library"
fi

cat >check.py <<'PYTHON'
import json
import sys

CLASSES = {"C": "COUNTER", "T": "TIMER", "L": "LEVEL"}
wrong = []


def key(name, kind, rank):
    return name.split(".")[0], kind, rank


rows = {key(row["name"], row["class"], row["rank"]): row
        for row in json.load(open("counters.json"))["pvars"]
        if "." not in row["name"] or row["name"].endswith(".sum")}
marks = {(row["name"].split(".")[0], row["rank"]): row["high"]
         for row in json.load(open("watermarks.json"))["watermarks"]}
compared = dict.fromkeys(CLASSES, 0)
greatest = {}
for line in open("truth"):
    if not line.startswith("truth "):
        continue
    _, rank, name, letter, runs, *numbers = line.split()
    first, last, most = map(float, numbers)
    row = rows.get(key(name, CLASSES[letter], int(rank)))
    compared[letter] += 1
    if row is None:
        wrong.append("%s is not there" % line)
    elif runs == "0" and "--pvar-start" not in sys.argv:
        if (row["observed"], row["total"], row["coverage"]) != (False, None, 0):
            wrong.append("%s: observed" % line)
    elif letter == "L":
        mark = marks[name, int(rank)]
        greatest[name] = max(most, greatest.get(name, 0))
        if (row["last"], row["max"], mark["value"]) != (last, most, most):
            wrong.append("%s: %s" % (line, (row["last"], row["max"], mark["value"])))
    elif abs(row["total"] - (last - first)) > (1e-6 if letter == "T" else 0):
        wrong.append("%s: total %s, not %s" % (line, row["total"], last - first))
for name, value in (("unexpected_recvq_length", 20), ("unexpected_recvq_buffer_size", 2000),
                    ("posted_recvq_length", 7)):
    if greatest.get(name) != value:
        wrong.append("%s: %s at most, not %s" % (name, greatest.get(name), value))
if compared["L"] < 6 or compared["C"] < 40 or compared["T"] < 20:
    wrong.append("compared only %s" % compared)
print(compared)
sys.exit("\n".join(wrong) or 0)
PYTHON
for start in "" --pvar-start; do
    LD_LIBRARY_PATH=$scratch/mpich/lib run_mpich 2 "$record" -q --pvars=all $start --force \
        -o reads.otf2.zip ./reads >truth
    "$analyze" counters --json reads.otf2.zip >counters.json
    "$analyze" watermarks --json reads.otf2.zip >watermarks.json
    "$python" check.py $start || fail "against the program's own reads, option '$start'"
done
