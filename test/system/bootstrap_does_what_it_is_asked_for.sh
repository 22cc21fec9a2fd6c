# bootstrap says what it does where it is asked, and begins nothing where it is asked for what it
# does not know: what it would begin with is not to be found here.
. "$TOP_SRCDIR/test/system/lib.sh"

mkdir bin checkout
for tool in sh sed dirname cat; do
    ln -s "$(command -v $tool)" bin
done
cp "$TOP_SRCDIR/bootstrap" checkout

# asked STATUS ARGUMENT...: what it ends with; what it says is in out and err.
asked() {
    local expected=$1 status=0
    shift
    env PATH="$PWD/bin" checkout/bootstrap "$@" >out 2>err </dev/null || status=$?
    assert_equal "$expected" "$status" "bootstrap $*: $(cat out err)"
}

for help in --help -h; do
    asked 0 $help
    assert_equal "" "$(cat err)" "$help"
    for line in Prepares "bootstrap demo " "bootstrap check " "bootstrap --help "; do
        assert_contains "$(cat out)" "$line"
    done
    assert_lacks "$(cat out)" "#"
done
for wrong in "check --help" "demo check" "--help check" install ""; do
    case $wrong in
    *" "*) asked 1 $wrong ;;
    *) asked 1 "$wrong" ;;
    esac
    assert_equal "bootstrap: usage: ./bootstrap [demo|check|--help]" "$(cat out err)" "\"$wrong\""
done
asked 1 check # what it takes is not here; it has begun
assert_contains "$(cat out err)" "autoreconf"
