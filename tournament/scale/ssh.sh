#!/usr/bin/env bash
# Workers on machines that ssh reaches, one a line of a file (`HOST` or `HOST CONCURRENCY`; text after a # is a comment):
#   ssh.sh URL HOSTS [WORKER-OPTION...]
# starts a worker on each and waits for all. Interrupted or killed, it has them give their games back. The referee there is
# $REFEREE, or `referee`. The broker's password is in KROO_QUEUE_PASSWORD, or in the file KROO_QUEUE_PASSWORD_FILE; it goes to the
# machines through the standard input of ssh, so that no command line shows it.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6p' "$0" >&2; exit 1; }
url=$1 hosts=$2
shift 2
case $url in
*://*) ;;
*) echo "ssh.sh: $url: expected the URL of the queue, such as rediss://broker#test" >&2; exit 1 ;;
esac

password=${KROO_QUEUE_PASSWORD:-$(cat "${KROO_QUEUE_PASSWORD_FILE:?the password is in KROO_QUEUE_PASSWORD, or in this file}")}
unset KROO_QUEUE_PASSWORD KROO_QUEUE_PASSWORD_FILE
options=$(printf ' %q' "$@")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Each ssh reads from a pipe that only this script holds open: whatever ends the script, the machine there sees the end of its
# input, and tells its worker to leave.
holds=() pids=()
let_go() { for hold in "${holds[@]}"; do exec {hold}>&-; done; }
while read -r host concurrency _; do
    case $host in '' | '#'*) continue ;; esac
    worker="$(printf %q "${REFEREE:-referee}") worker $(printf %q "$url")"
    remote="exec 3<&0; read -r KROO_QUEUE_PASSWORD; export KROO_QUEUE_PASSWORD;"
    remote+=" $worker --concurrency ${concurrency:-1}${options% \'\'} </dev/null & worker=\$!;"
    remote+=" (while read -r _; do :; done; kill -HUP \$worker) <&3 >/dev/null 2>&1 & watch=\$!;"
    remote+=" wait \$worker; status=\$?; kill \$watch 2>/dev/null; exit \$status"
    mkfifo "$folder/pipe"
    exec {hold}<>"$folder/pipe" {input}<"$folder/pipe"
    rm "$folder/pipe"
    holds+=("$hold")
    printf '%s\n' "$password" >&"$hold"
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
