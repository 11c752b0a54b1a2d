#!/bin/sh
# Last night at the front door: the events from 22:00 to 06:00, oldest first, and a picture of each.
set -eu
camera=${1:-Front Door}
from=$(date -d yesterday +%FT22:00) to=$(date +%FT06:00)
argus events list --camera "$camera" --since "$from" --until "$to" --all --reverse --no-input \
    --format ndjson > night.ndjson
jq -r '"\(.timestamp)  \(.type)  \(.description // "")"' night.ndjson
jq -r 'select(.has_thumbnail) | .id' night.ndjson |
    xargs -r argus events thumbnail -q --no-input --force -o "night/"
