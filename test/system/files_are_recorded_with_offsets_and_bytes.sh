# MPI-IO is in the archive: files by name, bytes asked for and done, offsets where known.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of file_io.c

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" file_io "$scratch/some data"
    # Read: half a block, nothing, a block. Offsets: rank * 40, 40 n - 20, 40 n, 0, 40 n. Two
    # views set the pointer as well, to bytes 0 and 12.
    "$python" "$TOP_SRCDIR/test/system/count_objects.py" file_io.otf2.zip "$ranks" \
        files=1 handles=1 IoCreateHandle=n IoDestroyHandle=n IoDeleteFile=1 IoSeek='5*n' \
        sought='n*(120*n-20+12)' IoOperationBegin='7*n' IoOperationIssued='2*n' \
        IoOperationComplete='7*n' asked_write='n*(40+8+4)' asked_read='n*120' \
        done='n*(52+60)' offsets='sum(40*r+40*n-20+40*n+40*n for r in range(n))' >counts 2>&1 ||
        wrong "file_io, $mpi: $(cat counts)"
    rm -rf text
    unzip -qo file_io.otf2.zip -d text
    assert_contains "$(otf2-print -G text/traces.otf2)" "$scratch/some data"
    "$analyze" calls --json file_io.otf2.zip >calls.json || wrong "file_io, $mpi: calls"
    for way in sent:52 received:120; do
        assert_equal $((${way#*:} * ranks)) \
            "$(json calls.json "sum(c['bytes_${way%:*}'] for c in d['calls']
                if c['group'] == 'io')")" \
            "file_io, $mpi: bytes asked for, ${way%:*}"
    done
done
finish
