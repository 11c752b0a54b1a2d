#!/bin/sh
# Delete events that are older than 90 days. Without an argument it only counts them; look at them
# with 'argus events delete --until 90d --dry-run'.
#   sh clean-up.sh --yes
set -eu
count=$(argus events delete --until "${AGE:-90d}" --dry-run -q --no-input --json | jq length)
echo "$count events are older than ${AGE:-90d}"
[ "${1:-}" = --yes ] || exit 0
argus events delete --until "${AGE:-90d}" --yes --no-input
