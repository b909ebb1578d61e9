#!/usr/bin/env bash
# The users of a Redis broker for queues, each with a password of its own:
#   queue-users.sh FOLDER WORKER...
# writes FOLDER/queue.acl, for `redis-server --aclfile FOLDER/queue.acl`, and a file FOLDER/USER.password for each user, which
# KROO_QUEUE_PASSWORD_FILE names: coordinator, viewer (for `referee status`), admin (for ACL LOAD), and each WORKER. Give every machine
# only its own file. Passwords that are there are kept: to add a worker, run it again with all of them, and have the broker do ACL LOAD.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6p' "$0" >&2; exit 1; }
folder=$1
shift
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

connect='-@all +auth +hello +ping +select +client|setname +time +eval'
{
    echo 'user default off'
    user admin '~* &* +@all'
    user coordinator '~kroo:{*}:* +@all -@admin -@dangerous +acl|users'
    user viewer "$connect +acl|users +get +getrange +exists +hlen +hgetall +hkeys +xlen +xpending %R~kroo:{*}:*"
    for worker; do
        user "$worker" "$connect \
(+get +getrange +exists %R~kroo:{*}:job %R~kroo:{*}:state %R~kroo:{*}:lock) \
(+hget %R~kroo:{*}:refused %R~kroo:{*}:executables) \
(+xreadgroup +xautoclaim +xclaim +xpending +xack +xdel ~kroo:{*}:batches) (+incr ~kroo:{*}:bell) \
(+hset +hdel ~kroo:{*}:workers:$worker) (+xadd ~kroo:{*}:results:$worker ~kroo:{*}:notes:$worker)"
    done
} >"$folder/queue.acl.new"
mv "$folder/queue.acl.new" "$folder/queue.acl"
