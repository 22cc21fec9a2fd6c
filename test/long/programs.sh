# Functions of the tests that run other people's programs; sourced after recordings.sh.

# prepare_hpcc N: writes hpccinf.txt for a matrix of N rows on a 1 x 2 grid.
prepare_hpcc() {
    sed "6s/.*/$1 Ns/; 11s/.*/1 Ps/; 12s/.*/2 Qs/" /usr/share/doc/hpcc/examples/_hpccinf.txt \
        >hpccinf.txt
}

# scalapack_of MPI: the folder of ScaLAPACK's test programs, or nothing.
scalapack_of() {
    local folder
    for folder in /usr/lib/*/scalapack/"$1"-tests; do
        [ ! -d "$folder" ] || echo "$folder"
    done
}

# verdicts_of FILE: what a test says of its results, without the times it took. How often
# hpcc says that something passed depends on these, too.
verdicts_of() {
    grep -oE 'PASSED|FAILED|passed|failed|Success=[01]|^ *[0-9]+ tests completed.*' "$1" |
        sort -u
}

# same_verdicts MPI RANKS PROGRAM FILE [ARGUMENT...]: runs the program without and with the
# recorder; FILE is where it writes its verdicts ("output" is stdout).
same_verdicts() {
    local mpi=$1 ranks=$2 program=$3 file=$4 name plain=0 code=0
    name=$(basename "$program")
    shift 4
    rm -f "$file"
    run_mpi "$mpi" "$ranks" "$program" "$@" >output 2>plain.err || plain=$?
    verdicts_of "$file" >plain.verdicts
    rm -f "$file" archive.otf2.zip
    run_mpi "$mpi" "$ranks" "$record" -o archive.otf2.zip "$program" "$@" >output 2>recorded.err ||
        code=$?
    verdicts_of "$file" >verdicts
    [ "$plain" -eq "$code" ] || wrong "$name, $mpi: exit $code, without the recorder $plain"
    [ -s verdicts ] || wrong "$name, $mpi: it says nothing of its results"
    cmp -s plain.verdicts verdicts || wrong "$name, $mpi: $(diff plain.verdicts verdicts)"
    matched "$name, $mpi"
}

# matched WHAT: nothing is unmatched or lost in archive.otf2.zip.
matched() {
    if [ ! -e archive.otf2.zip ]; then
        wrong "$1: no archive: $(grep mpiwatch: recorded.err | head -3)"
        return 0
    fi
    reported info archive
    assert_equal "0 0 0" "$(json info.json \
        '" ".join(str(d[k]) for k in ("unmatched_sends", "unmatched_receives", "lost_events"))')" \
        "$1: unmatched sends, unmatched receives, lost events"
}

# find_mpi4py_tests: sets $mpi4py_tests, the folder test/ of mpi4py's sources: MPI4PY_TESTS, or
# that of release 3.1.5, which is fetched. Debian 12 has 3.1.4, whose sources are in no archive that
# lasts. The tests before and after it (3.1.3, 3.1.5) differ in four files; 3.1.4 passes all of
# the later ones, and fails one of the earlier, on a buffer that 3.1.4 has learned to take.
find_mpi4py_tests() {
    "$python" -c 'import mpi4py' 2>/dev/null || skip "no mpi4py here"
    "$python" -c 'import setuptools' 2>/dev/null || skip "no setuptools, which its tests want"
    mpi4py_tests=${MPI4PY_TESTS-}
    if [ -z "$mpi4py_tests" ]; then
        "$python" -c 'import mpi4py; assert mpi4py.__version__.startswith("3.1.")' 2>/dev/null ||
            skip "this mpi4py is no 3.1, and MPI4PY_TESTS does not say where its test/ is"
        fetch_sources 29cc7ad701c190ef37622e4a2b2e2dab94fbc7777b1a15fa2029097c41b6edf0 \
            http://archive.ubuntu.com/ubuntu/pool/universe/m/mpi4py/mpi4py_3.1.5.orig.tar.gz \
            http://deb.debian.org/debian/pool/main/m/mpi4py/mpi4py_3.1.5.orig.tar.gz ||
            skip "no network that has the sources of mpi4py ($(cat fetched)), and" \
                "MPI4PY_TESTS does not say where their test/ is"
        mpi4py_tests=$(echo "$scratch"/mpi4py-*/test)
    fi
    [ -f "$mpi4py_tests/runtests.py" ] || skip "$mpi4py_tests has no runtests.py"
}

# fetch_sources SHA256 ADDRESS...: unpacks an archive in $scratch, from the first that has it.
# What went wrong is in the file fetched.
fetch_sources() {
    "$python" - "$@" >fetched 2>&1 <<'PYTHON' && tar xf sources.tar
import hashlib, sys, urllib.request
for place in sys.argv[2:]:
    try:
        archive = urllib.request.urlopen(place, timeout=20).read()
        if hashlib.sha256(archive).hexdigest() == sys.argv[1]:
            open("sources.tar", "wb").write(archive)
            sys.exit(0)
        print(place, "holds something else", end="; ")
    except OSError as reason:
        print(place, reason, end="; ")
sys.exit(1)
PYTHON
}

# mpi4py_suite OUTCOMES OPTIONS COMMAND...: runs it on 2 ranks, under COMMAND if there is one, and
# writes rank, test and outcome to the file OUTCOMES. The output of each rank is in suite.RANK,
# the status in $suite_status.
mpi4py_suite() {
    local outcomes=$1 options=$2
    shift 2
    rm -f suite.*
    suite_status=0
    (cd "$mpi4py_tests" && run_openmpi 2 sh -c \
        "exec \"\$@\" >'$scratch'/suite.\$OMPI_COMM_WORLD_RANK 2>&1" sh \
        "$@" "$python" runtests.py --verbose --no-builddir $options) >launcher.out 2>&1 ||
        suite_status=$?
    "$python" - suite.0 suite.1 >"$outcomes" <<'PYTHON'
import re, sys
TEST = re.compile(r"^(\w+ \([\w.]+\))(?:\n.*)? \.\.\. ", re.MULTILINE)
OUTCOME = re.compile(r"(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$", re.M)
for rank, name in enumerate(sys.argv[1:]):
    text = open(name, errors="replace").read()
    tests = list(TEST.finditer(text))
    ends = [test.start() for test in tests[1:]] + [len(text)]
    lines = []
    for test, end in zip(tests, ends):
        outcome = OUTCOME.search(text, test.end(), end)
        lines.append((test[1], outcome[1] if outcome else "did not end"))
    for line in sorted(lines):
        print(rank, *line)
PYTHON
}

# same_mpi4py_outcomes LEAST OPTION...: each test of the suite ends alike with the recorder and
# without, LEAST of them and more on each rank pass, and everything is in a sound archive.
same_mpi4py_outcomes() {
    local least=$1 plain code=0
    shift
    mpi4py_suite plain.outcomes "$*"
    plain=$suite_status
    rm -f archive.otf2.zip
    mpi4py_suite outcomes "$*" "$record" -o "$scratch/archive.otf2.zip"
    assert_equal "$plain" "$suite_status" "exit status, without the recorder and with it"
    [ "$(grep -c ' ok$' outcomes)" -ge $((2 * least)) ] ||
        wrong "few tests passed: $(tail -n 5 suite.0 launcher.out)"
    cmp -s plain.outcomes outcomes ||
        wrong "outcomes differ: $(diff plain.outcomes outcomes | head)"
    cp suite.0 recorded.err
    matched "mpi4py $*"
    "$analyze" validate archive.otf2.zip >validate.out 2>&1 || code=$?
    assert_equal 0 "$code" "validate: $(tail -n 3 validate.out)"
}

# The parts of the suite. Spawning is apart: Open MPI 4.1 hangs in it now and then, recorder or
# not. Without threads there are windows; with them its osc/pt2pt refuses to make any, and what it
# would take else (osc/rdma) crashes, recorder or not.
mpi4py_with_threads() {
    same_mpi4py_outcomes 1100 --threads --exclude=test_spawn "$@"
}

mpi4py_without_threads() {
    OMPI_MCA_osc=sm,pt2pt same_mpi4py_outcomes "$1" --no-threads --exclude=test_spawn "${@:2}"
}

# mpi4py_spawns CLASS...: the same for the tests of these classes of test_spawn, each in a job of
# its own that is begun anew when it hangs.
mpi4py_spawns() {
    local class name test_timeout=20
    for class; do
        for name in $(sed -n 's/^    def \(test[A-Za-z0-9]*\).*/\1/p' \
            "$mpi4py_tests/test_spawn.py"); do
            mpi4py_spawn plain.outcomes "$class.$name"
            mpi4py_spawn outcomes "$class.$name" "$record" -o "$scratch/archive.otf2.zip"
            cmp -s plain.outcomes outcomes ||
                wrong "outcomes differ: $(diff plain.outcomes outcomes)"
            [ "$(grep -c ' ok$' outcomes)" -eq 2 ] ||
                wrong "$class.$name did not pass on both ranks: $(cat outcomes)"
            cp suite.0 recorded.err
            matched "mpi4py $class.$name"
        done
    done
}

# mpi4py_spawn OUTCOMES TEST COMMAND...: as mpi4py_suite, with a new try when it hangs.
mpi4py_spawn() {
    local outcomes=$1 name=$2 try
    shift 2
    for try in 1 2 3 4 5 6; do
        rm -f archive*.otf2.zip*
        mpi4py_suite "$outcomes" "--include=test_spawn --pattern=*.$name" "$@"
        [ "$suite_status" -eq 124 ] || break
    done
}

# fetch_mpich: unpacks the sources of the MPICH that Debian 12 has in $scratch.
fetch_mpich() {
    fetch_sources b27039f964afeb6b8a3e009c56b441cbe368c26d6d6476ad3bb7190996875860 \
        http://deb.debian.org/debian/pool/main/m/mpich/mpich_4.0.2.orig.tar.xz
}

# find_mpich_tests: sets $mpich_tests, the folder test/mpi of MPICH's sources: MPICH_TESTS, or that
# of the release that Debian 12 has, which is fetched.
find_mpich_tests() {
    mpich_tests=${MPICH_TESTS-}
    if [ -z "$mpich_tests" ]; then
        fetch_mpich ||
            skip "no network that has the sources of MPICH ($(cat fetched)), and" \
                "MPICH_TESTS does not say where their test/mpi is"
        mpich_tests=$(echo "$scratch"/mpich-*/test/mpi)
    fi
    [ -x "$mpich_tests/configure" ] || skip "$mpich_tests has no configure"
}

# build_mpich_tests MPI: in the folder MPI, those in C that this MPI has the calls for. Open MPI has
# those that MPI 3.0 removed, and its mpi.h declares them when it is told to. Optimised, coll/allred
# alone compiles for minutes.
build_mpich_tests() {
    mkdir "$1"
    (
        cd "$1"
        unset MAKEFLAGS MFLAGS
        "$mpich_tests/configure" --quiet --disable-cxx --disable-fortran --enable-threads=multiple \
            MPICC="$(mpicc_of "$1")" CFLAGS=-O0 CPPFLAGS=-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 &&
            make --keep-going -j2
    ) >"$1.log" 2>&1 || true
}

# same_mpich_outcomes MPI RANKS LEAST: each test of at most RANKS ends alike with the recorder and
# without, and LEAST of them or more pass: where no program starts, all end alike.
same_mpich_outcomes() {
    local mpi=$1 launcher=$MPIRUN_OPENMPI code=0
    [ "$mpi" = openmpi ] || launcher=$MPIRUN_MPICH
    "$python" "$TOP_SRCDIR/test/long/mpich_tests.py" --source "$mpich_tests" --build "$mpi" \
        --record "$record" --analyze "$analyze" --ranks "$2" -- "$launcher" >outcomes ||
        code=$?
    cat outcomes
    [ "$code" -eq 0 ] || wrong "$mpi: tests that end otherwise: $(grep FAILED outcomes)"
    [ "$(sed -n 's/.* ended, \([0-9]*\) passed, .*/\1/p' outcomes)" -ge "$3" ] ||
        wrong "$mpi: few passed: $(tail -n 1 outcomes); building them ended so: $(tail "$mpi.log")"
}
