# Ranks that are hosts of their own, and see the output's directory by GlusterFS, which caches what
# is written and has locks of its own, unlike sshfs: archives, and what is recovered, as there. The
# server is of one brick and of this test, without glusterd: it ends with the test's shell.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need glusterfsd glusterfs
. "$TOP_SRCDIR/test/system/shared_files.sh"
test_timeout=60

port=$("$python" -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
cat >server.vol <<VOLUME
volume files
  type storage/posix
  option directory $PWD/store
end-volume
volume locks
  type features/locks
  subvolumes files
end-volume
volume $PWD/store
  type performance/io-threads
  subvolumes locks
end-volume
volume server
  type protocol/server
  option transport-type tcp
  option transport.address-family inet
  option transport.socket.bind-address 127.0.0.1
  option transport.socket.listen-port $port
  option auth.addr.$PWD/store.allow 127.0.0.1
  subvolumes $PWD/store
end-volume
VOLUME
cat >client.vol <<VOLUME
volume remote
  type protocol/client
  option transport-type tcp
  option transport.address-family inet
  option remote-host 127.0.0.1
  option remote-port $port
  option remote-subvolume $PWD/store
end-volume
volume written
  type performance/write-behind
  subvolumes remote
end-volume
volume ahead
  type performance/read-ahead
  subvolumes written
end-volume
volume read
  type performance/quick-read
  subvolumes ahead
end-volume
VOLUME
setpriv --pdeathsig KILL glusterfsd -N -f "$PWD/server.vol" -l "$PWD/server.log" </dev/null \
    >served 2>&1 &
for _ in $(seq 100); do
    grep -qi "^ *[0-9]*: 0100007F:$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp && break
    kill -0 $! 2>/dev/null ||
        skip "glusterfsd does not start here: $(cat served; grep ' E ' server.log | head -1)"
    sleep 0.1
done
cat >mount_shared <<'SCRIPT'
exec glusterfs -N -f "$PWD/client.vol" -l "$PWD/client.$$.log" "$PWD/shared"
SCRIPT
need_shared GlusterFS

for mpi in $(built_mpis); do
    shared_holds_archives "$mpi"
done
finish
