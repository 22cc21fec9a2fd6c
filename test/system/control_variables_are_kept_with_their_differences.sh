# --cvars='*': each control variable is in the archive once, what another rank has differently
# besides, and what the environment sets is told.
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi

# The environment of rank 1 alone differs; that of both has one more.
cat >differ.sh <<'SH'
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export OMPI_MCA_btl_vader_eager_limit=8192
exec "$@"
SH
OMPI_MCA_coll_tuned_use_dynamic_rules=1 run_openmpi 2 sh differ.sh "$record" -q --cvars='*' \
    -o cvars.otf2.zip "$(example ring openmpi)" >/dev/null
unzip -qp cvars.otf2.zip mpiwatch.json >about.json
"$analyze" counters --json cvars.otf2.zip >counters.json
"$analyze" counters cvars.otf2.zip >counters.txt

# value NAME KEY: of the control variable in the archive.
value() {
    json about.json "[cvar['$2'] for cvar in d['variables']['cvars'] if cvar['name'] == '$1'][0]"
}
assert_equal true "$(json about.json '(len(d["variables"]["cvars"]) > 500 and
    len(set(cvar["name"] for cvar in d["variables"]["cvars"])) ==
    len(d["variables"]["cvars"]))')" "each one once"
assert_equal true "$(value coll_tuned_use_dynamic_rules set_by_user)" "set in the environment"
assert_equal false "$(value coll_tuned_priority set_by_user)" "not set"
limit=$(value btl_vader_eager_limit value)
[ "$limit" != 8192 ] || fail "rank 0 has the value of rank 1"
assert_equal '[["8192", 1]]' "$(json counters.json '[[cvar["value"], cvar["rank"]]
    for cvar in d["cvar_differences"] if cvar["name"] == "btl_vader_eager_limit"]')" \
    "what differs"
assert_equal true "$(json counters.json '"coll_tuned_use_dynamic_rules" in [
    cvar["name"] for cvar in d["cvars_set"]]')" "what is set, in the report"
assert_matches "$(cat counters.txt)" 'btl_vader_eager_limit +8192 on rank 1$'
assert_matches "$(cat counters.txt)" \
    'coll_tuned_use_dynamic_rules +[a-z0-9]+ set by the environment$'
