#!/usr/bin/env bash
# The users of a Redis broker (version 7 or later) for queues, each with a password of its own:
#   queue-users.sh FOLDER QUEUE[,QUEUE...] WORKER...
# QUEUE is the name of a queue, after the # of its address. The script writes FOLDER/queue.acl, for `redis-server --aclfile FOLDER/queue.acl`, and a file FOLDER/USER.password for each user, which
# KROO_QUEUE_PASSWORD_FILE names: coordinator, viewer (for `referee status`), admin (for ACL LOAD), and each WORKER. Give every machine
# only its own file. Passwords that are there are kept: to add a worker, run it again with all of them, and have the broker do ACL LOAD.
#
# Only the coordinator loads scripts into the broker, and only those queues have keys. Start the broker with `--maxmemory`: then
# a user who writes too much fills no more than that (README.md says what happens next).
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,7p' "$0" >&2; exit 1; }
folder=$1
IFS=, read -ra queues <<<"$2"
shift 2
for queue in "${queues[@]:-}"; do
    [[ $queue =~ ^[A-Za-z0-9._-]{1,64}$ ]] || {
        echo "queue-users.sh: $queue: expected the name of a queue, 1 to 64 letters, digits, \`-\`, \`_\` or \`.\`" >&2
        exit 1
    }
done
for worker; do
    case $worker in
    coordinator | viewer | admin | default)
        echo "queue-users.sh: $worker is no name of a worker: it is another user of the broker" >&2
        exit 1
        ;;
    esac
    [[ $worker =~ ^[A-Za-z0-9._-]{1,64}$ ]] || {
        echo "queue-users.sh: $worker: expected 1 to 64 letters, digits, \`-\`, \`_\` or \`.\`" >&2
        exit 1
    }
done
umask 077
mkdir -p "$folder"

# user NAME RULES: a line for the broker, which learns only the hash of the password.
user() {
    local file=$folder/$1.password
    [ -s "$file" ] || od -An -tx1 -N24 /dev/urandom | tr -d ' \n' >"$file"
    printf 'user %s on #%s %s\n' "$1" "$(sha256sum <"$file" | cut -d' ' -f1)" "$2"
}

# keys RIGHT KEY...: patterns for these keys of every queue, with a right (`R` to read) or without, for both.
keys() {
    local right=$1 queue key
    shift
    for queue in "${queues[@]}"; do
        for key; do printf ' %s~kroo:{%s}:%s' "$right" "$queue" "$key"; done
    done
}

# Scripts are run by their hashes. Only the coordinator can load any.
connect='-@all +auth +hello +ping +select +client|setname +time +evalsha'
{
    echo 'user default off'
    user admin '~* &* +@all'
    user coordinator "+@all -@admin -@dangerous -@scripting +evalsha +script|load +acl|users$(keys '' '*')"
    user viewer "$connect +acl|users +get +getrange +exists +hlen +hgetall +hkeys +xlen +xpending$(keys %R '*')"
    for worker; do
        user "$worker" "$connect \
(+get +getrange +exists$(keys %R job state lock)) \
(+hget$(keys %R refused executables)) \
(+xreadgroup +xautoclaim +xclaim +xpending +xack +xdel$(keys '' batches)) (+incr$(keys '' bell)) \
(+hset +hdel$(keys '' "workers:$worker")) (+xadd$(keys '' "results:$worker" "notes:$worker"))"
    done
} >"$folder/queue.acl.new"
mv "$folder/queue.acl.new" "$folder/queue.acl"
