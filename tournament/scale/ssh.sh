#!/usr/bin/env bash
# Workers on machines that ssh reaches, one a line of a file (`HOST` or `HOST CONCURRENCY`; text after a # is a comment):
#   queue-users.sh users QUEUE HOST...            # a user of the broker for each machine, named like it
#   ssh.sh URL HOSTS [WORKER-OPTION...]
# starts a worker on each and waits for all. Interrupted or killed, it has them give their games back. The referee there is
# $REFEREE, or `referee`. $USERS names another folder than `users`; a machine gets only its own password, through the standard
# input of ssh, so that no command line shows it.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8p' "$0" >&2; exit 1; }
url=$1 hosts=$2 users=${USERS:-users}
shift 2
case $url in
*://*@*) echo "ssh.sh: $url: leave the user out: each machine has its own" >&2; exit 1 ;;
*://*) ;;
*) echo "ssh.sh: $url: expected the URL of the queue, such as rediss://broker#test" >&2; exit 1 ;;
esac

# The broker's user of a machine.
user() { printf %s "${1#*@}"; }

while read -r host _; do
    case $host in '' | '#'*) continue ;; esac
    password=$users/$(user "$host").password
    [ -s "$password" ] || { echo "ssh.sh: $password is missing: queue-users.sh makes it" >&2; exit 1; }
done <"$hosts"
options=$(printf ' %q' "$@")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Each ssh reads from a pipe that only this script holds open: whatever ends the script, the machine there sees the end of its
# input, and tells its worker to leave.
holds=() pids=()
let_go() { for hold in "${holds[@]}"; do exec {hold}>&-; done; }
while read -r host concurrency _; do
    case $host in '' | '#'*) continue ;; esac
    worker="$(printf %q "${REFEREE:-referee}") worker $(printf %q "${url%%://*}://$(user "$host")@${url#*://}")"
    remote="exec 3<&0; read -r KROO_QUEUE_PASSWORD; export KROO_QUEUE_PASSWORD;"
    remote+=" $worker --concurrency ${concurrency:-1}${options% \'\'} </dev/null & worker=\$!;"
    remote+=" (while read -r _; do :; done; kill -HUP \$worker) <&3 >/dev/null 2>&1 & watch=\$!;"
    remote+=" wait \$worker; status=\$?; kill \$watch 2>/dev/null; exit \$status"
    mkfifo "$folder/pipe"
    exec {hold}<>"$folder/pipe" {input}<"$folder/pipe"
    rm "$folder/pipe"
    holds+=("$hold")
    printf '%s\n' "$(cat "$users/$(user "$host").password")" >&"$hold"
    (
        trap '' INT TERM HUP
        let_go
        ssh -o BatchMode=yes "$host" "$remote" <&"$input" 2>&1 | sed "s/^/$host: /"
    ) &
    pids+=($!)
    exec {input}<&-
done <"$hosts"
interrupted=0 failed=0
trap 'interrupted=1; let_go; holds=()' INT TERM HUP
for pid in "${pids[@]}"; do
    while :; do
        wait "$pid" && status=0 || status=$?
        kill -0 "$pid" 2>/dev/null || break
    done
    [ "$status" = 0 ] || failed=1
done
[ $interrupted = 0 ] || exit 130
exit $failed
