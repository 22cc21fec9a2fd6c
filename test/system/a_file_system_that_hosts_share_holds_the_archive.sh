# Ranks that are hosts of their own, and see the output's directory by sshfs, each through a mount
# and caches of its own: the archive is written together, small or large, and so is that of a run
# that was killed, by mpiwatch-recover under mpirun. The files come from sftp-server, without ssh.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need sshfs
server=/usr/lib/openssh/sftp-server
[ -x "$server" ] || skip "no sftp-server here"
. "$TOP_SRCDIR/test/system/shared_files.sh"
test_timeout=60

printf '#!/bin/sh\nexec %s\n' "$server" >instead_of_ssh
chmod +x instead_of_ssh
cat >mount_shared <<'SCRIPT'
exec sshfs -f -o ssh_command="$PWD/instead_of_ssh" "any:$PWD/store" shared
SCRIPT
need_shared sshfs

for mpi in $(built_mpis); do
    shared_holds_archives "$mpi"
done
finish
