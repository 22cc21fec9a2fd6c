# What commands print for people fits 80 columns, or as many as are said; only words that are longer
# than what is left of a line, and commands to be copied, stick out. What a table leaves out is
# said, with the width that has it. JSON and CSV know no width.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

make_archive=$TOP_BUILDDIR/test/data/make_archive
unset COLUMNS

cat >wide.py <<'PYTHON'
"""wide.py COLUMNS: the lines of the standard input that are wider, though they could be broken."""
import re, sys, unicodedata
columns = int(sys.argv[1])
for line in sys.stdin.buffer.read().decode(errors="replace").split("\n"):
    shown = re.sub("\033\\[[0-9;]*m", "", line)
    word = max(map(len, shown.split() or [""]))
    if len(shown) > columns and "mpiwatch-analyze " not in shown and word < columns - 30:
        print(len(shown), shown)
PYTHON

# fits COLUMNS WORDS...: what mpiwatch-analyze prints.
fits() {
    local columns=$1
    shift
    "$analyze" -q "$@" >text 2>err || [ $? -ne 2 ] || wrong "$*: $(cat err)"
    "$python" wide.py "$columns" <text >too_wide
    [ ! -s too_wide ] || wrong "$*: wider than $columns: $(head -3 too_wide)"
}

commands() {
    for each in report info calls "calls --sites" sites "sites --stacks" ranks messages waits pop \
        critical-path imbalance comms counters "counters --series" watermarks timeline \
        "timeline --comms" "timeline --color=always" validate "check --max pop.load_balance=0.1" \
        "info --sizes"; do
        # shellcheck disable=SC2086 # words
        fits "$1" $each $3 "$2"
    done
    fits "$1" compare $3 "$2" "$2"
}

for mpi in $(built_mpis | head -1); do
    for program in ring comm_life; do
        recorded "$mpi" 2 "$program"
    done
done
for name in plain names comm_lives comm_objects waits_messages waits_collective waits_losses \
    waits_threads delay_chain onesided_locks threads nested cancelled violated; do
    "$make_archive" "$name" "$name"
    commands 80 "$name" ""
done
for archive in *.otf2.zip; do
    commands 80 "$archive" ""
    commands 120 "$archive" --width=120
done

# --- who says how wide it is --------------------------------------------------------------------

"$make_archive" plain screen
"$analyze" calls screen >pipe
"$analyze" calls --width=80 screen >said
COLUMNS=80 "$analyze" calls screen >environment
cmp pipe said && cmp pipe environment || wrong "80 columns are not the default"
COLUMNS=200 "$analyze" calls screen >wide
COLUMNS=60 "$analyze" calls --width=200 screen | cmp - wide || wrong "--width does not come first"
cmp -s pipe wide && wrong "200 columns are not used"
for nonsense in "" 0 -5 many 99999999999999999999; do
    COLUMNS=$nonsense "$analyze" -q calls screen >text || wrong "COLUMNS=$nonsense: exit $?"
    [ "$nonsense" = 99999999999999999999 ] || cmp text pipe || wrong "COLUMNS=$nonsense is taken"
done
if [ "$(command -v script)" ]; then
    script -qec "stty cols 200; $analyze calls screen" /dev/null </dev/null | tr -d '\r' |
        cmp - wide || wrong "the terminal's 200 columns are not used"
fi
status=0
"$analyze" calls --width=39 screen >out 2>err || status=$?
assert_equal 2 "$status" "exit status for 39 columns"

# --- what is left out is said, and how to see it --------------------------------------------------

"$analyze" calls --width=70 screen >narrow
sed -n 's/^not shown: \([a-z]*\).*; --width=\([0-9]*\) has all$/\1 \2/p' narrow >left_out
read -r title width <left_out || wrong "nothing is said of what calls leaves out: $(cat narrow)"
! head -1 narrow | grep -q "\<$title\>" || wrong "$title is not left out"
"$analyze" calls --width="$width" screen | head -1 | grep -q "\<$title\>" ||
    wrong "$title does not come back with $width columns"
"$analyze" calls --width="$width" screen | cmp - wide || wrong "$width columns are not enough"

COLUMNS=40 "$analyze" calls --json screen >narrow
"$analyze" calls --json screen | cmp - narrow || wrong "JSON has a width"
COLUMNS=40 "$analyze" calls --csv screen >narrow
"$analyze" calls --csv screen | cmp - narrow || wrong "CSV has a width"

# --- a text that was laid out is known again ------------------------------------------------------

for command in report info calls ranks messages comms waits pop imbalance critical-path timeline \
    counters watermarks validate; do
    for width in 60 80 200; do
        "$analyze" -q $command --width=$width -o again screen || wrong "$command: exit $?"
        "$analyze" -q $command --width=70 -o again screen 2>err ||
            wrong "$command of $width columns is not replaced: $(cat err)"
        rm again
    done
done
