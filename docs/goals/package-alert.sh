#!/bin/sh
# A mail for each package, as soon as the server has stored it. Packages that come while this script
# does not run are mailed when it runs again, so let a service restart it.
#   sh package-alert.sh ann@example.org
set -eu
while :; do
    status=0
    # The state remembers what was printed; the first run begins now.
    event=$(argus events watch --type package --state package-alert --limit 1 --no-input \
        --format ndjson) || status=$?
    [ -n "$event" ] || exit "$status"
    camera=$(printf '%s' "$event" | jq -r '[.camera_name // "a camera"] | @tsv')
    printf '%s' "$event" | jq -r '"\(.timestamp)  \(.description // "")"' |
        mail -s "A package: $camera" "$1"
    # Status 12: events were lost before argus could read them.
    [ "$status" -eq 0 ] || exit "$status"
done
