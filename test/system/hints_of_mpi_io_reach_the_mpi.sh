# --io-hints: what the user says of the archive's file is what MPI_File_get_info says of it, on
# both MPIs, except of what would make wrong bytes; other hints than KEY=VALUE are refused before
# the program starts; no hint changes what the program returns, or the archive, nor does which of
# its two MPI-IOs Open MPI uses. ROMIO, asked to print hints, prints those of the program's files
# only, unless with --verbose.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# hinted MPI HINTS: records a small and a large run, whose archive each rank writes by itself.
hinted() {
    local steps
    for steps in 10 50000; do
        status=0
        run_mpi "$1" 2 "$record" -v -e all -z 0 --force -o run.otf2.zip --io-hints="$2" \
            "./calls-$1" "$steps" >out 2>err || status=$?
        assert_equal 0 "$status" "$1, $2: status"
        "$analyze" validate run.otf2.zip >valid || wrong "$1, $2: $(cat valid)"
        assert_lacks "$(ls)" ".partial"
        assert_equal "$(printf '%o' $((0666 & ~0$(umask))))" "$(stat -c %a run.otf2.zip)" \
            "$1, $2: the archive's mode"
    done
}

# has HINT SENTENCE: what is said of it.
has() {
    assert_equal "mpiwatch: hint $1: $2" "$(grep -F "hint $1:" err)" "$mpi: $1"
}

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o "calls-$mpi" "$TOP_SRCDIR/test/system/local_calls.c"
    status=0
    run_mpi "$mpi" 2 "$record" --io-hints='cb_nodes' "./calls-$mpi" 10 >out 2>err ||
        status=$?
    assert_equal 125 "$status" "$mpi: a hint without a value: status"
    assert_contains "$(cat err)" '"cb_nodes" is not a list of KEY=VALUE'

    hinted "$mpi" 'cb_nodes=2; cb_config_list=*:2; cb_buffer_size=1048576; romio_cb_write=disable'
    has cb_buffer_size=1048576 "the MPI has it"
    if [ "$mpi" = mpich ] || openmpi_is_4; then
        has romio_cb_write=disable "the MPI has it"
    else
        has romio_cb_write=disable "the MPI does not have it" # OMPIO keeps what it knows
    fi
    if [ "$mpi" = openmpi ]; then
        has cb_nodes=2 "the MPI has 1" # before 5.0.6 it writes wrong bytes with more
        if ompi_info 2>/dev/null | grep -q 'MCA io: romio'; then
            OMPI_MCA_io=^ompio hinted openmpi 'cb_buffer_size=65536'
        fi
    else
        has cb_nodes=2 "the MPI has it"
        ROMIO_PRINT_HINTS=1 hinted "$mpi" 'cb_buffer_size=65536; nonsense=1'
        has nonsense=1 "the MPI does not have it"
        grep -Eq 'key = cb_buffer_size +value = 65536' out ||
            wrong "ROMIO itself says otherwise: $(head -20 out)"
        ROMIO_PRINT_HINTS=1 run_mpi "$mpi" 2 "./calls-$mpi" 10 >alone 2>err
        ROMIO_PRINT_HINTS=1 run_mpi "$mpi" 2 "$record" --force -o run.otf2.zip \
            "./calls-$mpi" 10 >out 2>err
        cmp alone out || wrong "ROMIO prints the hints of the archive: $(head -20 out)"
    fi
done
finish
