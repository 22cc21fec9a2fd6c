# Windows, puts, gets, atomics, locks and epochs are in the archive, as OTF2's Rma* events.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# Open MPI 4.1's osc/rdma crashes in MPI_Compare_and_swap between processes of one host.
! openmpi_is_4 || export OMPI_MCA_osc=^ucx,rdma
archives_of one_sided.c

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    recorded "$mpi" "$ranks" one_sided
    "$python" "$TOP_SRCDIR/test/system/count_objects.py" one_sided.otf2.zip "$ranks" \
        windows=2 RmaWinCreate='2*n' RmaWinDestroy='2*n' RmaCollectiveBegin='6*n' \
        RmaCollectiveEnd='6*n' RmaPut='4*n' put='80*n' RmaGet='2*n' got='32*n' \
        RmaAtomic='4*n' sent='64*n' fetched='32*n' RmaOpCompleteRemote='5*n' \
        RmaOpCompleteNonBlocking='2*n' RmaRequestLock='2*n' RmaAcquireLock='2*n' \
        RmaReleaseLock='2*n' RmaSync='4*n' target_0=10 target_1=10 >counts 2>&1 ||
        wrong "one_sided, $mpi: $(cat counts)"
    # The same bytes by call, put and sent, got and fetched.
    "$analyze" calls --json one_sided.otf2.zip >calls.json || wrong "one_sided, $mpi: calls"
    for way in sent:144 received:64; do
        assert_equal $((${way#*:} * ranks)) \
            "$(json calls.json "sum(c['bytes_${way%:*}'] for c in d['calls']
                if c['group'] == 'rma')")" \
            "one_sided, $mpi: bytes ${way%:*}"
    done
done
finish
