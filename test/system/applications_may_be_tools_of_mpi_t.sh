# A program that uses MPI_T itself works under the recorder in either order of MPI_Init and
# MPI_T_init_thread, and so does a recorder that is asked for everything.
. "$TOP_SRCDIR/test/system/lib.sh"

compiler() {
    if [ "$1" = openmpi ]; then echo "$MPICC_OPENMPI"; else echo "$MPICC_MPICH"; fi
}
for mpi in $(mpis); do
    "$(compiler "$mpi")" -o "tool-$mpi" "$TOP_SRCDIR/test/system/mpi_t_tool.c"
    pvars=1
    [ "$mpi" = openmpi ] || pvars=0
    for order in "" before; do
        run_mpi "$mpi" 1 "$record" -q -o "$mpi$order.otf2.zip" --pvars=all --cvars='*' \
            "./tool-$mpi" $order >out 2>err || fail "$mpi, order '$order': $(tail -3 err)"
        assert_equal "provided 1 pvars $pvars cvars 1" "$(cat out)" "$mpi, order '$order'"
        unzip -qp "$mpi$order.otf2.zip" mpiwatch.json >about.json
        assert_equal true "$(json about.json 'len(d["variables"]["cvars"]) > 300')" \
            "control variables in the archive of $mpi"
    done
done
