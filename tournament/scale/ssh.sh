#!/usr/bin/env bash
# Workers on machines that ssh reaches, one a line of a file (`HOST` or `HOST CONCURRENCY`; text after a # is a comment):
#   ssh.sh URL HOSTS [WORKER-OPTION...]
# starts a worker on each and waits for all. Interrupted, it has them give their games back. The referee there is $REFEREE, or
# `referee`; $KROO_QUEUE_PASSWORD goes through the standard input of ssh, so that it stands in no command line.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,5p' "$0" >&2; exit 1; }
url=$1 hosts=$2
shift 2
options=$(printf ' %q' "$@")
pids=()
while read -r host concurrency _; do
    case $host in '' | '#'*) continue ;; esac
    # The worker is told by the end of the connection: it leaves as after SIGHUP.
    remote="read -r KROO_QUEUE_PASSWORD; export KROO_QUEUE_PASSWORD; [ -n \"\$KROO_QUEUE_PASSWORD\" ] || unset KROO_QUEUE_PASSWORD;"
    remote+=" exec $(printf %q "${REFEREE:-referee}") worker $(printf %q "$url") --concurrency ${concurrency:-1}${options% \'\'}"
    ssh -o BatchMode=yes "$host" "$remote" <<<"${KROO_QUEUE_PASSWORD:-}" 2>&1 | sed "s/^/$host: /" &
    pids+=($!)
done <"$hosts"
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
exit $failed
