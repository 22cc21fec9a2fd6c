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
# Categories are a tree: each stands once, below the one whose child it is.
for mpi in $(mpis); do
    "$vars" --mpi="$mpi" --json >tree.json
    "$vars" --mpi="$mpi" --categories 'scope:CONSTANT' >tree
    assert_equal "$(json tree.json 'len(d["categories"])')" \
        "$(sed '1,/^CATEGORY/d' tree | grep -cE '^ *[A-Za-z0-9_]+ +[0-9]+ +[0-9]+ ')" \
        "$mpi: categories"
done
if mpis | grep -qx openmpi; then
    assert_equal '["opal_dl", "ompi_pml"]' "$("$vars" --mpi=openmpi --json >tree.json &&
        json tree.json '[c["parent"] for name in ("opal_dl_base", "ompi_pml_ob1")
            for c in d["categories"] if c["name"] == name]')" "parents"
    "$vars" --mpi=openmpi --categories >tree
    assert_contains "$(sed -n '/^opal_dl /,/^[a-z]/p' tree)" "  opal_dl_base "
    assert_equal "pml_ob1_posted_recvq_length pml_ob1_unexpected_msgq_length" \
        "$("$vars" --mpi=openmpi cat:ompi_pml_ob1 | grep -o '^pml_[a-z0-9_]*' | sort | xargs)" \
        "the variables of a category"
fi
assert_equal 2 "$(status_of "$vars" scope:MINE)" "no such scope"
assert_contains "$(cat stderr)" '"scope:MINE" is no selection of variables'
! mpis | grep -qx mpich || assert_contains "$("$vars" --mpi=mpich)" "no performance variables"

# Events: an MPI has none, or not even the calls; what a library behind it says is listed.
if mpis | grep -qx openmpi; then
    "$vars" --mpi=openmpi >table
    assert_contains "$(cat table)" "This MPI has no events: it lacks the calls of MPI 4.0."
    assert_equal null "$(json openmpi.json 'd["events"]')" "events, openmpi"
fi
if mpis | grep -qx mpich; then
    assert_contains "$("$vars" --mpi=mpich)" "This MPI has no events."
    "$vars" --mpi=mpich --json >mpich.json
    assert_equal '[]' "$(json mpich.json 'd["events"]')" "events, mpich"
    cat >events.c <<'C'
#include <mpi.h>
#include <stdio.h>

int MPI_T_event_get_num(int *count)
{
    *count = 3;
    return MPI_SUCCESS;
}

int MPI_T_event_get_info(int index, char *name, int *name_length, int *verbosity,
                         MPI_Datatype types[], MPI_Aint places[], int *elements,
                         MPI_T_enum *items, MPI_Info *info, char *text, int *text_length,
                         int *bind)
{
    if (index == 1) {
        return MPI_T_ERR_INVALID_INDEX;
    }
    snprintf(name, (size_t)*name_length, "fake_event_%d", index);
    snprintf(text, (size_t)*text_length, "what happens");
    *verbosity = MPI_T_VERBOSITY_TUNER_ALL;
    *elements = 3;
    *bind = MPI_T_BIND_MPI_COMM;
    return MPI_SUCCESS;
}
C
    $MPICC_MPICH -shared -fPIC -o libevents.so events.c
    LD_PRELOAD=$scratch/libevents.so "$vars" --mpi=mpich 'fake_*_2' >table
    assert_matches "$(cat table)" '^fake_event_2 +MPI_COMM +TUNER_ALL +3$'
    LD_PRELOAD=$scratch/libevents.so "$vars" --mpi=mpich --json >mpich.json
    assert_equal '[["fake_event_0", 3], ["fake_event_2", 3]]' \
        "$(json mpich.json '[[e["name"], e["elements"]] for e in d["events"]]')" "fake events"
fi
