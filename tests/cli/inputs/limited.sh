#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# limited.sh MB COMMAND...: runs the command in a control group that allows it so much memory, and
# ends with 77 where no such group can be made.
root=/sys/fs/cgroup
if [ -f $root/memory/memory.limit_in_bytes ]; then
    own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
    group=$root/memory${own%/}/furlong-$$ limit=memory.limit_in_bytes
else
    group=$root/furlong-$$ limit=memory.max
    echo +memory >$root/cgroup.subtree_control
fi 2>/dev/null
megabytes=$1
shift
mkdir "$group" 2>/dev/null && echo $((megabytes << 20)) 2>/dev/null >"$group/$limit" || exit 77
sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
code=$?
until rmdir "$group" 2>/dev/null; do sleep 0.02; done
exit $code
