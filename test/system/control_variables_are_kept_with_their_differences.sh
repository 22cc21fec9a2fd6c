# --cvars='*': each control variable is in the archive once, what another rank has differently
# besides, and what the environment sets is told.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# value NAME KEY: of the control variable in the archive.
value() {
    json about.json "[cvar['$2'] for cvar in d['variables']['cvars'] if cvar['name'] == '$1'][0]"
}

# kept MPI AT_LEAST SET DIFFERS UNSET ENVIRONMENT: records two ranks, in whose environment SET is
# 1, and DIFFERS 8192 on rank 1 alone; ENVIRONMENT stands before their names there.
kept() {
    local mpi=$1 at_least=$2 set=$3 differs=$4 unset=$5 environment=${6-}

    cat >differ.sh <<SH
[ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" = 1 ] && export $environment$differs=8192
exec "\$@"
SH
    export "$environment$set=1"
    run_mpi "$mpi" 2 sh differ.sh "$record" -q --cvars='*' --force -o cvars.otf2.zip \
        "$(example ring "$mpi")" >/dev/null
    unzip -qp cvars.otf2.zip mpiwatch.json >about.json
    "$analyze" counters --json cvars.otf2.zip >counters.json
    "$analyze" counters cvars.otf2.zip >counters.txt

    assert_equal true "$(json about.json "(len(d['variables']['cvars']) > $at_least and
        len(set(cvar['name'] for cvar in d['variables']['cvars'])) ==
        len(d['variables']['cvars']))")" "$mpi: each one once"
    assert_equal true "$(value "$set" set_by_user)" "$mpi: set in the environment"
    assert_equal false "$(value "$unset" set_by_user)" "$mpi: not set"
    [ "$(value "$differs" value)" != 8192 ] || fail "$mpi: rank 0 has the value of rank 1"
    assert_equal '[["8192", 1]]' "$(json counters.json "[[cvar['value'], cvar['rank']]
        for cvar in d['cvar_differences'] if cvar['name'] == '$differs']")" "$mpi: what differs"
    assert_equal true "$(json counters.json "all(cvar['scope'] == {
        other['name']: other['scope'] for other in json.load(open('about.json'))[
            'variables']['cvars']}[cvar['name']]
        for cvar in d['cvars_set'] + d['cvar_differences'])")" "$mpi: scopes, in the report"
    assert_equal true "$(json counters.json "'$set' in [
        cvar['name'] for cvar in d['cvars_set']]")" "$mpi: what is set, in the report"
    assert_matches "$(cat counters.txt)" "$differs +8192 [A-Z_]+ on rank 1\$"
    assert_matches "$(cat counters.txt)" "$set +[a-z0-9]+ [A-Z_]+ set by the environment\$"
}

for mpi in $(built_mpis); do
    case $mpi in
    openmpi)
        kept openmpi 500 coll_tuned_use_dynamic_rules btl_vader_eager_limit coll_tuned_priority \
            OMPI_MCA_
        ;;
    mpich)
        kept mpich 100 MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE MPIR_CVAR_BCAST_SHORT_MSG_SIZE \
            MPIR_CVAR_BCAST_MIN_PROCS
        ;;
    esac
done

# By scope and by category; and all elements of a variable that has several (wide_cvar.c).
for mpi in $(mpis); do
    $(mpicc_of "$mpi") -shared -fPIC -o libwide.so "$TOP_SRCDIR/test/system/wide_cvar.c"
    for terms in "cat:wid*" "scope:LOCAL" "scope:LOCAL,ALL_EQ;!wide_n*"; do
        LD_PRELOAD=$scratch/libwide.so run_mpi "$mpi" 1 "$record" -q --cvars="$terms" --force \
            -o wide.otf2.zip "$(example hello "$mpi")" >/dev/null || true
        unzip -qp wide.otf2.zip mpiwatch.json >about.json
        assert_equal '[["wide_range", "1024 -1 65536", "LOCAL"]]' "$(json about.json \
            '[[v["name"], v["value"], v["scope"]] for v in d["variables"]["cvars"]]')" \
            "$mpi: --cvars=$terms"
    done
    LD_PRELOAD=$scratch/libwide.so "$TOP_BUILDDIR/mpiwatch-vars" --mpi="$mpi" --cvars scope:LOCAL \
        >wide
    assert_matches "$(cat wide)" 'wide_range +int +LOCAL +USER_BASIC +1024 -1 65536$'
    assert_lacks "$(cat wide)" wide_number
done
