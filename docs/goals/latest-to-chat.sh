#!/bin/sh
# The latest picture of a person, into a chat that takes files by a web hook (here Discord's form).
#   CHAT_HOOK=https://chat.example/hook sh latest-to-chat.sh
set -eu
event=$(argus events list --type person -n 1 --no-input --json)
id=$(printf '%s' "$event" | jq -r '.[0].id // empty')
[ -n "$id" ] || exit 0
argus events thumbnail "$id" -q --no-input --force -o latest.jpg
printf '%s' "$event" | jq -r '.[0] | "\(.camera_name): \(.description // .type)"' > latest.txt
curl -fsS -F "content=<latest.txt" -F "file=@latest.jpg" "$CHAT_HOOK" > /dev/null
