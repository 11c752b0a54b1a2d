#!/bin/sh
# What each camera saw in the last seven days, most first.
set -eu
argus events stats --since 7d --no-input --json |
    jq -r '[.[] | select(.group == "camera")] | sort_by(-.count)[] | "\(.count)\t\(.name)"'
