#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests that need Slurm, on a Slurm of their own: two nodes that are this machine, for as long
# as the tests run. Needs root, and Debian's slurmctld, slurmd, slurm-client and munge (which may be
# idle). Nothing of it outlives the script, and no other Slurm of the machine is touched.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

missing=
for tool in slurmctld slurmd munged srun; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
[ -z "$missing" ] || {
    echo "check-slurm: there is no$missing: apt install slurmctld slurmd slurm-client munge" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || {
    echo "check-slurm: its daemons must be started by root" >&2
    exit 1
}

# Not below the repository: munge wants folders that only their owner may write, up to the root.
scratch=$(mktemp -d /tmp/furlong-slurm.XXXXXX)
stop() {
    pids=
    for daemon in n1 n2 slurmctld munged; do
        pid=$(cat "$scratch/$daemon.pid" 2>/dev/null) || continue
        pids="$pids $pid"
    done
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    for pid in $pids; do
        for _ in $(seq 40); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.25
        done
    done
    rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP

chmod 755 "$scratch"
mkdir -p "$scratch/state" "$scratch/n1/tmp" "$scratch/n2/tmp" "$scratch/socket"
(umask 077 && head -c 1024 /dev/urandom >"$scratch/key")
# The ports of two runs at a time differ.
port=$((20000 + $$ % 10000 * 4))
host=$(hostname -s)
cat >"$scratch/slurm.conf" <<EOF
ClusterName=furlong
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/socket/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/%n
TmpFS=$scratch/%n/tmp
SlurmdPidFile=$scratch/%n.pid
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdLogFile=$scratch/%n.log
SlurmctldLogFile=$scratch/slurmctld.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=8
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=8
PartitionName=all Nodes=n[1-2] Default=YES State=UP
EOF
export SLURM_CONF="$scratch/slurm.conf"
munged --socket="$scratch/socket/munge" --key-file="$scratch/key" --log-file="$scratch/munged.log" \
    --pid-file="$scratch/munged.pid" --seed-file="$scratch/seed" --force 2>/dev/null
slurmctld -c -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N n1
slurmd -f "$SLURM_CONF" -N n2

for _ in $(seq 60); do
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && break
    sleep 0.5
done
[ "$(sinfo -h -t idle -o %D)" = 2 ] || {
    echo "check-slurm: Slurm's two nodes are not ready within 30 s:" >&2
    tail -n 5 "$scratch"/*.log >&2
    exit 1
}
cd "$root"
# Each test wants both nodes.
CHECK_SLURM=1 cargo xtask cli slurm/ --jobs 1
