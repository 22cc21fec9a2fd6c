# Every call has the frames of the program that it came by, as glibc's backtrace() says at the same
# moment: recursion, pointers to functions, frames of any size and alignment, threads, longjmp,
# libraries that come to lie where others were; in C, C++ and Fortran, however it was optimised.
# Frames past the number that is asked for, a signal's and those on another stack are cut off, and
# the archive says so. A run that was killed has its stacks, too.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

tells_stacks || skip "stacks are not told on this machine"
sources=$TOP_SRCDIR/test/system

# told FUNCTION: how many calls of the dump it has made, or what it called: leaf, which has its
# parameters in C++.
told() {
    grep -c " enter .*MPI_Comm_size.* stack=\(leaf\((.*)\)\? ([^)]*) < \)\?$1 (" dump
}

# compare WHAT MPI FRAMES: records ./program and compares it with what it says itself.
compare() {
    local what="$2, $1, $3 frames"
    rm -rf truth.* x stacks.zip
    run_mpi "$2" 2 "$record" -q -e all --sites="stack:$3" -o stacks.zip ./program truth ./first.so \
        ./other.so ./twin.so >out 2>err || fail "$what: $(cat err)"
    assert_contains "$(cat out)" "one place"
    unzip -q stacks.zip -d x
    "$python" "$sources/stacks.py" x truth 2 "$3" >out 2>&1 || wrong "$what: $(tail -5 out)"
    if [ "$3" -gt 1 ]; then # two calls, ten times, of two ranks each; of inner in two libraries
        "$analyze" dump stacks.zip >dump
        assert_equal "40 80" "$(told twin) $(told inner)" "$what: libraries"
    fi
}

for mpi in $(built_mpis); do
    compiler=$(mpicc_of "$mpi")
    "$compiler" -g -O2 -shared -fPIC -o first.so "$sources/stacks_library.c"
    "$compiler" -g -O2 -DOTHER -shared -fPIC -o other.so "$sources/stacks_library.c"
    "$compiler" -g -O2 -DTWIN -shared -fPIC -o twin.so "$sources/stacks_library.c"
    for way in "16 -O0" "5 -O1" "64 -O2" "16 -O2 -fno-omit-frame-pointer" "1 -O3"; do
        set -- $way
        frames=$1
        shift
        "$compiler" -g "$@" -w -rdynamic -o program "$sources/stacks.c" -ldl -lpthread ||
            fail "$mpi, $way: it can't be compiled"
        compare "$*" "$mpi" "$frames"
    done
    "$analyze" validate stacks.zip >out 2>err || wrong "$mpi: $(cat out err)"
    if command -v "mpicxx.$mpi" >/dev/null; then
        "mpicxx.$mpi" -x c++ -g -O2 -w -rdynamic -o program "$sources/stacks.c" -ldl -lpthread ||
            fail "$mpi: it can't be compiled as C++"
        compare "C++" "$mpi" 16
    fi
    assert_contains "$("$analyze" info --json stacks.zip)" '"stack:16"'

    # Without tables there is the call's own place, and that there were others.
    "$compiler" -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -w -o program \
        "$sources/sites.c" -ldl
    rm -rf x stacks.zip
    run_mpi "$mpi" 2 "$record" -q --sites=stack -o stacks.zip ./program >out 2>err ||
        fail "$mpi: $(cat err)"
    "$analyze" sites --json stacks.zip >sites.json
    "$python" "$sources/sites.py" sites.json 2 "$sources/sites.c" site "$sources/sites.c" ending ||
        wrong "$mpi: lines without tables"
    unzip -q stacks.zip -d x
    assert_contains "$(otf2-print -G x/traces.otf2)" '"[cut]"'

    # Killed
    "$compiler" -g -O2 -w -o program "$sources/sites.c" -ldl
    rm -rf x stacks.zip*
    SITES_DIE=1 run_mpi "$mpi" 2 "$record" -q --sites=stack -o stacks.zip ./program >out 2>err ||
        true
    ranks_have_ended
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" stacks.zip.run --remove)" \
        "$mpi, killed: $(cat stderr)"
    unzip -q stacks.zip -d x
    assert_matches "$(otf2-print -G x/traces.otf2)" \
        'CALLING_CONTEXT .*Region: "MPI_Irecv" .*Parent: "exchange@sites.c:[0-9]+"'

    # Fortran
    command -v "mpifort.$mpi" >/dev/null || continue
    for way in OLD mpi_f08; do
        case $way in
        OLD) set -- -DOLD ;;
        mpi_f08) set -- -DMODULE=mpi_f08 "-DHANDLE(kind)=type(kind)" ;;
        esac
        "mpifort.$mpi" -g -O0 -ffree-line-length-none -w "$@" -o fortran "$sources/sites.F90" ||
            fail "$mpi, $way: it can't be compiled"
        rm -rf x stacks.zip
        run_mpi "$mpi" 2 "$record" -q --sites=stack -o stacks.zip ./fortran >out 2>err ||
            fail "$mpi, $way: $(cat err)"
        unzip -q stacks.zip -d x
        otf2-print -G x/traces.otf2 >contexts
        for parent in MPI_Irecv:exchange_ exchange_:sites sites:main; do
            assert_matches "$(cat contexts)" \
                "Region: \"${parent%:*}?\" .*Parent: \"${parent#*:}?@sites.F90:[0-9]+\""
        done
        assert_lacks "$(cat contexts)" '"[cut]"'
        # A call's name is written once, however many stacks end with it, and a file for all calls
        # and for all functions.
        assert_equal 1 "$(grep -c '^STRING .* "MPI_Irecv"' contexts)" "strings of MPI_Irecv"
        assert_equal 2 "$(grep -c '^STRING .*/sites.F90"' contexts)" "strings of sites.F90"
        "$analyze" dump stacks.zip >dump
        assert_matches "$(grep -m1 'region=MPI_Irecv' dump)" \
            " stack=exchange_? \([^ ]*/sites.F90:[0-9]+\) < sites \([^ ]*:[0-9]+\) < main \("
        "$analyze" dump --json stacks.zip | grep -m1 '"MPI_Irecv"' >event
        assert_matches "$(json event '[e.split()[0].strip("_") for e in d["stack"]]')" \
            '^\["exchange", "sites", "main"\]$'
    done
done
finish
