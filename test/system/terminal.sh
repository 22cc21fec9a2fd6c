# For tests of programs with a screen of their own, in tmux, sourced behind lib.sh.

# has_terminal PROGRAM ARGUMENT...: whether there is tmux, and the program draws in it.
has_terminal() {
    "$@" </dev/null >no-terminal 2>&1 || true
    command -v tmux >/dev/null && ! grep -q "without ncurses" no-terminal
}

# open_terminal NAME COLUMNS ROWS COMMAND: runs it; a server that is ending is not to be met.
open_terminal() {
    socket=mpiwatch-$$-$1
    tmux -L "$socket" -f /dev/null new-session -d -x "$2" -y "$3" "$4; echo over; sleep 60"
}

# close_terminal: also for a test that gives up, whether one is open or not.
close_terminal() {
    [ -z "${socket-}" ] || tmux -L "$socket" kill-server || true
    socket=
}

# shown PATTERN: whether a line of what is on the screen, in the file screen, matches it.
shown() {
    tmux -L "$socket" capture-pane -p >screen
    grep -q -- "$1" screen
}
hidden() {
    ! shown "$1"
}

# key KEY...: as tmux calls them.
key() {
    tmux -L "$socket" send-keys "$@"
}
