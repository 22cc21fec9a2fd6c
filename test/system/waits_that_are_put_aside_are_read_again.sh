# More waits than are held in memory are put into a file of TMPDIR; where there is no room for one,
# or no place, the results are the same, and where it can't be read that is said as it is: of one
# process and of several.
. "$TOP_SRCDIR/test/system/lib.sh"
"$TOP_BUILDDIR/test/bench/generate" made 8 1500000 >/dev/null
"$analyze" waits --json -j 1 made >expected

cat >unread.c <<'PROGRAM'
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

ssize_t pread(int file, void *to, size_t bytes, off_t offset)
{
    ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
    char link[64], path[4096] = "";

    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/mpiwatch-analyze-")) {
        errno = EIO;
        return -1;
    }
    return next(file, to, bytes, offset);
}

ssize_t pread64(int file, void *to, size_t bytes, off_t offset) __attribute__((alias("pread")));
PROGRAM
$CC -D_GNU_SOURCE -shared -fPIC -o unread.so unread.c

# by WHO WORDS…: the words begin a process, or several.
by() {
    local who=$1
    shift
    assert_equal 0 "$(status_of "$@" env TMPDIR=/nowhere "$analyze" waits --json made)" \
        "$who, no TMPDIR: $(cat stderr)"
    cmp expected stdout || fail "$who, no TMPDIR: something else"
    assert_equal 3 "$(status_of "$@" env LD_PRELOAD="$PWD/unread.so" "$analyze" waits --json \
        made)" "$who: status where it can't be read"
    assert_equal "mpiwatch-analyze: what the analysis waits has put into a file of TMPDIR can't be \
read: Input/output error" "$(grep '^mpiwatch-analyze:' stderr)" "$who"
    assert_empty stdout
}
by "one process"
for mpi in $(mpis); do
    by "two processes, $mpi" run_mpi "$mpi" 2
done

can_mount || skip "no file systems of one's own here: a full one was not tried"
mkdir full
unshare --mount sh -c 'mount -t tmpfs -o size=128k none full &&
    TMPDIR=$PWD/full "$0" waits --json made >stdout' "$analyze"
cmp expected stdout || fail "where TMPDIR is full it says something else"
