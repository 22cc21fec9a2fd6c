# The recorder's state under contention, with ThreadSanitizer: no race, and nothing is lost.
# Part of make check-tsan, which builds the program.
. "$TOP_SRCDIR/test/system/lib.sh"

program=$TOP_BUILDDIR/test/tsan/contention
[ -x "$program" ] || skip "make check-tsan builds the program"

# Older sanitizers can't place their memory where addresses are randomized by much.
status=$(status_of "$program" spools)
if [ "$status" != 0 ] && grep -q "unexpected memory mapping" stderr; then
    setarch -R true 2>/dev/null || skip "ThreadSanitizer can't run here: $(head -1 stderr)"
    rm -rf spools
    status=$(status_of setarch -R "$program" spools)
fi
cat stdout
assert_equal 0 "$status" "$(head -c 4000 stderr)"
assert_empty stderr
