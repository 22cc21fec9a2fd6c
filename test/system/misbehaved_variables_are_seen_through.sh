# The variables of a badly behaved MPI (fake_mpi_t.c) come out as worked out on paper
# (fake_mpi_t_user.c): sums exactly, classes by what the values do.
. "$TOP_SRCDIR/test/system/lib.sh"

# of NAME KEY: of the variable's row in counters.json.
of() {
    json counters.json "[row['$2'] for row in d['pvars'] if row['name'] == '$1'][0]"
}
# high NAME KEY: of its high-water mark.
high() {
    json watermarks.json "[row['high']['$2'] for row in d['watermarks'] if row['name'] == '$1'][0]"
}

for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libfake.so "$TOP_SRCDIR/test/system/fake_mpi_t.c"
    $mpicc -o user "$TOP_SRCDIR/test/system/fake_mpi_t_user.c" -L. -lfake \
        -Wl,-rpath,"$scratch"
    LD_PRELOAD=$scratch/libfake.so run_mpi "$mpi" 1 "$record" -q --force -o fake.otf2.zip \
        --pvars='fake_*' --pvar-interval=0 \
        --pvar-class='fake_drain=HIGHWATERMARK,read_resets' ./user
    "$analyze" counters --json fake.otf2.zip >counters.json
    "$analyze" watermarks --json fake.otf2.zip >watermarks.json

    assert_equal 60 "$(of fake_raw total)" "a sum that starts at 1000"
    assert_equal "100 1 0" "$(of fake_wraps total) $(of fake_wraps wraps) $(of fake_wraps resets)" \
        "a sum that wraps"
    assert_equal "38 0 1" "$(of fake_reset total) $(of fake_reset wraps) $(of fake_reset resets)" \
        "a sum that somebody resets"
    assert_equal "SIZE COUNTER 190" \
        "$(of fake_size class) $(of fake_size effective_class) $(of fake_size total)" \
        "a SIZE that never falls"
    assert_equal "HIGHWATERMARK LEVEL 4" \
        "$(of fake_mark class) $(of fake_mark effective_class) $(of fake_mark max)" \
        "a mark that falls"
    assert_equal "HIGHWATERMARK 19" "$(of fake_drain effective_class) $(high fake_drain value)" \
        "a mark that reading resets"
    assert_equal "MPI_Barrier" "$(high fake_drain call)" "where it was highest"
    assert_equal 4 "$(of fake_late total)" "a sum that appears late"
    # What other readers of the archive see: sums that only rise, by the steps of the program; what
    # their variables did is an event of its own, at the sample where it was seen.
    assert_equal "$(printf '%s\n' "fake_raw $(seq -s ' ' 0 3 60)" \
        "fake_reset $(seq -s ' ' 0 2 20) $(seq -s ' ' 22 2 38)" "fake_wraps $(seq -s ' ' 0 5 100)" \
        "fake_reset 2 at 20" "fake_wraps 3 at 5")" \
        "$("$python" "$TOP_SRCDIR/test/system/sums_of.py" fake.otf2.zip fake_raw fake_reset \
            fake_wraps)" "$mpi: the series in the archive"
    "$analyze" export --force --otf2 part.otf2.zip fake.otf2.zip
    assert_equal "$("$python" "$TOP_SRCDIR/test/system/sums_of.py" fake.otf2.zip fake_reset)" \
        "$("$python" "$TOP_SRCDIR/test/system/sums_of.py" part.otf2.zip fake_reset)" "a part"
    assert_equal 0 "$(status_of "$analyze" validate fake.otf2.zip)" "$(cat stdout stderr)"
    assert_equal 7 "$(json counters.json 'len(d["pvars"])')" \
        "variables, the slot in between left out"
done
