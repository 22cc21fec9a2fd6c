# Every collective operation, blocking and not, is in the archive with its bytes.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of collectives.c icollectives.c
finish
