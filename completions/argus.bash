# bash completion for argus. Made from its table of commands; changes here are lost.

# Sets "rows" to what may follow the command $1.
_argus_rows() {
    rows=()
    case $1 in
        '')
            rows+=(
                'verb|login'
                'verb|logout'
                'verb|whoami'
                'verb|token'
                'verb|passwd'
                'verb|pair'
                'verb|server'
                'verb|discover'
                'verb|events'
                'verb|cameras'
                'verb|devices'
                'verb|sessions'
                'verb|keys'
                'verb|push'
                'verb|api'
                'verb|config'
                'verb|doctor'
                'verb|completion'
                'verb|help'
                'verb|version'
                'verb|demo'
                'operand|dynamic aliases'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
            )
            ;;
        'login')
            rows+=(
                'flag|--name|none'
                'flag|-u|none'
                'flag|--username|none'
                'flag|--password-stdin|switch'
                'flag|--password-file|file'
                'flag|--api-key-stdin|switch'
                'flag|--token-stdin|switch'
                'flag|--remember|switch'
                'flag|--insecure-http|switch'
                'flag|--fingerprint|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at'
                'operand|none'
            )
            ;;
        'logout')
            rows+=(
                'flag|--all|switch'
                'flag|--keep-push|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at'
            )
            ;;
        'whoami')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at'
            )
            ;;
        'token')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
            )
            ;;
        'passwd')
            rows+=(
                'flag|--password-file|file'
                'flag|--new-password-file|file'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at'
            )
            ;;
        'pair')
            rows+=(
                'verb|resume'
                'verb|pending'
                'verb|confirm'
                'verb|reject'
                'flag|--link|none'
                'flag|--code|optional none'
                'flag|--device-name|none'
                'flag|--platform|words ios android'
                'flag|--no-wait|switch'
                'flag|--name|none'
                'flag|--insecure-http|switch'
                'flag|--fingerprint|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list state code expires_at server url username device_id hardware_id device_name platform'
                'operand|none'
                'operand|none'
            )
            ;;
        'pair resume')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list state code expires_at server url username device_id hardware_id device_name platform'
            )
            ;;
        'pair pending')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list code state device_name device_model platform created_at expires_at'
            )
            ;;
        'pair confirm')
            rows+=(
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list code state device_name device_model platform created_at expires_at'
                'operand|none'
            )
            ;;
        'pair reject')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list code state device_name device_model platform created_at expires_at'
                'operand|none'
            )
            ;;
        'server')
            rows+=(
                'verb|list'
                'verb|show'
                'verb|use'
                'verb|rename'
                'verb|set'
                'verb|trust'
                'verb|remove'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list name url username sign_in default id added_at urls'
            )
            ;;
        'server list')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list name url username sign_in default id added_at urls'
            )
            ;;
        'server show')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list name url username sign_in default id added_at urls ways credential_store way way_proved_at way_steps insecure_http reachable problem status version setup_complete api'
                'operand|dynamic servers'
            )
            ;;
        'server use')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list name url username sign_in default id added_at urls'
                'operand|dynamic servers'
            )
            ;;
        'server rename')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list name url username sign_in default id added_at urls'
                'operand|dynamic servers'
                'operand|none'
            )
            ;;
        'server set')
            rows+=(
                'flag|--local|none'
                'flag|--relay|none'
                'flag|--fingerprint|none'
                'flag|--store|dynamic stores'
                'flag|--relay-header-stdin|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list name url username sign_in default id added_at urls'
                'operand|dynamic servers'
            )
            ;;
        'server trust')
            rows+=(
                'flag|--fingerprint|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list name url username sign_in default id added_at urls'
                'operand|dynamic servers'
            )
            ;;
        'server remove')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list name url username sign_in default id added_at urls'
                'operand|dynamic servers'
            )
            ;;
        'discover')
            rows+=(
                'flag|--for|none'
                'flag|--service-file|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list name address version tls fingerprint known reachable round_trip host interface txt problem'
            )
            ;;
        'events')
            rows+=(
                'verb|list'
                'verb|show'
                'verb|thumbnail'
                'verb|frames'
                'verb|video'
                'verb|export'
                'verb|stats'
                'verb|delete'
                'verb|feedback'
                'verb|reanalyze'
                'flag|--camera|dynamic cameras'
                'flag|--type|list person vehicle package animal motion ring'
                'flag|--since|none'
                'flag|--until|none'
                'flag|--search|none'
                'flag|--min-confidence|none'
                'flag|--alerts|switch'
                'flag|--source|words rtsp usb protect other'
                'flag|-n|none'
                'flag|--limit|none'
                'flag|--all|switch'
                'flag|--reverse|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail'
            )
            ;;
        'events list')
            rows+=(
                'flag|--camera|dynamic cameras'
                'flag|--type|list person vehicle package animal motion ring'
                'flag|--since|none'
                'flag|--until|none'
                'flag|--search|none'
                'flag|--min-confidence|none'
                'flag|--alerts|switch'
                'flag|--source|words rtsp usb protect other'
                'flag|-n|none'
                'flag|--limit|none'
                'flag|--all|switch'
                'flag|--reverse|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail'
            )
            ;;
        'events show')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail analysis_mode provider created_at correlated_event_ids feedback frame_count has_video'
                'operands|dynamic events'
            )
            ;;
        'events thumbnail')
            rows+=(
                'flag|-o|file'
                'flag|--output|file'
                'flag|--force|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list event_id path bytes sha256 captured_at'
                'operands|dynamic events'
            )
            ;;
        'events frames')
            rows+=(
                'flag|-o|file'
                'flag|--output|file'
                'flag|--force|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list event_id path bytes sha256 captured_at number'
                'operand|dynamic events'
            )
            ;;
        'events video')
            rows+=(
                'flag|-o|file'
                'flag|--output|file'
                'flag|--force|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list event_id path bytes sha256 captured_at'
                'operand|dynamic events'
            )
            ;;
        'events export')
            rows+=(
                'flag|--camera|dynamic cameras'
                'flag|--type|list person vehicle package animal motion ring'
                'flag|--since|none'
                'flag|--until|none'
                'flag|--search|none'
                'flag|--min-confidence|none'
                'flag|--alerts|switch'
                'flag|--source|words rtsp usb protect other'
                'flag|-o|file'
                'flag|--output|file'
                'flag|--resume|switch'
                'flag|--force|switch'
                'flag|--server-side|switch'
                'flag|--format|words csv ndjson tsv json'
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail'
            )
            ;;
        'events stats')
            rows+=(
                'flag|--camera|dynamic cameras'
                'flag|--type|list person vehicle package animal motion ring'
                'flag|--since|none'
                'flag|--until|none'
                'flag|--search|none'
                'flag|--min-confidence|none'
                'flag|--alerts|switch'
                'flag|--source|words rtsp usb protect other'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list group key name count alerts'
            )
            ;;
        'events delete')
            rows+=(
                'flag|--camera|dynamic cameras'
                'flag|--type|list person vehicle package animal motion ring'
                'flag|--since|none'
                'flag|--until|none'
                'flag|--search|none'
                'flag|--min-confidence|none'
                'flag|--alerts|switch'
                'flag|--source|words rtsp usb protect other'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list requested deleted already_gone'
                'operands|dynamic events'
            )
            ;;
        'events feedback')
            rows+=(
                'flag|--correction|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list event_id rating correction created_at'
                'operand|dynamic events'
                'operand|words helpful not_helpful'
            )
            ;;
        'events reanalyze')
            rows+=(
                'flag|--mode|words single_frame multi_frame video_native'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail analysis_mode provider created_at correlated_event_ids feedback frame_count has_video'
                'operand|dynamic events'
            )
            ;;
        'cameras')
            rows+=(
                'verb|list'
                'verb|show'
                'verb|snapshot'
                'verb|enable'
                'verb|disable'
                'verb|reconnect'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id name enabled online source is_doorbell last_event_at'
            )
            ;;
        'cameras list')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id name enabled online source is_doorbell last_event_at'
            )
            ;;
        'cameras show')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list id name enabled online source is_doorbell last_event_at model capture_enabled created_at updated_at status last_frame_at error stream_available stream_qualities stream_clients'
                'operands|dynamic cameras'
            )
            ;;
        'cameras snapshot')
            rows+=(
                'flag|--all|switch'
                'flag|--quality|words low medium high'
                'flag|--name-template|none'
                'flag|--parallel|none'
                'flag|-o|file'
                'flag|--output|file'
                'flag|--force|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list camera_id path bytes sha256 captured_at age_seconds frozen'
                'operands|dynamic cameras'
            )
            ;;
        'cameras enable')
            rows+=(
                'flag|--capture|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list camera_id name changed enabled message'
                'operands|dynamic cameras'
            )
            ;;
        'cameras disable')
            rows+=(
                'flag|--capture|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list camera_id name changed enabled message'
                'operands|dynamic cameras'
            )
            ;;
        'cameras reconnect')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list camera_id name changed enabled message'
                'operands|dynamic cameras'
            )
            ;;
        'devices')
            rows+=(
                'verb|list'
                'verb|show'
                'verb|rename'
                'verb|revoke'
                'verb|preferences'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical'
            )
            ;;
        'devices list')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical'
            )
            ;;
        'devices show')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical'
                'operands|dynamic devices'
            )
            ;;
        'devices rename')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical'
                'operand|dynamic devices'
                'operand|none'
            )
            ;;
        'devices revoke')
            rows+=(
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical'
                'operands|dynamic devices'
            )
            ;;
        'devices preferences')
            rows+=(
                'flag|--quiet-hours|none'
                'flag|--timezone|none'
                'flag|--critical|words on off'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical'
                'operand|dynamic devices'
            )
            ;;
        'sessions')
            rows+=(
                'verb|list'
                'verb|revoke'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id current device ip_address created_at last_active_at'
            )
            ;;
        'sessions list')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id current device ip_address created_at last_active_at'
            )
            ;;
        'sessions revoke')
            rows+=(
                'flag|--others|switch'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id current device ip_address created_at last_active_at'
                'operands|none'
            )
            ;;
        'keys')
            rows+=(
                'verb|list'
                'verb|create'
                'verb|revoke'
                'flag|--revoked|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at'
            )
            ;;
        'keys list')
            rows+=(
                'flag|--revoked|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at'
            )
            ;;
        'keys create')
            rows+=(
                'flag|--scopes|list read:events read:cameras write:cameras admin'
                'flag|--expires|none'
                'flag|--rate-limit|none'
                'flag|--output-file|file'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at key path'
                'operand|none'
            )
            ;;
        'keys revoke')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at'
                'operands|none'
            )
            ;;
        'push')
            rows+=(
                'verb|key'
                'verb|register'
                'verb|update'
                'verb|unregister'
                'verb|subscriptions'
                'verb|subscribe'
                'verb|unsubscribe'
                'verb|test'
                'verb|prefs'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
            )
            ;;
        'push key')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list public_key'
            )
            ;;
        'push register')
            rows+=(
                'flag|--push-token|none'
                'flag|--platform|words ios ipados watchos tvos android'
                'flag|--service|words apns fcm'
                'flag|--sandbox|switch'
                'flag|--device-id|none'
                'flag|--device-name|none'
                'flag|--model|none'
                'flag|--os-version|none'
                'flag|--app-version|none'
                'flag|--bundle-id|none'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id device_id platform service token_type model os_version app_version bundle_id created_at updated_at last_used_at active failure_count last_failure_at last_failure_reason preferences_created result'
            )
            ;;
        'push update')
            rows+=(
                'flag|--push-token|none'
                'flag|--service|words apns fcm'
                'flag|--device-id|none'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id device_id platform service token_type model os_version app_version bundle_id created_at updated_at last_used_at active failure_count last_failure_at last_failure_reason preferences_created result'
            )
            ;;
        'push unregister')
            rows+=(
                'flag|--service|words apns fcm'
                'flag|--device-id|none'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id device_id platform service token_type model os_version app_version bundle_id created_at updated_at last_used_at active failure_count last_failure_at last_failure_reason preferences_created result'
            )
            ;;
        'push subscriptions')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list id mine endpoint user_agent created_at last_used_at'
            )
            ;;
        'push subscribe')
            rows+=(
                'flag|--endpoint|none'
                'flag|--p256dh|none'
                'flag|--auth|none'
                'flag|--auth-file|file'
                'flag|--user-agent|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id mine endpoint user_agent created_at last_used_at result'
            )
            ;;
        'push unsubscribe')
            rows+=(
                'flag|--endpoint|none'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id mine endpoint user_agent created_at last_used_at'
            )
            ;;
        'push test')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list id delivered error subscriptions failures'
            )
            ;;
        'push prefs')
            rows+=(
                'verb|show'
                'verb|set'
                'flag|--device|dynamic devices'
                'flag|--endpoint|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id device_id endpoint cameras camera_names types quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical sound updated_at quiet_now changes_at summary'
            )
            ;;
        'push prefs show')
            rows+=(
                'flag|--device|dynamic devices'
                'flag|--endpoint|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id device_id endpoint cameras camera_names types quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical sound updated_at quiet_now changes_at summary'
            )
            ;;
        'push prefs set')
            rows+=(
                'flag|--cameras|several camera-choice'
                'flag|--types|list person vehicle package animal -- all none'
                'flag|--quiet-hours|none'
                'flag|--timezone|none'
                'flag|--sound|words on off'
                'flag|--force|switch'
                'flag|-y|switch'
                'flag|--yes|switch'
                'flag|--device|dynamic devices'
                'flag|--endpoint|none'
                'flag|--format|words table json ndjson'
                'flag|--fields|list id device_id endpoint cameras camera_names types quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical sound updated_at quiet_now changes_at summary'
                'operand|none'
            )
            ;;
        'api')
            rows+=(
                'flag|-f|none'
                'flag|--raw-field|none'
                'flag|-F|none'
                'flag|--field|none'
                'flag|--input|file'
                'flag|-H|none'
                'flag|--header|none'
                'flag|--paginate|switch'
                'flag|-i|switch'
                'flag|--include|switch'
                'flag|--list|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list method path summary'
                'operand|dynamic calls'
                'operand|dynamic routes'
            )
            ;;
        'config')
            rows+=(
                'verb|list'
                'verb|get'
                'verb|set'
                'verb|unset'
                'verb|path'
                'verb|edit'
                'flag|--origin|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list key value origin'
            )
            ;;
        'config list')
            rows+=(
                'flag|--origin|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list key value origin'
            )
            ;;
        'config get')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list key value origin'
                'operand|dynamic keys'
            )
            ;;
        'config set')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list key value origin'
                'operand|dynamic keys'
                'operand|dynamic values'
            )
            ;;
        'config unset')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list key value origin'
                'operand|dynamic keys'
            )
            ;;
        'config path')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
            )
            ;;
        'config edit')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
            )
            ;;
        'doctor')
            rows+=(
                'flag|--as-cron|switch'
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|list check state message remedy'
            )
            ;;
        'completion')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
                'operand|words bash zsh fish'
            )
            ;;
        'help')
            rows+=(
                'flag|--format|words table json ndjson csv tsv'
                'flag|--fields|none'
                'operands|words environment configuration formats times servers credentials exit-status login logout whoami token passwd pair server discover events cameras devices sessions keys push api config doctor completion help version'
            )
            ;;
        'version')
            rows+=(
                'flag|--format|words table json ndjson'
                'flag|--fields|list version date'
            )
            ;;
        *) return 1 ;;
    esac
        rows+=(
            'flag|--json|switch'
            'flag|--no-header|switch'
            'flag|--raw|switch'
            'flag|--utc|switch'
            'flag|--color|words auto always never'
            'flag|-q|switch'
            'flag|--quiet|switch'
            'flag|-v|switch'
            'flag|--verbose|switch'
            'flag|--trace|file'
            'flag|-s|dynamic servers'
            'flag|--server|dynamic servers'
            'flag|--via|words auto local relay'
            'flag|--timeout|none'
            'flag|--retries|none'
            'flag|--wait-rate-limit|optional none'
            'flag|--no-input|switch'
            'flag|--cacert|file'
            'flag|--cert|file'
            'flag|--key|file'
            'flag|--token-file|file'
            'flag|--api-key-file|file'
            'flag|--passphrase-file|file'
            'flag|-h|switch'
            'flag|--help|switch'
            'flag|--version|switch'
            'guide|-s'
            'guide|--server'
        )
}

# Sets "kind" to the kind of the option $1, empty if it is unknown.
_argus_kind() {
    local row
    kind=''
    for row in "${rows[@]}"; do
        if [[ $row == "flag|$1|"* ]]; then
            kind=${row##*|}
            return
        fi
    done
}

# Sets "plain" to the word $1 without quoting, and "quote" to its opening quote.
_argus_plain() {
    quote=''
    case $1 in
        [\"\']*)
            quote=${1:0:1}
            plain=${1:1}
            plain=${plain%"$quote"}
            ;;
        *) plain=${1//\\/} ;;
    esac
}

# Adds the candidate $1 if the current word can grow into it.
_argus_add() {
    local word=$lead$1
    if [[ $word != "$current"* || $word == *[[:cntrl:]]* ]]; then return; fi
    word=${word#"$glued"}
    case $quote in
        \')
            word=${word//\'/\'\\\'\'}
            ;;
        \")
            word=${word//\\/\\\\}
            word=${word//\"/\\\"}
            word=${word//\$/\\\$}
            word=${word//\`/\\\`}
            ;;
        *)
            if [[ $word == *[!A-Za-z0-9_.,/:@%+=-]* ]]; then printf -v word %q "$word"; fi
            ;;
    esac
    COMPREPLY+=("$word")
}

# Offers the values of the kind $1 that go on from "value".
_argus_offer() {
    local word rest=''
    local -a choices=()
    case $1 in
        'words '*)
            IFS=' ' read -ra choices <<<"${1#words }"
            for word in "${choices[@]}"; do _argus_add "$word"; done
            ;;
        'list '*)
            if [[ $value == *,* ]]; then rest=${value%,*},; fi
            IFS=' ' read -ra choices <<<"${1#list }"
            for word in "${choices[@]}"; do
                # What follows stands alone.
                if [[ $word == -- ]]; then
                    if [[ -n $rest ]]; then break; fi
                elif [[ ,$rest != *",$word,"* ]]; then
                    _argus_add "$rest$word"
                fi
            done
            compopt -o nospace 2>/dev/null
            ;;
        'dynamic '* | 'several '*)
            while IFS= read -r word; do
                _argus_add "${word%%$'\t'*}"
            done < <(
                command argus "${guides[@]}" __complete "${1#* }" -- "$value" \
                    "${operands[@]}" </dev/null 2>/dev/null
            )
            if [[ $1 == several* ]]; then compopt -o nospace 2>/dev/null; fi
            ;;
        file | directory)
            # Readline quotes file names itself, and adds the slash of a folder.
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                word=$lead$word
                COMPREPLY+=("${word#"$glued"}")
            done < <(compgen -A "$1" -- "$value" 2>/dev/null)
            ;;
    esac
}

# Puts together what bash split at "=" and ":": sets "words", and "glued" to the part of the
# current word that readline will leave as it is.
_argus_words() {
    local i word joins=''
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -z $word && ${COMP_LINE:0:COMP_POINT} == *[[:blank:]] ]]; then joins=''; fi
        _argus_plain "$word"
        glued=''
        if [[ ${#words[@]} -gt 0 && (-n $joins || $word == [=:]*) ]]; then
            glued=${words[-1]}
            words[-1]+=$plain
        else
            words+=("$plain")
        fi
        joins=''
        if [[ -n $word && $word != *[!=:]* ]]; then
            joins=1
            glued=${words[-1]}
        fi
    done
}

# Keeps the option $1 with the value $2 if the tool needs it to find values.
_argus_note() {
    local row
    for row in "${rows[@]}"; do
        if [[ $row == "guide|$1" ]]; then guides+=("$1" "$2"); fi
    done
}

# Takes the finished word $1: moves on in the tree, or counts an operand.
_argus_take() {
    local i row
    if [[ -n $awaiting ]]; then
        _argus_note "$option" "$1"
        awaiting=''
    elif [[ -z $ended && $1 == -- ]]; then
        ended=1
    elif [[ -z $ended && $1 == --* ]]; then
        if [[ $1 == *=* ]]; then
            _argus_note "${1%%=*}" "${1#*=}"
            return
        fi
        option=$1
        _argus_kind "$option"
        case $kind in
            '' | switch | optional*) ;;
            *) awaiting=$kind ;;
        esac
    elif [[ -z $ended && $1 == -?* ]]; then
        for ((i = 1; i < ${#1}; i++)); do
            option=-${1:i:1}
            _argus_kind "$option"
            case $kind in
                '') break ;;
                switch | optional*) ;;
                *)
                    if ((i + 1 == ${#1})); then
                        awaiting=$kind
                    else
                        _argus_note "$option" "${1:i+1}"
                    fi
                    break
                    ;;
            esac
        done
    else
        if ((${#operands[@]} == 0)); then
            for row in "${rows[@]}"; do
                if [[ $row == "verb|$1" ]]; then
                    place=${place:+$place }$1
                    _argus_rows "$place"
                    return
                fi
            done
        fi
        if [[ -z $place ]]; then
            _argus_expand "$1"
            return
        fi
        operands+=("$1")
    fi
}

# Takes the words that the first word $1 stands for; fails where it belongs to a program of its
# own.
_argus_expand() {
    local other
    local -a others=()
    if [[ -n $expanded ]]; then return 1; fi
    expanded=1
    while IFS= read -r other; do others+=("$other"); done < <(
        command argus __complete expansion -- "$1" </dev/null 2>/dev/null
    )
    if ((${#others[@]} == 0)); then return 1; fi
    for other in "${others[@]}"; do _argus_take "$other" || return 1; done
}

# Offers verbs, and values for the operand that is next.
_argus_operands() {
    local row next=0 operand=${#operands[@]}
    for row in "${rows[@]}"; do
        case $row in
            'verb|'*)
                if ((operand == 0)); then _argus_add "${row#*|}"; fi
                ;;
            'operand|'* | 'operands|'*)
                if ((next == operand)) || [[ $row == operands* && $next -lt $operand ]]; then
                    _argus_offer "${row#*|}"
                fi
                next=$((next + 1))
                ;;
        esac
    done
}

_argus() {
    local IFS=$' \t\n'
    local -a words=() rows=() guides=() operands=()
    local plain='' quote='' glued='' kind='' awaiting='' ended='' place='' lead=''
    local current='' option='' expanded='' value word row
    COMPREPLY=()
    _argus_words
    if ((${#words[@]} == 0)); then return 0; fi
    current=${words[-1]}
    unset 'words[-1]'
    _argus_rows ''
    for word in "${words[@]}"; do
        _argus_take "$word" || return 0
    done
    value=$current
    if [[ -n $awaiting ]]; then
        _argus_offer "$awaiting"
    elif [[ -z $ended && $current == --*=* ]]; then
        lead=${current%%=*}=
        value=${current#*=}
        _argus_kind "${lead%=}"
        _argus_offer "${kind#optional }"
    elif [[ -z $ended && $current == -* ]]; then
        for row in "${rows[@]}"; do
            if [[ $row == 'flag|'* ]]; then
                row=${row#flag|}
                _argus_add "${row%%|*}"
            fi
        done
    else
        _argus_operands
    fi
    return 0
}

complete -F _argus argus
