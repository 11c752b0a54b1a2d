#!/bin/sh
# No pushes between 22:00 and 07:00 for one device of your account, critical alerts excepted. The
# first quiet hours are in this machine's time zone, and the answer names it.
#   sh quiet-hours.sh 'my phone'
set -eu
argus push prefs set --device "$1" --quiet-hours 22:00-07:00 --critical on --yes
argus push prefs --device "$1" --json |
    jq -r '"\(.quiet_hours_start)-\(.quiet_hours_end) \(.quiet_hours_timezone)"'
