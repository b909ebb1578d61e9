#!/usr/bin/env bash
# The users of a Redis broker (version 7 or later), one for each queue, which all programs of its match share:
#   queue-users.sh FOLDER QUEUE...
# QUEUE is the name of a queue, after the # of its address, and of its user, who has rights in no other queue. The script writes
# FOLDER/queue.acl, for `redis-server --aclfile FOLDER/queue.acl`, and for each user, and for `admin`, a file FOLDER/USER.password,
# which KROO_QUEUE_PASSWORD_FILE names. Passwords that are there are kept: to add a queue, run it again with all of them, and have
# the broker do ACL LOAD as `admin`.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7p' "$0" >&2; exit 1; }
folder=$1
shift
for queue; do
    [[ $queue =~ ^[A-Za-z0-9._-]{1,64}$ && $queue != admin && $queue != default ]] || {
        echo "queue-users.sh: $queue: expected the name of a queue, 1 to 64 letters, digits, \`-\`, \`_\` or \`.\`; not admin or default" >&2
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

{
    echo 'user default off'
    user admin '~* &* +@all'
    for queue; do user "$queue" "~kroo:{$queue}:* +@all -@admin -@dangerous -script -function"; done
} >"$folder/queue.acl.new"
mv "$folder/queue.acl.new" "$folder/queue.acl"
