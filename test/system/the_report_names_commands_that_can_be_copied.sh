# What the report says to look at next is a whole command line: with the archive as it was typed, in
# quotes where a shell needs them. The lines are run as they stand there.
. "$TOP_SRCDIR/test/system/lib.sh"

PATH="$TOP_BUILDDIR:$PATH"
"$TOP_BUILDDIR/test/data/make_archive" waits_messages "plain"
mkdir deep
try() { # ARCHIVE
    mv plain "$1"
    "$analyze" "$1" >report || fail "the report of $1: exit $?"
    [ "$(wc -l <report)" -le 24 ] || fail "more than a screen: $(cat report)"
    ! grep -q ' -> [a-z, ]*$' report || fail "a command without its archive: $(cat report)"
    sed -n 's/^ *-> \(mpiwatch-analyze .*\)/\1/p; s/.* more: \(mpiwatch-analyze .*\)/\1/p' \
        report >lines
    [ -s lines ] || fail "no command: $(cat report)"
    while read -r line; do
        bash -c "$line" >out 2>err || fail "$line: exit $?: $(cat err)"
        [ -s out ] || fail "$line says nothing"
    done <lines
    mv "$1" plain
}
try "run-1.otf2"
long=a-directory-whose-name-is-so-long-that-no-screen-has-room
try "$PWD/deep/$long-for-the-whole-of-the-command"
try "it's here \$HOME"
try "$(printf 'a\033[31m\\b')"
! grep -q "$(printf '\033')" report || fail "the report acts on the terminal"
