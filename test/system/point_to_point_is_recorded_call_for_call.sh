# Every way to send, receive, probe and complete: the archive has each call once, and each
# message from end to end, as otf2-print, python3-otf2 and mpiwatch-analyze count them.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of ring.c halo.c p2p_all_modes.c persistent.c probes.c wildcards.c any_source.c \
    completions.c cancel_free.c line.c proc_null.c zero_bytes.c grequest.c
finish
