# A program that starts, stops and resets variables in two sessions of its own reads the same
# with the recorder and without, and disturbs none of the recorder's values: what
# examples/pvar_sessions.c predicts, on the library beside it that stands for an MPI.
. "$TOP_SRCDIR/test/system/lib.sh"

# of START NAME KEY: of the variable's row in counters.json.
of() {
    json "counters$1.json" "[row['$3'] for row in d['pvars'] if row['name'] == '$2'][0]"
}
for mpi in $(mpis); do
    program=$(example pvar_sessions "$mpi")
    library=$(example pvar_queue "$mpi.so")
    assert_equal "no queue: preload pvar_queue" "$(run_mpi "$mpi" 1 "$program")" "without it, $mpi"
    assert_equal "one 10 8, two 2 16" "$(LD_PRELOAD=$library run_mpi "$mpi" 1 "$program")" \
        "what the program reads, $mpi"
    for start in "" --pvar-start; do
        assert_equal "one 10 8, two 2 16" "$(LD_PRELOAD=$library run_mpi "$mpi" 1 "$record" -q \
            --force --pvars='queue_*' --pvar-interval=0 $start -o queue.otf2.zip "$program")" \
            "what it reads under the recorder, $mpi, option '$start'"
        "$analyze" counters --json queue.otf2.zip >"counters$start.json"
        "$analyze" watermarks --json queue.otf2.zip >"watermarks$start.json"
        assert_equal "16 3 0" "$(of "$start" queue_level max) $(of "$start" queue_level last) \
$(of "$start" queue_level min)" "the level, $mpi, option '$start'"
    done
    for name in queue_arrived queue_highest; do
        assert_equal "false null 0.0" "$(of "" "$name" observed) $(of "" "$name" total) \
$(of "" "$name" coverage)" "$name, which nobody started for the recorder, $mpi"
    done
    assert_equal '["queue_level"]' "$(json watermarks.json \
        'sorted({row["name"] for row in d["watermarks"] if row["name"].startswith("queue_")})')" \
        "marks of what was observed, $mpi"
    assert_equal "25 0 0 0" "$(of --pvar-start queue_arrived total) \
$(of --pvar-start queue_arrived resets) $(of --pvar-start queue_arrived wraps) \
$(of --pvar-start queue_arrived unobserved_ns)" "how many came, $mpi"
    assert_equal "true 16 16" "$(of --pvar-start queue_highest observed) \
$(of --pvar-start queue_highest last) $(json watermarks--pvar-start.json "[row['high']['value']
    for row in d['watermarks'] if row['name'] == 'queue_highest'][0]")" "the mark, $mpi"
done
