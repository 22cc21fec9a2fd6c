# A run on three hosts, whose clocks are five days apart, under mpirun: finished or killed, its
# archive tells the efficiency that the ranks know by their own clocks (steps.c), as one without
# offsets does, and messages that arrive before they are sent by no more than the clocks may be
# wrong.
# (The same under srun: jobs_of_slurm_are_recorded_and_recovered.sh.)
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/steps.sh"
need unshare hostname
unshare --uts --time --monotonic 1 true 2>/dev/null || skip "unshare --uts --time is not permitted"
test_timeout=60

cat >place <<'SCRIPT'
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-}}
exec unshare --uts --time --monotonic $((DAYS * 86400 * rank)) sh -c '
    hostname "node$0" && exec "$@"' "$rank" "$@"
SCRIPT

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o "steps-$mpi" "$TOP_SRCDIR/test/system/steps.c"
    for DAYS in 0 5; do
        export DAYS
        for way in "" killed; do
            rm -rf run.otf2.zip* "${spools:?}"/*
            run_mpi "$mpi" 3 sh place "$record" --cpu=off -o run.otf2.zip "./steps-$mpi" $way \
                >out 2>err || true
            [ -z "$way" ] || "$TOP_BUILDDIR/mpiwatch-recover" run.otf2.zip.run >out 2>err || true
            tells_steps "$mpi, $DAYS days apart, ${way:-finished}"
        done
    done
done
finish
