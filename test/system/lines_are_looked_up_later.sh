# An archive of a program whose debugging information was not at hand when it was recorded gets its
# lines from --debug-dir: from the program's own debug file, the program with it, by name or by
# build-id, and never from one of another build. Every command has them.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

sources=$TOP_SRCDIR/test/system
mpi=$(built_mpis | head -1)
mpi=${mpi%% *}

# says_lines WHAT DIRECTORY: whether sites says the lines of the program with debug files there.
says_lines() {
    "$analyze" sites --json --debug-dir "$2" -o sites.json run.zip || fail "$1"
    "$python" "$sources/sites.py" sites.json 2 "$sources/sites.c" site "$sources/sites.c" ending ||
        fail "$1"
}

"$(mpicc_of "$mpi")" -g -O2 -w -o program "$sources/sites.c" -ldl
mkdir beside whole by_id/ other none
cp program whole/program
objcopy --only-keep-debug program beside/program.debug
id=$(readelf -n program | sed -n 's/.*Build ID: //p')
mkdir -p "by_id/.build-id/${id:0:2}"
cp beside/program.debug "by_id/.build-id/${id:0:2}/${id:2}.debug"
"$(mpicc_of "$mpi")" -g -O1 -w -o other/program "$sources/sites.c" -ldl
strip program
run_mpi "$mpi" 2 "$record" -q -o run.zip ./program >out 2>err || fail "$(cat err)"
assert_lacks "$("$analyze" sites run.zip)" "sites.c"
says_lines "a debug file" beside
says_lines "the program" whole
says_lines "by build-id" by_id
for directory in other none; do
    assert_lacks "$("$analyze" sites --debug-dir $directory run.zip)" "sites.c"
    assert_contains "$("$analyze" sites --debug-dir $directory run.zip)" "program+0x"
done
assert_matches "$("$analyze" waits --debug-dir beside run.zip)" ' sites\.c:[0-9]+ '
assert_matches "$("$analyze" export --folded - --debug-dir beside run.zip)" \
    'MPI_.* sites\.c:[0-9]+ '

# Callers, too: as if the program had had its debugging information when it was recorded.
if tells_stacks; then
    for way in program whole/program; do
        run_mpi "$mpi" 2 "$record" -q --sites=stack -o "stacks_${way%/*}.zip" "./$way" >out 2>err ||
            fail "$(cat err)"
    done
    # callers DIRECTORY ARCHIVE: the functions and lines of each place's stacks.
    callers() {
        "$analyze" sites --stacks --json --debug-dir "$1" -o callers.json "$2"
        json callers.json 'sorted(set((s["call"], s["line"] or 0, *((f["function"], f["line"] or 0)
            for f in c["stack"])) for s in d["sites"] for c in s["callers"]))'
    }
    callers none stacks_whole.zip >wanted
    assert_contains "$(cat wanted)" '["main", '
    assert_equal "$(cat wanted)" "$(callers beside stacks_program.zip)" "callers"
    assert_lacks "$(callers other stacks_program.zip)" '["main", '
    assert_matches "$("$analyze" dump --debug-dir beside stacks_program.zip)" \
        ' stack=[a-z_]+ \([^ ]*sites\.c:[0-9]+\) < '
fi

assert_equal 2 "$(status_of "$analyze" sites --debug-dir nowhere run.zip)" "no such directory"
assert_contains "$(cat stderr)" "nowhere"
