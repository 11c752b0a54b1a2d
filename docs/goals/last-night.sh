#!/bin/sh
# Last night at the front door: the events of the night, oldest first, and a picture of each.
set -eu
camera=${1:-Front Door}
argus events list --camera "$camera" --during last-night --all --reverse --no-input \
    --format ndjson > night.ndjson
jq -r '"\(.timestamp)  \(.type)  \(.description // "")"' night.ndjson
jq -r 'select(.has_thumbnail) | .id' night.ndjson |
    xargs -r argus events thumbnail -q --no-input --force -o "night/"
