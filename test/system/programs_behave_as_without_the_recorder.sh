# The same output on stdout, the same exit status, one more line on stderr: programs that
# get errors, jump out of calls, start children, go elsewhere, have receives pending at
# the end, do nothing at all, are written in Python, or are LAMMPS.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# comparable FILE: how often it has each character, since lines of several ranks may arrive cut
# and mixed; UCX puts warnings with addresses on stdout.
comparable() {
    sed '/ UCX  WARN /d' "$1" | grep -o . | sort | uniq -c
}

# same_text WHAT FILE FILE
same_text() {
    diff <(comparable "$2") <(comparable "$3") >/dev/null ||
        wrong "$1: stdout differs: $(diff "$2" "$3" | head -5)"
}

# same_status MPI STATUS STATUS. Where ranks end with a status one after the other, Open MPI 5's
# launcher kills those that are left and may give back that, with the recorder and without.
same_status() {
    [ "$2" -eq "$3" ] ||
        { [ "$1" = openmpi ] && ! openmpi_is_4 && [ "$2" -ne 0 ] && [ "$3" -ne 0 ]; }
}

# alike MPI NAME: examples/NAME with and without the recorder.
alike() {
    local mpi=$1 name=$2 ranks lines
    ranks=$(ranks_of "$mpi")
    run_plain "$mpi" "$ranks" "$name"
    recorded "$mpi" "$ranks" "$name"
    same_status "$mpi" "$status" "$plain_status" ||
        wrong "$name, $mpi: exit $status, without $plain_status: $(head -5 "$name.err")"
    same_text "$name, $mpi" plain.out "$name.out"
    lines=$(grep -c "$name.otf2.zip" "$name.err" || true)
    [ "$lines" -eq 1 ] ||
        wrong "$name, $mpi: $lines lines on stderr name the archive: $(cat "$name.err")"
    as_expected "$mpi" "$ranks" "$name.c"
}

# alike_program NAME PATTERN COMMAND...: any command, on 4 ranks of Open MPI; the lines of
# its stdout that match are compared.
alike_program() {
    local name=$1 pattern=$2
    shift 2
    plain_status=0
    rm -f "$name.otf2.zip"
    run_openmpi 4 "$@" >plain.out 2>plain.err || plain_status=$?
    status=0
    run_openmpi 4 "$record" -o "$name.otf2.zip" "$@" >"$name.out" 2>"$name.err" || status=$?
    [ "$status" -eq "$plain_status" ] || wrong "$name: exit $status, without $plain_status"
    grep -E "$pattern" plain.out >plain.lines || wrong "$name: no output: $(head -5 plain.err)"
    grep -E "$pattern" "$name.out" >recorded.lines || true
    same_text "$name" plain.lines recorded.lines
    reported info "$name"
    python_check "$name" <<'PYTHON'
import json
info = json.load(open("info.json"))
for name, want in (("ranks", 4), ("lost_events", 0), ("unmatched_sends", 0),
                   ("unmatched_receives", 0), ("complete", True)):
    assert info[name] == want, (name, info[name])
PYTHON
}

for mpi in $(built_mpis); do
    for name in empty hello errors longjmp pending_wildcard child_process chdir; do
        alike "$mpi" "$name"
    done
done
# variables_of NAME: which variables are recorded of Open MPI, into NAME.otf2.zip.
variables_of() {
    assert_equal 0 "$(status_of run_openmpi 2 "$record" -q -o "$1.otf2.zip" \
        "$(example empty openmpi)")" "$1: $(tail -5 stderr)" >&2
    "$analyze" counters --json "$1.otf2.zip" | grep '^   "name"' | sort -u
}

# monitored COMMAND...: of how many ranks Open MPI tells what was sent, when its components end.
monitored() {
    OMPI_MCA_pml_monitoring_enable=1 OMPI_MCA_pml_monitoring_enable_output=1 \
        run_openmpi 2 "$@" "$(example empty openmpi)" 2>/dev/null | grep -c '^# POINT TO POINT'
}

# Open MPI lists its parameters in MPI_Init, and crashes there behind MPI_T_init_thread.
if [ -n "$MPIRUN_OPENMPI" ]; then
    variables_of unlisted >unlisted
    OMPI_MCA_mpi_show_mca_params=all variables_of listed >listed
    assert_equal "$(cat unlisted)" "$(cat listed)" "variables, where parameters are listed"
    [ -s listed ] || wrong "no variable was recorded"
    assert_equal "$(monitored)" "$(monitored "$record" -q --force -o unlisted.otf2.zip)" \
        "what Open MPI's monitoring tells of its own"
fi
if [ -n "$MPIRUN_OPENMPI" ] && "$python" -c 'import mpi4py' 2>/dev/null; then
    alike_program hello . "$python" "$TOP_SRCDIR/examples/hello.py"
    as_expected openmpi 4 hello.py
fi
if [ -n "$MPIRUN_OPENMPI" ] && command -v lmp >/dev/null; then
    alike_program lammps '^ +[0-9]+ +[0-9.]+ +-?[0-9.]+ ' \
        lmp -in "$TOP_SRCDIR/examples/lennard-jones.in" -log none
fi
finish
