#!/bin/sh
# The same server from inside and outside: argus proves its identity at either address, and uses the
# local one where it answers. For a relay with a certificate of its own add --fingerprint.
#   sh moving-outside.sh home https://relay.example
set -eu
server=$1 relay=$2
shift 2
argus server set "$server" --relay "$relay" "$@"
argus server show "$server" --json | jq -r '"\(.name): \(.urls | join(", "))"'
# What you will see outside:
argus cameras list --server "$server" --via relay --no-input --format csv --fields name,online
