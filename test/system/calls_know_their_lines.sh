# Every call has the line of the program and the function that it is made from: C, macros, inlined
# functions, C++ bindings and templates of installed headers, calls by PMPI_ names, libraries that
# are closed and whose place others take, Fortran by each of its ways to call MPI; also of a run
# that was killed. Without debugging information it is the function, without symbols the address,
# unless a directory has what was there (--debug-dir); never the line of another program. The
# program does not see that another one looked them up.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

sources=$TOP_SRCDIR/test/system

# says_lines WHAT ARCHIVE RANKS FILE MARK...: whether sites says these lines and no others.
says_lines() {
    local what=$1 archive=$2
    shift 2
    "$analyze" sites --json "$archive" >sites.json 2>err || [ $? -eq 4 ] ||
        fail "$what: $(cat err)"
    "$python" "$sources/sites.py" sites.json "$@" || wrong "$what"
}

for mpi in $(built_mpis); do
    compiler=$(mpicc_of "$mpi")
    "$compiler" -g -O2 -w -o program "$sources/sites.c" -ldl
    "$compiler" -g -O2 -shared -fPIC -o first.so "$sources/sites_library.c"
    "$compiler" -g -O2 -DOTHER -shared -fPIC -o other.so "$sources/sites_library.c"

    # A program and two libraries.
    run_mpi "$mpi" 2 "$record" -q -o "$mpi.zip" ./program ./first.so ./other.so >out 2>err ||
        fail "$mpi: $(cat err)"
    says_lines "$mpi" "$mpi.zip" 2 "$sources/sites.c" site "$sources/sites.c" ending \
        "$sources/sites_library.c" first "$sources/sites_library.c" other
    assert_contains "$(cat out)" "one place"
    assert_equal 3 "$(unzip -p "$mpi.zip" mpiwatch.json | grep -o '"build_id"' | wc -l)" \
        "$mpi: modules, however often they were loaded"
    assert_contains "$(cat out)" "children that ended: 0, to be waited for: 0"
    assert_matches "$("$analyze" waits "$mpi.zip")" ' sites(_library)?\.c:[0-9]+ '
    assert_contains "$("$analyze" dump "$mpi.zip")" "region=MPI_Waitall place=sites.c:"

    # Coarrays of Fortran are calls of MPI by a library, whose callers they are.
    cp first.so ./libcaf_first.so
    run_mpi "$mpi" 2 "$record" -q -o coarrays.zip ./program ./libcaf_first.so >out 2>err ||
        fail "$mpi, coarrays: $(cat err)"
    "$analyze" sites coarrays.zip >out
    assert_lacks "$(cat out)" "sites_library.c"
    assert_matches "$(cat out)" \
        "MPI_Barrier +sites\.c:$(grep -n '^    call_mpi();' "$sources/sites.c" | cut -d: -f1) "
    rm coarrays.zip

    # Names of files, which were compiled in a directory beside that of the source.
    rm -rf built
    mkdir -p built/in built/source
    cp "$sources/sites.c" built/source/named.c
    (cd built/in && "$compiler" -g -O2 -w -o ../named "${PWD%/in}/source/named.c" -ldl)
    for form in "full:$PWD/built/source/named.c" relative:../source/named.c base:named.c; do
        run_mpi "$mpi" 2 "$record" -q --force --paths "${form%%:*}" -o named.zip built/named \
            >out 2>err || fail "$mpi: $(cat err)"
        "$analyze" sites --json named.zip >sites.json
        assert_equal "${form#*:}" "$("$python" -c 'import json
print(*{each["file"] for each in json.load(open("sites.json"))["sites"]})')" "$mpi: $form"
    done

    # Killed: what was told is there.
    SITES_DIE=1 run_mpi "$mpi" 2 "$record" -q -o killed.zip ./program >out 2>err || true
    ranks_have_ended
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run --remove)" \
        "$mpi, killed: $(cat stderr)"
    says_lines "$mpi, killed" killed.zip 2 "$sources/sites.c" site "$sources/sites.c" dying

    # Rebuilt before the lines are looked up: it is another program.
    rm -f killed.zip*
    SITES_DIE=1 run_mpi "$mpi" 2 "$record" -q -o killed.zip ./program >out 2>err || true
    ranks_have_ended
    "$compiler" -g -O1 -w -o program "$sources/sites.c" -ldl
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run --remove)" \
        "$mpi, rebuilt: $(cat stderr)"
    "$analyze" sites killed.zip >out 2>err || [ $? -eq 4 ] || fail "$mpi, rebuilt: $(cat err)"
    assert_lacks "$(cat out)" "sites.c"
    assert_contains "$(cat out)" "program+0x"
    rm -f killed.zip*

    # Stripped, or gone: what was kept in a directory has the lines, if it is of this program.
    for kept in link build-id gone; do
        rm -rf killed.zip* symbols
        mkdir symbols
        "$compiler" -g -O2 -w -Wl,--build-id -o program "$sources/sites.c" -ldl
        objcopy --only-keep-debug program symbols/program.debug
        strip program
        [ $kept != link ] || objcopy --add-gnu-debuglink=symbols/program.debug program
        SITES_DIE=1 run_mpi "$mpi" 2 "$record" -q -o killed.zip ./program >out 2>err || true
        ranks_have_ended
        id=$(readelf -n program | sed -n 's/.*Build ID: //p')
        [ $kept = link ] || {
            mkdir -p "symbols/.build-id/${id:0:2}"
            mv symbols/program.debug "symbols/.build-id/${id:0:2}/${id:2}.debug"
        }
        [ $kept != gone ] || rm program
        assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run)" "$mpi: $kept"
        "$analyze" sites killed.zip >out 2>err || [ $? -eq 4 ] || fail "$mpi, $kept: $(cat err)"
        assert_lacks "$(cat out)" "sites.c"
        assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run --force \
            --debug-dir symbols --remove)" "$mpi, $kept: $(cat stderr)"
        says_lines "$mpi, $kept" killed.zip 2 "$sources/sites.c" site "$sources/sites.c" dying
    done
    rm -f killed.zip*

    # Debugging information of other forms, and beside the program.
    for form in -gz -gsplit-dwarf -gdwarf-4 no_ranges beside; do
        if [ $form = beside ]; then
            objcopy --only-keep-debug program program.debug
            strip program
            objcopy --add-gnu-debuglink=program.debug program
        elif [ $form = no_ranges ]; then # as clang leaves them out
            "$compiler" -g -O2 -w -o program "$sources/sites.c" -ldl
            objcopy --remove-section .debug_aranges program
        else
            "$compiler" -g $form -O2 -w -o program "$sources/sites.c" -ldl
        fi
        run_mpi "$mpi" 2 "$record" -q --force -o form.zip ./program >out 2>err ||
            fail "$mpi, $form: $(cat err)"
        says_lines "$mpi, $form" form.zip 2 "$sources/sites.c" site "$sources/sites.c" ending
    done
    # clang says the directory of headers beside the program itself alone.
    if command -v clang >/dev/null; then
        printf '%s\n' '#include <mpi.h>' 'static void meet(void)' '{' \
            '    MPI_Barrier(MPI_COMM_WORLD);' '}' >near.h
        printf '%s\n' '#include "near.h"' 'int main(int count, char **words)' '{' \
            '    MPI_Init(&count, &words);' '    meet();' '    return MPI_Finalize();' '}' >near.c
        OMPI_CC=clang MPICH_CC=clang "$compiler" -g -gsplit-dwarf -O2 -w -o near near.c
        run_mpi "$mpi" 2 "$record" -q --force -o near.zip ./near >out 2>err ||
            fail "$mpi, near: $(cat err)"
        "$analyze" sites --json near.zip >sites.json
        assert_equal "[\"$PWD/near.h\", 4]" "$(json sites.json '[[s["file"], s["line"]]
            for s in d["sites"] if s["call"] == "MPI_Barrier"][0]')" "$mpi: a header"
    fi
    "$compiler" -g -O1 -w -o program "$sources/sites.c" -ldl

    # Less and less is known.
    strip --strip-debug program
    run_mpi "$mpi" 2 "$record" -q -o symbols.zip ./program >out 2>err || fail "$mpi: $(cat err)"
    "$analyze" sites symbols.zip >out
    assert_contains "$(cat out)" "stay+0x"
    assert_lacks "$(cat out)" "sites.c"
    assert_matches "$("$analyze" export --folded - symbols.zip)" ';stay;MPI_[A-Za-z]+ stay\+0x'
    strip program
    run_mpi "$mpi" 2 "$record" -q -o none.zip ./program >out 2>err || fail "$mpi: $(cat err)"
    "$analyze" sites none.zip >out
    assert_contains "$(cat out)" "program+0x"
    run_mpi "$mpi" 2 "$record" -q --sites off -o off.zip ./program >out 2>err ||
        fail "$mpi: $(cat err)"
    assert_contains "$("$analyze" sites off.zip)" "does not say where"
    rm -f ./*.zip

    # C++ bindings, where MPI still has them: what their headers inline is the program's.
    if "mpicxx.$mpi" -g -O2 -w -o bindings "$sources/bindings.cc" 2>/dev/null; then
        run_mpi "$mpi" 2 "$record" -q -e all -o bindings.zip ./bindings >out 2>err ||
            fail "$mpi, C++: $(cat err)"
        "$analyze" sites bindings.zip >out
        assert_lacks "$(cat out)" "inln.h"
        assert_lacks "$(cat out)" "mpicxx.h"
        for call in MPI_Init MPI_Comm_dup MPI_Comm_free MPI_Finalize; do
            line=$(grep -n "// $call\$" "$sources/bindings.cc" | cut -d: -f1)
            assert_matches "$(cat out)" "$call +bindings\.cc:$line "
        done
        rm -f bindings.zip
    fi

    # What installed headers inline is the program's, too; what they don't is theirs.
    if "mpicxx.$mpi" -g -O2 -w -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -o wrapped \
        "$sources/wrapped.cc" 2>/dev/null; then
        run_mpi "$mpi" 2 "$record" -q -e all -o wrapped.zip ./wrapped >out 2>err ||
            fail "$mpi, wrapped: $(cat err)"
        "$analyze" sites --width=120 wrapped.zip >out
        for call in MPI_Init MPI_Barrier MPI_Finalize; do
            line=$(grep -n "// $call\$" "$sources/wrapped.cc" | cut -d: -f1)
            assert_matches "$(cat out)" "$call +wrapped\.cc:$line "
        done
        assert_matches "$(cat out)" "MPI_Sendrecv +communicator\.hpp:112 "
        "$analyze" sites --json wrapped.zip >sites.json
        assert_equal "main" "$("$python" -c 'import json
print(*[site["function"] for site in json.load(open("sites.json"))["sites"]
        if site["call"] == "MPI_Barrier"])')"
        rm -f wrapped.zip
    fi

    # Fortran
    command -v "mpifort.$mpi" >/dev/null || continue
    for way in OLD mpi mpi_f08; do
        case $way in
        OLD) set -- -DOLD ;;
        mpi) set -- -DMODULE=mpi "-DHANDLE(kind)=integer" ;;
        mpi_f08) set -- -DMODULE=mpi_f08 "-DHANDLE(kind)=type(kind)" ;;
        esac
        "mpifort.$mpi" -g -O0 -ffree-line-length-none -w "$@" -o fortran "$sources/sites.F90" ||
            fail "$mpi, $way: it can't be compiled"
        run_mpi "$mpi" 2 "$record" -q -o "$way.zip" ./fortran >out 2>err ||
            fail "$mpi, $way: $(cat err)"
        says_lines "$mpi, $way" "$way.zip" 2 "$sources/sites.F90" site
        rm -f "$way.zip"
    done
done
finish
