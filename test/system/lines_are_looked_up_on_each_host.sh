# Programs on local disks of two hosts, neither of which has the other's: the lines of both are
# told, after MPI_Finalize and of a run that was killed, by mpiwatch-recover under mpirun on these
# hosts even where spools can be seen by both. A host that can't look them up leaves addresses, of
# its own program only.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need unshare hostname mount
unshare --uts --mount true 2>/dev/null || skip "unshare --uts --mount is not permitted"
sources=$TOP_SRCDIR/test/system

# Rank 1 lives on a host of its own, where local/ has another program, and the resolver may be
# another one.
cat >place <<'SCRIPT'
case ${OMPI_COMM_WORLD_RANK-${PMI_RANK-}} in
1) exec unshare --uts --mount sh -c 'hostname apart && mount -t tmpfs none local &&
    cp kept/second local && { [ -z "$RESOLVER" ] || mount --bind resolver "$RESOLVER"; } &&
    exec "$@"' apart "$@" ;;
esac
exec "$@"
SCRIPT
cat >start <<'SCRIPT'
if [ -e local/second ]; then exec "$@" local/second; fi
exec "$@" local/first
SCRIPT
printf '#!/bin/sh\nexit 1\n' >resolver
chmod +x resolver
unshare --uts --mount sh -c 'hostname apart && mkdir -p local && mount -t tmpfs none local' ||
    skip "a file system can't be mounted"

# places ARCHIVE: what each of the two programs' places is, files and functions.
places() {
    unzip -p "$1" mpiwatch.json >all.json
    json all.json '" ".join(sorted(set("%s:%s" % (
        d["modules"][a["module"]]["path"].rsplit("/", 1)[-1],
        s["file"].rsplit("/", 1)[-1] or s["function"].split("+")[0])
        for s in d["sites"] for a in s["addresses"]
        if "/local/" in d["modules"][a["module"]]["path"])))'
}

for mpi in $(built_mpis); do
    rm -rf local kept ./*.zip*
    mkdir -p local kept
    "$(mpicc_of "$mpi")" -g -O2 -w -o local/first "$sources/sites.c" -ldl
    "$(mpicc_of "$mpi")" -g -O1 -w -o kept/second "$sources/sites.c" -ldl
    run_mpi "$mpi" 2 sh place sh start "$record" -q -o both.zip >out 2>err ||
        fail "$mpi: $(cat err)"
    assert_equal "first:sites.c second:sites.c" "$(places both.zip)" "$mpi"
    "$analyze" sites --json both.zip >sites.json
    "$python" "$sources/sites.py" sites.json 2 "$sources/sites.c" site "$sources/sites.c" ending ||
        wrong "$mpi: lines"

    # Of one host they can't be told.
    RESOLVER=$(readlink -f "$TOP_BUILDDIR/mpiwatch-resolve") \
        run_mpi "$mpi" 2 sh place sh start "$record" -q -o fails.zip >out 2>err ||
        fail "$mpi: $(cat err)"
    assert_equal "first:sites.c second:second" "$(places fails.zip)" "$mpi, a resolver that fails"

    # Killed; the spools can be seen by all.
    SITES_DIE=1 run_mpi "$mpi" 2 sh place sh start "$record" -q -o killed.zip >out 2>err || true
    ranks_have_ended
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" -o alone.zip killed.zip.run)" \
        "$mpi: $(cat stderr)"
    assert_equal "first:sites.c second:second" "$(places alone.zip)" "$mpi, recovered on one host"
    assert_equal 4 "$(status_of run_mpi "$mpi" 2 sh place "$TOP_BUILDDIR/mpiwatch-recover" \
        -o together.zip killed.zip.run)" "$mpi: $(cat stderr)"
    assert_equal "first:sites.c second:sites.c" "$(places together.zip)" "$mpi, recovered on both"
    rm -rf killed.zip.run "$TMPDIR"/mpiwatch-*
done
finish
