# An Open MPI that uses its software performance counters, which those of distributions do not:
# counters, levels and their high-water marks come out as a program (reads_variables.c) reads them
# itself at each step, with the default settings and read at each call. A high-water mark is set
# back by who reads it, so that what the program read of it has to count. Sources:
# OPENMPI_SOURCES, or those of the release that Debian 12 has, which are fetched. Building them
# takes some fifteen minutes on two cores; what is built stays in TEST_CACHE (else
# ~/.cache/mpiwatch). OPENMPI_WITH_SPC is where one is installed.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi openmpi
[ -e "$(library openmpi)" ] || skip "no library for Open MPI was built"

# find_openmpi_sources: sets $openmpi_sources.
find_openmpi_sources() {
    openmpi_sources=${OPENMPI_SOURCES-}
    if [ -z "$openmpi_sources" ]; then
        fetch_sources ddaee7dbdb01eb4fab1fda5b5e03e8bbff026711806c095c1f39bb410f99f263 \
            http://deb.debian.org/debian/pool/main/o/openmpi/openmpi_4.1.4.orig.tar.xz ||
            skip "no network that has the sources of Open MPI ($(cat fetched)), and" \
                "OPENMPI_SOURCES does not say where they are"
        openmpi_sources=$(echo "$scratch"/openmpi-*)
    fi
    [ -x "$openmpi_sources/configure" ] || skip "$openmpi_sources has no configure"
}

# build_openmpi PREFIX: with as little else as it can do without.
build_openmpi() {
    mkdir -p build "$1"
    (
        cd build
        unset MAKEFLAGS MFLAGS
        "$openmpi_sources/configure" --quiet --prefix="$1" --enable-spc \
            --enable-mpi-fortran=no --disable-mpi-java --disable-oshmem --disable-io-romio \
            --disable-static --disable-dependency-tracking --with-pmix=internal \
            --with-libevent=internal --with-hwloc=internal --without-ucx --without-ofi \
            --without-verbs --without-psm2 --without-slurm CFLAGS=-O1 &&
            make -j2 && make install && touch "$1/complete"
    ) >build.log 2>&1 || skip "Open MPI can't be built here: $(tail -1 build.log)"
}

prefix=${OPENMPI_WITH_SPC-}
if [ -z "$prefix" ]; then
    prefix=${TEST_CACHE:-$HOME/.cache/mpiwatch}/openmpi-4.1.4-spc
    if [ ! -e "$prefix/complete" ]; then
        find_openmpi_sources
        build_openmpi "$prefix"
    fi
fi
MPIRUN_OPENMPI=$prefix/bin/mpirun
"$prefix/bin/mpicc" -O1 -o reads "$TOP_SRCDIR/test/long/reads_variables.c"

cat >check.py <<'PYTHON'
import json
import sys

PREFIX = "runtime_spc_OMPI_SPC_"
LATE = 20  # of reads_variables.c
wrong = []
rows = {(row["name"], row["rank"]): row for row in json.load(open("counters.json"))["pvars"]}
marks = {(row["name"], row["rank"]): row["high"]
         for row in json.load(open("watermarks.json"))["watermarks"]}
counted = {"COUNTER": 0, "LEVEL": 0, "HIGHWATERMARK": 0}
moved = 0
for line in open("truth"):
    if not line.startswith("truth ") or PREFIX not in line:
        continue
    _, rank, name, _, _, *numbers = line.split()
    first, last, most = map(float, numbers)
    row = rows[name, int(rank)]
    kind = row["effective_class"]
    counted[kind] += 1
    if kind == "COUNTER":
        moved += row["total"] > 0
        if row["total"] != last - first:
            wrong.append("%s: total %s, not %s" % (line, row["total"], last - first))
        continue
    mark = marks[name, int(rank)]
    if kind == "LEVEL" and row["last"] != last:
        wrong.append("%s: last %s" % (line, row["last"]))
    # Who reads the library's mark first gets it, so that the program may not have seen it.
    if name.endswith("UNEXPECTED_IN_QUEUE") and rank == "0":
        most = LATE
        if mark["value"] != LATE and "--pvar-interval=0" in sys.argv:
            wrong.append("%s: %s at most, not %s" % (line, mark["value"], LATE))
    if mark["upper"] is not None and mark["upper"] < most:
        wrong.append("%s: %s at most" % (line, mark["upper"]))
    if mark["exact"] and mark["value"] < most:
        wrong.append("%s: exactly %s" % (line, mark["value"]))
if counted["COUNTER"] < 200 or moved < 20 or min(counted.values()) < 4:
    wrong.append("compared only %s, of which %s moved" % (counted, moved))
print(counted, moved)
sys.exit("\n".join(wrong) or 0)
PYTHON
export OMPI_MCA_mpi_spc_attach=all
for option in "" --pvar-interval=0; do
    LD_LIBRARY_PATH=$prefix/lib run_openmpi 2 "$record" -q --pvars=all $option --force \
        -o reads.otf2.zip ./reads >truth
    "$analyze" counters --json reads.otf2.zip >counters.json
    "$analyze" watermarks --json reads.otf2.zip >watermarks.json
    "$python" check.py $option || fail "against the program's own reads, option '$option'"
done
