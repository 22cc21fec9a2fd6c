# What a cause costs, and what advice comes to, stand at their sentences' ends: these are whole on a
# screen of 80 columns, however many places they name.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/verdicts.sh"

# paragraph NAME: what the first screen says there, on one line.
paragraph() {
    "$analyze" --width=80 run | awk -v name="$1" '/^[a-z]/ { is = $1 == name }
        is && !/ -> / { $1 = $1; print }' | tr '\n' ' '
}

# Ranks write for 600 us a round, and behind that wait for messages, for 400 us those that are last:
# in four lines, which take 300 characters to tell, and four lines of the screen have 280.
report cube_and_files
assert_equal "file_io out_of_step" "$(json report.json \
    '" ".join(c["id"] for c in d["causes"][:2])')" "causes"
place='MPI_Recv, planted\.c:1002[1248]'
assert_matches "$(paragraph also)" \
    "and wait for messages in ($place and ){3}$place: up to [0-9.]+ ms of [0-9.]+ ms\. $"
report cube_and_files_not
assert_lacks "$(paragraph also)" "wait for messages"

# Of advice the last sentence says what does help.
report by_turns
assert_contains "$(paragraph advice)" "and only making what rank 0 computes shorter helps."
