# Open MPI's software performance counters, all declared SIZE and appearing after MPI_Init,
# come out as the program (spc_user.c) made them: counters, a level and its high-water mark.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi # they are its own
need "$MPICC_OPENMPI"

$MPICC_OPENMPI -o spc "$TOP_SRCDIR/test/system/spc_user.c" 2>err ||
    skip "this Open MPI exports no ompi_spc_record: $(head -1 err)"
code=$(OMPI_MCA_mpi_spc_attach=all status_of run_openmpi 1 "$record" -q -o spc.otf2.zip \
    --pvars='runtime_spc_*' --pvar-interval=0 --cvars='mpi_spc_attach' ./spc)
[ "$code" != 77 ] || skip "this Open MPI has no SPC variables"
assert_equal 0 "$code" "status of the program: $(tail -3 stderr)"
"$analyze" counters --json spc.otf2.zip >counters.json
"$analyze" watermarks --json spc.otf2.zip >watermarks.json

# of NAME KEY: of the variable's row in counters.json.
of() {
    json counters.json "[row['$2'] for row in d['pvars']
        if row['name'] == 'runtime_spc_OMPI_SPC_$1'][0]"
}
# high NAME: the high-water mark.
high() {
    json watermarks.json "[[row['high'][key] for key in ('value', 'exact', 'lower', 'upper')]
        for row in d['watermarks'] if row['name'] == 'runtime_spc_OMPI_SPC_$1'][0]"
}
assert_equal 108 "$(json counters.json 'len(d["pvars"])')" "variables"
assert_equal "SIZE COUNTER 100" "$(of SEND class) $(of SEND effective_class) $(of SEND total)" \
    "sends"
assert_equal 12750 "$(of BYTES_SENT_USER total)" "bytes"
assert_equal 0 "$(of RECV total)" "what the program does not count"
assert_equal "LEVEL 3 3" "$(of UNEXPECTED_IN_QUEUE effective_class) \
$(of UNEXPECTED_IN_QUEUE max) $(of UNEXPECTED_IN_QUEUE last)" "the queue, seen at calls"
assert_equal '[17, true, 17, 17]' "$(high UNEXPECTED_IN_QUEUE)" \
    "the queue's mark, which no sample saw: the library's own one tells it"
assert_equal '[17, true, 17, 17]' "$(high MAX_UNEXPECTED_IN_QUEUE)" "the library's own mark"

# Where it was highest, and that this is a matter of the window that is looked at.
mark="[row for row in d['watermarks']
    if row['name'] == 'runtime_spc_OMPI_SPC_MAX_UNEXPECTED_IN_QUEUE'][0]['high']"
assert_equal MPI_Barrier "$(json watermarks.json "$mark['call']")" "the call in which it was read"
t=$(json watermarks.json "$mark['t_ns']")
"$analyze" watermarks --json --from=$((t + 1))ns spc.otf2.zip >after.json
assert_equal '[0, true]' "$(json after.json "[$mark['value'], $mark['exact']]")" "afterwards"
"$analyze" watermarks --json --to=$((t - 1))ns spc.otf2.zip >before.json
assert_equal '[3, false, 17]' \
    "$(json before.json "[$mark['value'], $mark['exact'], $mark['upper']]")" \
    "before, where the time since the last reading is not known apart"
assert_equal '[{"name": "mpi_spc_attach", "value": "all", "scope": "READONLY"}]' \
    "$(json counters.json 'd["cvars_set"]')" "control variables that the environment sets"
