#!/bin/sh
# A machine without a screen that works for months: it pairs once, confirmed by you elsewhere, and
# makes an API key that outlives its session. Where the key is there already, it is only tried.
#   sh headless-pi.sh https://home.example
set -eu
url=$1
key=${XDG_CONFIG_HOME:-$HOME/.config}/argus/api-key
if [ ! -e "$key" ]; then
    code=$(argus pair "$url" --name home --no-wait)
    echo "On a machine that is signed in, run: argus pair confirm $code"
    argus pair resume
    argus keys create "$(hostname)" --scopes read:events,read:cameras --output-file "$key"
fi
# From now on jobs name the server and the key; no session has to live.
argus events list -n 1 --server home --api-key-file "$key" --no-input
