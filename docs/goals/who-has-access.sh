#!/bin/sh
# Who is signed in, and which devices and programs have access. One section fails alone: a server
# may lack web sessions or keys (status 14).
set -u
echo '# Devices'
argus devices list --format csv --fields name,platform,last_seen_at,inactive --no-input
echo '# Web sessions'
argus sessions list --format csv --fields current,device,ip_address,last_active_at --no-input
echo '# API keys'
argus keys list --format csv --fields name,prefix,last_used_at,expires_at --no-input
echo '# Receivers of Web Push'
argus push subscriptions --format csv --fields mine,endpoint,last_used_at --no-input
