#!/bin/sh
# A picture of every camera, in a folder for each day. From cron, each quarter of an hour:
#   */15 * * * * sh ~/bin/timed-snapshots.sh
# Pictures of the last 30 days stay, and always the last 4 of each camera. Other files in the
# folder are never deleted. cron mails a camera that fails once, not each time (--changes); status 11
# means that one has begun to fail. -q prints errors only.
argus cameras snapshot --all --changes -q --no-input -o "${1:-pictures}/" \
    --name-template '{date}/{camera}-{time}' --keep 30d --keep-last 4
status=$?
[ "$status" -eq 11 ] || exit "$status"
