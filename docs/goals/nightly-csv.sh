#!/bin/sh
# Yesterday's events as a CSV file. From cron, shortly after midnight:
#   10 0 * * * sh ~/bin/nightly-csv.sh
# A run that breaks is continued by the next one of the same day.
set -eu
file=events-$(date -d yesterday +%F).csv
[ -e "$file" ] || argus events export -q --no-input --resume \
    --since yesterday --until yesterday -o "$file"
