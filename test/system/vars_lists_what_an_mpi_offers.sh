# mpiwatch-vars, with mpirun and without: performance and control variables, categories, and
# those that kill who reads them.
. "$TOP_SRCDIR/test/system/lib.sh"
vars=$TOP_BUILDDIR/mpiwatch-vars

for mpi in $(mpis); do
    "$vars" --mpi="$mpi" --json >alone.json
    run_mpi "$mpi" 1 "$vars" --json >launched.json
    for where in alone launched; do
        assert_equal "mpiwatch-vars/1" "$(json $where.json 'd["schema"]')" "schema, $mpi"
        assert_equal true "$(json $where.json '(len(d["cvars"]) > 300 and
            len(d["categories"]) > 10)')" "control variables and categories, $mpi, $where"
        assert_equal true "$(json $where.json 'all(set(("name", "class", "type", "bind",
            "verbosity", "readonly", "continuous", "atomic", "count", "description", "dangerous",
            "not_recorded")) <= set(pvar) for pvar in d["pvars"])')" "keys, $mpi, $where"
    done
    assert_equal "$(json alone.json '[pvar["name"] for pvar in d["pvars"]]')" \
        "$(json launched.json '[pvar["name"] for pvar in d["pvars"]]')" "variables, $mpi"
    "$vars" --mpi="$mpi" --cvars >table
    assert_matches "$(tail -1 table)" '^[0-9]+ performance variables .* [0-9]+ control variables'
done
if mpis | grep -qx openmpi; then
    "$vars" --mpi=openmpi 'pml_ob1_*' >table
    assert_matches "$(cat table)" \
        '^pml_ob1_unexpected_msgq_length +SIZE +unsigned +MPI_COMM +TUNER_BASIC +rc-'
    # What the probe finds to kill is what the recorder leaves alone.
    "$vars" --mpi=openmpi --json >openmpi.json
    assert_equal '[]' "$(json openmpi.json '[v["name"] for v in d["pvars"] + d["cvars"]
        if v["signal"] and not v["not_recorded"]]')" "deadly variables that nobody knows"
fi
! mpis | grep -qx mpich || assert_contains "$("$vars" --mpi=mpich)" "no performance variables"
