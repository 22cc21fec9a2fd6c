# mpiwatch-top --serve, a job beside a program on three hosts that accepts nobody, opens a port on
# each and writes it, a line a host, into a file, to stdout or to stderr; --connect shows what they
# tell, of all hosts. Clients come and go, are killed, or stand still, and hold up neither program
# nor server, nor the next client; what one of them did not take is counted. Without ompi-server,
# of an MPI without ports, and of what is no message, there are sentences.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/three_hosts.sh"

# refused STATUS WORDS COMMAND...
refused() {
    local expected=$1 words=$2 status=0
    shift 2
    "$@" >out 2>err || status=$?
    [ "$status" = "$expected" ] || fail "$*: exit $status: $(cat err)"
    grep -q -- "$words" err || fail "$*: \"$words\" is not in: $(cat err)"
}
launched() {
    timeout 60 "$@" </dev/null
}

refused 2 "mpirun starts them" "$top" --serve some.run
refused 2 "mpirun starts them" "$top" --connect ports
refused 2 "a job of its own.*mpirun --map-by ppr:1:node mpiwatch-top --why NAME.run" \
    "$top" --connect ports --why
refused 2 "--serve shows nothing: --waits is for --connect" "$top" --serve --waits some.run
if mpis | grep -qx mpich; then
    echo port >ports
    "$MPIRUN_MPICH" --version | grep -q 'ch4:ucx' &&
        for way in "--serve some.run" "--connect ports"; do
            launched "$MPIRUN_MPICH" -n 1 "$top" $way >out 2>err && fail "MPICH: $way"
            assert_contains "$(cat err)" "this MPICH has no ports"
        done
    rm ports
fi

built_mpis | grep -qx openmpi || finish
need ompi-server
mpirun=$MPIRUN_OPENMPI
: >empty
printf 'not a port\0\n' >binary
refused 3 "there is no port in it" launched "$mpirun" -n 1 "$top" --connect empty
refused 3 "this is no file of ports" launched "$mpirun" -n 1 "$top" --connect binary
refused 2 "no port without --serve" launched "$mpirun" -n 1 "$top" --port-in-stdout some.run
refused 2 "is one process" launched "$mpirun" -n 2 "$top" --connect empty

ompi-server --no-daemonize -r server >server.out 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; clean_up' EXIT
await "ompi-server" test -s server

# serve OPTION...: the servers, as $serve.
serve() {
    mpirun_options="--ompi-server file:server" run_hosts openmpi --serve "$@" run.zip.run \
        >serve.out 2>serve.err &
    serve=$!
}
connect() {
    launched "$mpirun" --ompi-server file:server -n 1 "$top" --connect ports "$@"
}

carriers() {
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/cwd")" = "$PWD" ] && grep -q mpiwatch-carry "$process/comm" &&
            tr '\0' ' ' <"$process/cmdline" | grep -q ' connect '; then
            echo "${process#/proc/}"
        fi
    done 2>/dev/null
}

start_run openmpi
serve --port-in-file ports
await "ports" test -s ports
assert_equal "3 3" "$(wc -l <ports) $(sort -u ports | wc -l)" "ports, a line for each host"
connect --once >text 2>err || fail "--connect: $(cat err)"
assert_matches "$(cat text)" '^held-openmpi: 3 of 3 ranks run on 3 hosts$'
assert_matches "$(cat text)" '^ +0 +computing '
assert_matches "$(cat text)" '^ +2 +MPI_Recv from 0 \(tag 9, all three\) .* 100\.0% '

# How much ranks wait for those of other hosts, and variables: servers tell who wishes for it.
connect --once --waits --variable=POSTED >text 2>err || fail "--connect --waits: $(cat err)"
assert_matches "$(cat text)" '^clocks of hosts were compared to '
assert_matches "$(cat text)" '^variable: pml_ob1_posted_recvq_length$'
# MPI's share of the last second, ten and all; waits of the same (of all it may be in doubt while
# MPI_Init is a large part of that); the variable, calls and messages a second, bytes
shares='0\.0% +[^ ]+ +[^ ]+ +0\.0% +[^ ]+ +[^ ]+'
assert_matches "$(cat text)" "^ +0 +computing .* s +$shares +[0-9]+ +[^ ]+ +[^ ]+ +[^ ]+ k?B$"

# Two at the same time; one stands still until more was told than is kept for it, one is killed.
connect --json >lines 2>first.err &
first=$!
await "lines" test -s lines
still=$(carriers)
[ -n "$still" ] || fail "there is no client"
connect --json >second 2>second.err &
second=$!
await "lines of the second client" test -s second
kill -STOP "$still"
kill -KILL $(carriers | grep -vx "$still")
wait "$second" || true
sleep 12 # more than 8 looks, which are kept for it
connect --once >text 2>third.err || fail "one that stands still holds up the next: $(cat third.err)"
assert_matches "$(cat text)" '^held-openmpi: 3 of 3 ranks run on 3 hosts$'
kill -CONT "$still"
dropped() {
    tail -n 1 lines >last
    [ "$(json last 'min(h["dropped"] for h in d["hosts"]) > 0' 2>/dev/null)" = true ]
}
await "what was dropped" dropped
assert_equal '["computing", "MPI", "MPI"]' "$(json last '[t["state"] for t in d["threads"]]')" "it"

# The run ends, and all with it.
touch go
wait "$run" || fail "the program ended with $?: $(cat err)"
assert_file run.zip
wait "$first" || fail "the client ended with $?: $(cat first.err)"
tail -n 1 lines >last
assert_equal 0 "$(json last 'int(d["running"])')" "the end"
# (Open MPI 4.1's mpirun itself has been seen to crash after the last of its processes had ended.)
wait "$serve" || assert_contains "$(cat serve.err)" PMIx_server_finalize
[ ! -e ports ] || fail "the ports stay"

# Ports on stdout and stderr; the file is not replaced; without ompi-server.
start_run openmpi
for stream in out err; do
    serve --port-in-std$stream
    await "ports on std$stream" sh -c "[ \$(grep -c '^[0-9.]*:[0-9]*$' serve.$stream) = 3 ]"
    grep '^[0-9.]*:[0-9]*$' serve.$stream >ports
    connect --once >text 2>err || fail "--connect, std$stream: $(cat err)"
    assert_matches "$(cat text)" '3 of 3 ranks run on 3 hosts'
    refused 3 "MPI_Comm_connect: error 17.*ompi-server" launched "$mpirun" -n 1 "$top" \
        --connect ports --once
    kill "$(pgrep -P "$serve" timeout || echo "$serve")"
    wait "$serve" || true
done
mpirun_options="--ompi-server file:server" run_hosts openmpi --serve --port-in-file ports \
    run.zip.run >out 2>err && fail "a file of ports is replaced"
assert_contains "$(cat err)" "there is such a file already"
touch go
wait "$run" || fail "the program ended with $?: $(cat err)"

# What is no message, or one of another version, from the other end.
"$(mpicc_of openmpi)" -o false_server "$TOP_SRCDIR/test/system/false_server.c"
# told KIND SENTENCE
told() {
    local false_server
    rm -f ports
    launched "$mpirun" --ompi-server file:server -n 1 ./false_server "$1" >out 2>&1 &
    false_server=$!
    await "a port" test -s ports
    refused 3 "no server is to be heard: .*$2" connect --once
    wait "$false_server" || true
}
told version "is of version 99, and this program knows version 3"
told long "no message of mpiwatch-top"
told noise "no message of mpiwatch-top"
finish
