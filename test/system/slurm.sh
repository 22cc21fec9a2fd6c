# Functions of tests that need a batch system: a Slurm of three nodes on this machine, each with a
# name, a disk ($disk, which is another directory on each) and a clock of its own, five days apart.
# To be sourced behind lib.sh.

# start_slurm: in $scratch, or skips the test.
start_slurm() {
    need slurmctld slurmd munged srun sbatch scancel sinfo unshare
    unshare --mount --uts --time --monotonic 1 true 2>/dev/null ||
        skip "unshare --mount --uts --time is not permitted"
    slurm=$scratch/slurm
    disk=$slurm/disk
    mkdir -p "$slurm"/{munge,state,disk,log,pid}
    chmod 755 "$scratch" "$slurm" "$slurm/munge"
    trap 'stop_slurm; clean_up' EXIT
    head -c 1024 /dev/urandom >"$slurm/munge/key"
    chmod 400 "$slurm/munge/key"
    munged --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
        --pid-file="$slurm/pid/munged" --log-file="$slurm/log/munged" \
        --seed-file="$slurm/munge/seed" || skip "munged does not start here"
    local port=$((20000 + $$ % 3000 * 4)) node # below those that the system gives away
    cat >"$slurm/slurm.conf" <<CONF
ClusterName=small
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
SlurmctldPidFile=$slurm/pid/slurmctld
SlurmdPidFile=$slurm/pid/%n
SlurmctldLogFile=$slurm/log/slurmctld
SlurmdLogFile=$slurm/log/%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
KillWait=10
TmpFS=$disk
SlurmdParameters=config_overrides
NodeName=n1 NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2
NodeName=n2 NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2
NodeName=n3 NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=2
PartitionName=all Nodes=n1,n2,n3 Default=YES State=UP
CONF
    export SLURM_CONF=$slurm/slurm.conf
    slurmctld -c || skip "slurmctld does not start here"
    for node in 1 2 3; do
        mkdir -p "$slurm/spool.n$node" "$slurm/disk.n$node"
        unshare --mount --uts --time --monotonic $((432000 * (node - 1))) sh -c '
            mount --make-rprivate / && mount --bind "$1" "$2" && hostname "$3" &&
            exec slurmd -N "$3"' node "$slurm/disk.n$node" "$disk" "n$node" ||
            skip "slurmd does not start here"
    done
    for node in $(seq 100); do
        if [ "$(sinfo -h -t idle -o %D)" = 3 ] && # which it says before all of it has started
            timeout -k 10 60 srun --nodes=3 --ntasks=3 true </dev/null 2>"$slurm/log/first"; then
            return 0
        fi
        sleep 0.1
    done
    skip "the nodes do not come up: $(sinfo 2>&1) $(cat "$slurm"/log/first 2>&1)"
}

# Ends its processes by what they wrote of themselves, and waits for them.
stop_slurm() {
    local file pids='' pid
    for file in "$slurm"/pid/*; do
        [ ! -s "$file" ] || pids+=" $(cat "$file")"
    done
    kill $pids 2>/dev/null || true
    for pid in $pids; do
        timeout 10 tail --pid="$pid" -f /dev/null || true
    done
}
