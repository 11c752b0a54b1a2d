# fish completion for argus. Made from its table of commands; changes here are lost.

# Prints what may follow the command $argv[1].
function __argus_rows
    set -l rows
    switch $argv[1]
        case ''
            set -a rows \
                'verb|login|Sign in to a server' \
                'verb|logout|Sign out, here and on the server' \
                'verb|whoami|Show who is signed in where, and until when' \
                'verb|token|Print the access token, for another program' \
                'verb|passwd|Change your password on a server' \
                'verb|pair|Sign in as a device, without a password' \
                'verb|server|The servers that you know' \
                'verb|discover|Search the local network for servers' \
                'verb|events|What the cameras saw' \
                'verb|cameras|The cameras and their pictures' \
                'verb|devices|The devices that use a server as you' \
                'verb|sessions|Where you are signed in with your password' \
                'verb|keys|API keys, for programs' \
                'verb|push|Who is told of events, and of which' \
                'verb|api|Send any request, signed in' \
                'verb|config|Your settings and aliases' \
                'verb|doctor|Find out what is wrong, and what to do about it' \
                'verb|completion|Print the completion script for a shell' \
                'verb|help|Show help on a topic or a command' \
                'verb|version|Show the version' \
                'verb|demo|Start an embedded server to try argus on' \
                'operand|dynamic aliases' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order'
        case 'login'
            set -a rows \
                'flag|--name|none|Call the server NAME from now on' \
                'flag|-u|none|Sign in as USER' \
                'flag|--username|none|Sign in as USER' \
                'flag|--password-stdin|switch|Read the password from stdin' \
                'flag|--password-file|file|Read the password from FILE' \
                'flag|--api-key-stdin|switch|Read an API key from stdin' \
                'flag|--token-stdin|switch|Read an access token from stdin' \
                'flag|--remember|switch|Keep the password, to sign in again' \
                'flag|--insecure-http|switch|Allow plain http to this server' \
                'flag|--fingerprint|none|Trust the certificate with this SHA-256' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at|Print these fields, in order' \
                'operand|none'
        case 'logout'
            set -a rows \
                'flag|--all|switch|Sign out of every server' \
                'flag|--keep-push|switch|Leave push registrations as they are' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at|Print these fields, in order'
        case 'whoami'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at|Print these fields, in order'
        case 'token'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order'
        case 'passwd'
            set -a rows \
                'flag|--password-file|file|Read the password that you have from FILE' \
                'flag|--new-password-file|file|Read the new password from FILE' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id username role active created_at last_login must_change_password server url via sign_in credentials expires_at|Print these fields, in order'
        case 'pair'
            set -a rows \
                'verb|resume|Go on waiting for a pairing that was begun' \
                'verb|pending|List the devices that wait to be let in' \
                'verb|confirm|Let the device with a code in' \
                'verb|reject|Turn the device with a code away' \
                'flag|--link|none|Use a pairing link; - reads it from stdin' \
                'flag|--code|optional none|Exchange the code that the dashboard shows' \
                'flag|--device-name|none|Call this device NAME on the server' \
                'flag|--platform|words ios android|What to be to the server' \
                'flag|--no-wait|switch|Show the code and do not wait' \
                'flag|--name|none|Call the server NAME from now on' \
                'flag|--insecure-http|switch|Allow plain http to this server' \
                'flag|--fingerprint|none|Trust the certificate with this SHA-256' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list state code expires_at server url username device_id hardware_id device_name platform|Print these fields, in order' \
                'operand|none' \
                'operand|none'
        case 'pair resume'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list state code expires_at server url username device_id hardware_id device_name platform|Print these fields, in order'
        case 'pair pending'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list code state device_name device_model platform created_at expires_at|Print these fields, in order'
        case 'pair confirm'
            set -a rows \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list code state device_name device_model platform created_at expires_at|Print these fields, in order' \
                'operand|none'
        case 'pair reject'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list code state device_name device_model platform created_at expires_at|Print these fields, in order' \
                'operand|none'
        case 'server'
            set -a rows \
                'verb|list|List the servers that you know' \
                'verb|show|Show what is known of a server, and ask how it is' \
                'verb|use|Use a server when none is named' \
                'verb|rename|Give a server another name' \
                'verb|set|Set the addresses of a server, and where its secrets are kept' \
                'verb|trust|Trust the certificate that a server shows now' \
                'verb|remove|Forget a server and its credentials' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order'
        case 'server list'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order'
        case 'server show'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls ways credential_store way way_proved_at way_steps insecure_http reachable problem status version setup_complete api|Print these fields, in order' \
                'operand|dynamic servers'
        case 'server use'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order' \
                'operand|dynamic servers'
        case 'server rename'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order' \
                'operand|dynamic servers' \
                'operand|none'
        case 'server set'
            set -a rows \
                'flag|--local|none|An address in the home network; repeatable' \
                'flag|--relay|none|An address behind a relay; repeatable' \
                'flag|--fingerprint|none|Trust the certificate with this SHA-256' \
                'flag|--store|dynamic stores|Use file, secret-service or helper:NAME' \
                'flag|--relay-header-stdin|switch|Read the relay\'s header fields from stdin' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order' \
                'operand|dynamic servers'
        case 'server trust'
            set -a rows \
                'flag|--fingerprint|none|Trust the certificate with this SHA-256' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order' \
                'operand|dynamic servers'
        case 'server remove'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name url username sign_in default id added_at urls|Print these fields, in order' \
                'operand|dynamic servers'
        case 'discover'
            set -a rows \
                'flag|--for|none|Search for so long (3s)' \
                'flag|--service-file|switch|Print an Avahi service file' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list name address version tls fingerprint known reachable round_trip host interface txt problem|Print these fields, in order'
        case 'events'
            set -a rows \
                'verb|list|List events, newest first' \
                'verb|show|Show events in detail' \
                'verb|thumbnail|Save the pictures of events' \
                'verb|frames|Save the frames that the AI looked at' \
                'verb|video|Save the video of an event' \
                'verb|export|Save events, oldest first, as CSV or lines of JSON' \
                'verb|stats|Count events by camera, type, hour and day' \
                'verb|delete|Delete events for good' \
                'verb|feedback|Say whether an event\'s description helps' \
                'verb|reanalyze|Have the AI describe an event anew' \
                'flag|--camera|dynamic cameras|Only events of CAMERA' \
                'flag|--type|list person vehicle package animal motion ring|Only events of these types' \
                'flag|--since|none|Only events at or after TIME' \
                'flag|--until|none|Only events at or before TIME' \
                'flag|--search|none|Only events whose description has the words TEXT' \
                'flag|--min-confidence|none|Only events with at least N percent confidence' \
                'flag|--alerts|switch|Only events for which an alert rule fired' \
                'flag|--source|words rtsp usb protect other|Only events of cameras that are connected so' \
                'flag|-n|none|Stop after N events (20)' \
                'flag|--limit|none|Stop after N events (20)' \
                'flag|--all|switch|List all events that match' \
                'flag|--reverse|switch|Print the same events oldest first' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail|Print these fields, in order'
        case 'events list'
            set -a rows \
                'flag|--camera|dynamic cameras|Only events of CAMERA' \
                'flag|--type|list person vehicle package animal motion ring|Only events of these types' \
                'flag|--since|none|Only events at or after TIME' \
                'flag|--until|none|Only events at or before TIME' \
                'flag|--search|none|Only events whose description has the words TEXT' \
                'flag|--min-confidence|none|Only events with at least N percent confidence' \
                'flag|--alerts|switch|Only events for which an alert rule fired' \
                'flag|--source|words rtsp usb protect other|Only events of cameras that are connected so' \
                'flag|-n|none|Stop after N events (20)' \
                'flag|--limit|none|Stop after N events (20)' \
                'flag|--all|switch|List all events that match' \
                'flag|--reverse|switch|Print the same events oldest first' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail|Print these fields, in order'
        case 'events show'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail analysis_mode provider created_at correlated_event_ids feedback frame_count has_video|Print these fields, in order' \
                'operands|dynamic events'
        case 'events thumbnail'
            set -a rows \
                'flag|-o|file|Write to FILE, into the folder DIR/, or to stdout (-)' \
                'flag|--output|file|Write to FILE, into the folder DIR/, or to stdout (-)' \
                'flag|--force|switch|Overwrite files' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list event_id path bytes sha256 captured_at|Print these fields, in order' \
                'operands|dynamic events'
        case 'events frames'
            set -a rows \
                'flag|-o|file|Write to FILE, into the folder DIR/, or to stdout (-)' \
                'flag|--output|file|Write to FILE, into the folder DIR/, or to stdout (-)' \
                'flag|--force|switch|Overwrite files' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list event_id path bytes sha256 captured_at number|Print these fields, in order' \
                'operand|dynamic events'
        case 'events video'
            set -a rows \
                'flag|-o|file|Write to FILE, or into the folder DIR/' \
                'flag|--output|file|Write to FILE, or into the folder DIR/' \
                'flag|--force|switch|Overwrite FILE, and begin FILE.part anew' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list event_id path bytes sha256 captured_at|Print these fields, in order' \
                'operand|dynamic events'
        case 'events export'
            set -a rows \
                'flag|--camera|dynamic cameras|Only events of CAMERA' \
                'flag|--type|list person vehicle package animal motion ring|Only events of these types' \
                'flag|--since|none|Only events at or after TIME' \
                'flag|--until|none|Only events at or before TIME' \
                'flag|--search|none|Only events whose description has the words TEXT' \
                'flag|--min-confidence|none|Only events with at least N percent confidence' \
                'flag|--alerts|switch|Only events for which an alert rule fired' \
                'flag|--source|words rtsp usb protect other|Only events of cameras that are connected so' \
                'flag|-o|file|Write to FILE, or to stdout (-)' \
                'flag|--output|file|Write to FILE, or to stdout (-)' \
                'flag|--resume|switch|Go on with a FILE.part that was left' \
                'flag|--force|switch|Overwrite FILE and FILE.part' \
                'flag|--server-side|switch|Take the server\'s own export' \
                'flag|--format|words csv ndjson tsv json|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail|Print these fields, in order'
        case 'events stats'
            set -a rows \
                'flag|--camera|dynamic cameras|Only events of CAMERA' \
                'flag|--type|list person vehicle package animal motion ring|Only events of these types' \
                'flag|--since|none|Only events at or after TIME' \
                'flag|--until|none|Only events at or before TIME' \
                'flag|--search|none|Only events whose description has the words TEXT' \
                'flag|--min-confidence|none|Only events with at least N percent confidence' \
                'flag|--alerts|switch|Only events for which an alert rule fired' \
                'flag|--source|words rtsp usb protect other|Only events of cameras that are connected so' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list group key name count alerts|Print these fields, in order'
        case 'events delete'
            set -a rows \
                'flag|--camera|dynamic cameras|Only events of CAMERA' \
                'flag|--type|list person vehicle package animal motion ring|Only events of these types' \
                'flag|--since|none|Only events at or after TIME' \
                'flag|--until|none|Only events at or before TIME' \
                'flag|--search|none|Only events whose description has the words TEXT' \
                'flag|--min-confidence|none|Only events with at least N percent confidence' \
                'flag|--alerts|switch|Only events for which an alert rule fired' \
                'flag|--source|words rtsp usb protect other|Only events of cameras that are connected so' \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list requested deleted already_gone|Print these fields, in order' \
                'operands|dynamic events'
        case 'events feedback'
            set -a rows \
                'flag|--correction|none|What it should have said' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list event_id rating correction created_at|Print these fields, in order' \
                'operand|dynamic events' \
                'operand|words helpful not_helpful'
        case 'events reanalyze'
            set -a rows \
                'flag|--mode|words single_frame multi_frame video_native|Look at one frame, several, or the video' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id camera_id camera_name timestamp type objects confidence description is_doorbell_ring alert_triggered carrier source has_thumbnail analysis_mode provider created_at correlated_event_ids feedback frame_count has_video|Print these fields, in order' \
                'operand|dynamic events'
        case 'cameras'
            set -a rows \
                'verb|list|List the cameras' \
                'verb|show|Show cameras in detail' \
                'verb|snapshot|Save a picture that a camera takes now' \
                'verb|enable|Have the server use cameras' \
                'verb|disable|Have the server leave cameras alone' \
                'verb|reconnect|Have the server connect to cameras again' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name enabled online source is_doorbell last_event_at|Print these fields, in order'
        case 'cameras list'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name enabled online source is_doorbell last_event_at|Print these fields, in order'
        case 'cameras show'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name enabled online source is_doorbell last_event_at model capture_enabled created_at updated_at status last_frame_at error stream_available stream_qualities stream_clients|Print these fields, in order' \
                'operands|dynamic cameras'
        case 'cameras snapshot'
            set -a rows \
                'flag|--all|switch|Take a picture of every enabled camera' \
                'flag|--quality|words low medium high|Ask for low, medium or high quality' \
                'flag|--name-template|none|Name files after {camera} and {time}' \
                'flag|--parallel|none|Ask N cameras at a time (6)' \
                'flag|-o|file|Write to FILE, into the folder DIR/, or to stdout (-)' \
                'flag|--output|file|Write to FILE, into the folder DIR/, or to stdout (-)' \
                'flag|--force|switch|Overwrite files' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list camera_id path bytes sha256 captured_at age_seconds frozen|Print these fields, in order' \
                'operands|dynamic cameras'
        case 'cameras enable'
            set -a rows \
                'flag|--capture|switch|Start capturing only, until the server starts again' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list camera_id name changed enabled message|Print these fields, in order' \
                'operands|dynamic cameras'
        case 'cameras disable'
            set -a rows \
                'flag|--capture|switch|Stop capturing only, until the server starts again' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list camera_id name changed enabled message|Print these fields, in order' \
                'operands|dynamic cameras'
        case 'cameras reconnect'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list camera_id name changed enabled message|Print these fields, in order' \
                'operands|dynamic cameras'
        case 'devices'
            set -a rows \
                'verb|list|List the devices that may use the server as you' \
                'verb|show|Show devices in detail' \
                'verb|rename|Give a device another name' \
                'verb|revoke|End the access of devices' \
                'verb|preferences|Show or change the quiet hours of a device' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical|Print these fields, in order'
        case 'devices list'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical|Print these fields, in order'
        case 'devices show'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical|Print these fields, in order' \
                'operands|dynamic devices'
        case 'devices rename'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical|Print these fields, in order' \
                'operand|dynamic devices' \
                'operand|none'
        case 'devices revoke'
            set -a rows \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical|Print these fields, in order' \
                'operands|dynamic devices'
        case 'devices preferences'
            set -a rows \
                'flag|--quiet-hours|none|Set or end the quiet hours' \
                'flag|--timezone|none|The zone of these times (IANA)' \
                'flag|--critical|words on off|Let critical alerts through' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id hardware_id name platform model last_seen_at paired inactive this_device created_at quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical|Print these fields, in order' \
                'operand|dynamic devices'
        case 'sessions'
            set -a rows \
                'verb|list|List where you are signed in with your password' \
                'verb|revoke|End web sessions other than this one' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id current device ip_address created_at last_active_at|Print these fields, in order'
        case 'sessions list'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id current device ip_address created_at last_active_at|Print these fields, in order'
        case 'sessions revoke'
            set -a rows \
                'flag|--others|switch|End all sessions but this one' \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id current device ip_address created_at last_active_at|Print these fields, in order' \
                'operands|none'
        case 'keys'
            set -a rows \
                'verb|list|List the API keys of the server' \
                'verb|create|Make an API key for a program' \
                'verb|revoke|End API keys' \
                'flag|--revoked|switch|Include keys that were revoked' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at|Print these fields, in order'
        case 'keys list'
            set -a rows \
                'flag|--revoked|switch|Include keys that were revoked' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at|Print these fields, in order'
        case 'keys create'
            set -a rows \
                'flag|--scopes|list read:events read:cameras write:cameras admin|What it is meant for (read:events)' \
                'flag|--expires|none|When it ends: 90d, or a date' \
                'flag|--rate-limit|none|How often a minute it may be used' \
                'flag|--output-file|file|Write the key to a new FILE of mode 0600' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at key path|Print these fields, in order' \
                'operand|none'
        case 'keys revoke'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id name prefix scopes active expires_at last_used_at usage_count rate_limit_per_minute created_at revoked_at|Print these fields, in order' \
                'operands|none'
        case 'push'
            set -a rows \
                'verb|key|Show the server\'s public key for Web Push' \
                'verb|register|Register a device for native pushes' \
                'verb|update|Give a registered device its new push token' \
                'verb|unregister|Take a device\'s push token back from the server' \
                'verb|subscriptions|List the Web Push subscriptions of the server' \
                'verb|subscribe|Subscribe a receiver of Web Push' \
                'verb|unsubscribe|End a Web Push subscription' \
                'verb|test|Try whether pushes reach this machine' \
                'verb|prefs|Which pushes come through, and when' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order'
        case 'push key'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list public_key|Print these fields, in order'
        case 'push register'
            set -a rows \
                'flag|--push-token|none|The device\'s push token' \
                'flag|--platform|words ios ipados watchos tvos android|Its system: ios, ipados, watchos, tvos, android' \
                'flag|--service|words apns fcm|Who brings the pushes, apns or fcm' \
                'flag|--sandbox|switch|The token is one of Apple\'s sandbox' \
                'flag|--device-id|none|The id that the device gave itself' \
                'flag|--device-name|none|What the device is called' \
                'flag|--model|none|Its model, such as iPhone15,3' \
                'flag|--os-version|none|Its system\'s version' \
                'flag|--app-version|none|Its app\'s version' \
                'flag|--bundle-id|none|Its app\'s id' \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id device_id platform service token_type model os_version app_version bundle_id created_at updated_at last_used_at active failure_count last_failure_at last_failure_reason preferences_created result|Print these fields, in order'
        case 'push update'
            set -a rows \
                'flag|--push-token|none|The new push token' \
                'flag|--service|words apns fcm|Whose token it is, apns or fcm' \
                'flag|--device-id|none|The id that the device gave itself' \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id device_id platform service token_type model os_version app_version bundle_id created_at updated_at last_used_at active failure_count last_failure_at last_failure_reason preferences_created result|Print these fields, in order'
        case 'push unregister'
            set -a rows \
                'flag|--service|words apns fcm|Whose token it is, apns or fcm' \
                'flag|--device-id|none|The id that the device gave itself' \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id device_id platform service token_type model os_version app_version bundle_id created_at updated_at last_used_at active failure_count last_failure_at last_failure_reason preferences_created result|Print these fields, in order'
        case 'push subscriptions'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id mine endpoint user_agent created_at last_used_at|Print these fields, in order'
        case 'push subscribe'
            set -a rows \
                'flag|--endpoint|none|Where pushes are to go' \
                'flag|--p256dh|none|The receiver\'s public key' \
                'flag|--auth|none|The receiver\'s secret, 16 bytes' \
                'flag|--auth-file|file|Read that secret from FILE' \
                'flag|--user-agent|none|What the receiver calls itself' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id mine endpoint user_agent created_at last_used_at result|Print these fields, in order'
        case 'push unsubscribe'
            set -a rows \
                'flag|--endpoint|none|The endpoint of the subscription' \
                'flag|-y|switch|Do not ask' \
                'flag|--yes|switch|Do not ask' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id mine endpoint user_agent created_at last_used_at|Print these fields, in order'
        case 'push test'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id delivered error subscriptions failures|Print these fields, in order'
        case 'push prefs'
            set -a rows \
                'verb|show|Show which pushes come through, and when' \
                'verb|set|Choose which pushes come through, and when' \
                'flag|--device|dynamic devices|A device\'s name or id' \
                'flag|--endpoint|none|The endpoint of a subscription' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id device_id endpoint cameras camera_names types quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical sound updated_at quiet_now changes_at summary|Print these fields, in order'
        case 'push prefs show'
            set -a rows \
                'flag|--device|dynamic devices|A device\'s name or id' \
                'flag|--endpoint|none|The endpoint of a subscription' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id device_id endpoint cameras camera_names types quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical sound updated_at quiet_now changes_at summary|Print these fields, in order'
        case 'push prefs set'
            set -a rows \
                'flag|--cameras|several camera-choice|The cameras' \
                'flag|--types|list person vehicle package animal -- all none|What they show: person, vehicle, package or animal' \
                'flag|--quiet-hours|none|The quiet hours' \
                'flag|--timezone|none|The zone of these times (IANA)' \
                'flag|--sound|words on off|Whether pushes make a sound' \
                'flag|--force|switch|Do not look whether somebody else wrote' \
                'flag|-y|switch|Do not ask about what is not yours' \
                'flag|--yes|switch|Do not ask about what is not yours' \
                'flag|--device|dynamic devices|A device\'s name or id' \
                'flag|--endpoint|none|The endpoint of a subscription' \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list id device_id endpoint cameras camera_names types quiet_hours_enabled quiet_hours_start quiet_hours_end quiet_hours_timezone quiet_hours_override_critical sound updated_at quiet_now changes_at summary|Print these fields, in order' \
                'operand|none'
        case 'api'
            set -a rows \
                'flag|-f|none|Send a field as text' \
                'flag|--raw-field|none|Send a field as text' \
                'flag|-F|none|Send true, false, null and numbers as such; @FILE reads' \
                'flag|--field|none|Send true, false, null and numbers as such; @FILE reads' \
                'flag|--input|file|Send the bytes of FILE; - is stdin' \
                'flag|-H|none|Send a header field' \
                'flag|--header|none|Send a header field' \
                'flag|--paginate|switch|Fetch all pages of a list' \
                'flag|-i|switch|Print status and header fields too' \
                'flag|--include|switch|Print status and header fields too' \
                'flag|--list|switch|List the routes that this server has' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list method path summary|Print these fields, in order' \
                'operand|dynamic calls' \
                'operand|dynamic routes'
        case 'config'
            set -a rows \
                'verb|list|List the settings and their values' \
                'verb|get|Print the value of a setting' \
                'verb|set|Write a setting to the config file' \
                'verb|unset|Remove a setting from the config file' \
                'verb|path|Print the path of the config file' \
                'verb|edit|Open the config file in your editor' \
                'flag|--origin|switch|Show where each value comes from' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list key value origin|Print these fields, in order'
        case 'config list'
            set -a rows \
                'flag|--origin|switch|Show where each value comes from' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list key value origin|Print these fields, in order'
        case 'config get'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list key value origin|Print these fields, in order' \
                'operand|dynamic keys'
        case 'config set'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list key value origin|Print these fields, in order' \
                'operand|dynamic keys' \
                'operand|dynamic values'
        case 'config unset'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list key value origin|Print these fields, in order' \
                'operand|dynamic keys'
        case 'config path'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order'
        case 'config edit'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order'
        case 'doctor'
            set -a rows \
                'flag|--as-cron|switch|Check as a timer would run it' \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list check state message remedy|Print these fields, in order'
        case 'completion'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order' \
                'operand|words bash zsh fish'
        case 'help'
            set -a rows \
                'flag|--format|words table json ndjson csv tsv|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|none|Print these fields, in order' \
                'operands|words environment configuration formats times servers credentials exit-status login logout whoami token passwd pair server discover events cameras devices sessions keys push api config doctor completion help version'
        case 'version'
            set -a rows \
                'flag|--format|words table json ndjson|Print table, json, ndjson, csv or tsv' \
                'flag|--fields|list version date|Print these fields, in order'
        case '*'
            return 1
    end
        set -a rows \
            'flag|--json|switch|The same as --format json' \
            'flag|--no-header|switch|Leave out the line of headings' \
            'flag|--raw|switch|Print the server\'s own objects (json, ndjson)' \
            'flag|--utc|switch|Show times in UTC instead of local time' \
            'flag|--color|words auto always never|Use colour auto, always or never' \
            'flag|-q|switch|Print errors only' \
            'flag|--quiet|switch|Print errors only' \
            'flag|-v|switch|Tell what is done; repeat it for requests and timings' \
            'flag|--verbose|switch|Tell what is done; repeat it for requests and timings' \
            'flag|--trace|file|Write requests and answers to FILE, secrets redacted' \
            'flag|-s|dynamic servers|Use this server, by name or address' \
            'flag|--server|dynamic servers|Use this server, by name or address' \
            'flag|--via|words auto local relay|Reach it by auto, local or relay' \
            'flag|--timeout|none|Wait this long for the first byte (30s)' \
            'flag|--retries|none|Try again N times when that is safe (2)' \
            'flag|--wait-rate-limit|optional none|Wait when the server refuses more requests (15m)' \
            'flag|--no-input|switch|Never ask for anything' \
            'flag|--cacert|file|Trust the certificate authorities in FILE' \
            'flag|--cert|file|Show the client certificate in FILE' \
            'flag|--key|file|The client certificate\'s key, when FILE is another' \
            'flag|--token-file|file|Use the access token in FILE for this run' \
            'flag|--api-key-file|file|Use the API key in FILE for this run' \
            'flag|--passphrase-file|file|Seal stored credentials with the passphrase in FILE' \
            'flag|-h|switch|Show help: one screen with -h, the whole page with --help' \
            'flag|--help|switch|Show help: one screen with -h, the whole page with --help' \
            'flag|--version|switch|Show the version and leave' \
            'guide|-s' \
            'guide|--server'
    printf '%s\n' $rows
end

# Prints the kind of the option $argv[1] by the rows after it.
function __argus_kind
    set -l row (string match -- "flag|$argv[1]|*" $argv[2..-1])
    and echo (string split -m 3 '|' -- $row[1])[3]
end

# Prints the values of the kind $argv[1] that go on from $argv[2], with $argv[3] before each.
# It looks at the guides and operands of its caller.
function __argus_values --no-scope-shadowing
    set -l lead $argv[3]
    switch $argv[1]
        case 'words *'
            printf '%s\n' "$lead"(string split ' ' -- $argv[1])[2..-1]
        case 'list *'
            set -l begun (string match -r '.*,' -- $argv[2]; or echo '')
            set -l given (string split ',' -- $begun)
            for name in (string split ' ' -- $argv[1])[2..-1]
                if test "$name" = --
                    # What follows stands alone.
                    test -n "$begun"
                    and break
                    continue
                end
                contains -- $name $given
                or printf '%s\n' "$lead$begun$name"
            end
        case 'dynamic *' 'several *'
            set -l asked (string split ' ' -- $argv[1])[2]
            set -l found (
                command argus $guides __complete $asked -- $argv[2] $operands </dev/null 2>/dev/null
            )
            set found (string match -rv '[\x00-\x08\x0b-\x1f\x7f]' -- $found)
            and printf '%s\n' "$lead"$found
        case file
            set -l found (__fish_complete_path $argv[2])
            and printf '%s\n' "$lead"$found
        case directory
            set -l found (__fish_complete_directories $argv[2] '')
            and printf '%s\n' "$lead"$found
    end
end

# Prints the option $argv[1] and the value $argv[2], one a line, if the rows after them say
# that the tool needs it to find values.
function __argus_note
    contains -- "guide|$argv[1]" $argv[3..-1]
    and printf '%s\n' $argv[1..2]
end

# Prints whether an option of the kind $argv[1] takes the next word.
function __argus_awaits
    not string match -qr '^(switch|optional .*)?$' -- "$argv[1]"
end

# Prints the candidates for the word under the cursor, descriptions after a TAB.
function __argus_candidates
    set -l rows (__argus_rows '')
    set -l place ''
    set -l awaiting ''
    set -l ended ''
    set -l operands
    set -l option ''
    set -l guides
    set -l expanded ''
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        set -l word $words[1]
        set -e words[1]
        if test -n "$awaiting"
            set -a guides (__argus_note $option $word $rows)
            set awaiting ''
        else if test -z "$ended"; and test "$word" = --
            set ended 1
        else if test -z "$ended"; and string match -qr '^--' -- $word
            set -l parts (string split -m 1 = -- $word)
            if test (count $parts) -eq 2
                set -a guides (__argus_note $parts $rows)
                continue
            end
            set option $word
            set -l kind (__argus_kind $option $rows)
            __argus_awaits $kind
            and set awaiting $kind
        else if test -z "$ended"; and string match -qr '^-.' -- $word
            set -l letters (string split '' -- $word)
            for i in (seq 2 (count $letters))
                set option -$letters[$i]
                set -l kind (__argus_kind $option $rows)
                test -n "$kind"
                or break
                if __argus_awaits $kind
                    if test $i -eq (count $letters)
                        set awaiting $kind
                    else
                        set -l value (string sub -s (math $i + 1) -- $word)
                        set -a guides (__argus_note $option $value $rows)
                    end
                    break
                end
            end
        else if not set -q operands[1]; and string match -q -- "verb|$word|*" $rows
            set place (string trim -- "$place $word")
            set rows (__argus_rows $place)
        else
            if test -z "$place"
                # It may stand for other words; else it belongs to a program of its own.
                set -l others
                test -z "$expanded"
                and set others (
                    command argus __complete expansion -- $word </dev/null 2>/dev/null
                )
                set -q others[1]
                or return
                set expanded 1
                set words $others $words
                continue
            end
            set -a operands $word
        end
    end

    set -l raw (commandline -ct)
    set -l current (string unescape -- $raw; or string replace -r '^["\']' '' -- $raw)
    if test -n "$awaiting"
        __argus_values $awaiting "$current" ''
    else if test -z "$ended"; and string match -qr '^--.*=' -- $current
        set -l parts (string split -m 1 = -- $current)
        set -l kind (__argus_kind $parts[1] $rows)
        set kind (string replace -r '^optional ' '' -- "$kind")
        __argus_values $kind "$parts[2]" $parts[1]=
    else if test -z "$ended"; and string match -qr '^-' -- $current
        string replace -rf '^flag\|([^|]*)\|[^|]*\|' '$1\t' -- $rows
    else
        __argus_operands
    end
end

# Prints verbs, and values for the operand that is next, by the variables of its caller.
function __argus_operands --no-scope-shadowing
    set -l count (count $operands)
    if test $count -eq 0
        string replace -rf '^verb\|([^|]*)\|' '$1\t' -- $rows
    end
    set -l next 0
    for row in (string match -r '^operands?\|.*' -- $rows)
        set -l parts (string split -m 1 '|' -- $row)
        if test $next -eq $count
            or test $parts[1] = operands -a $next -lt $count
            __argus_values $parts[2] "$current" ''
        end
        set next (math $next + 1)
    end
end

complete -c argus -e
complete -c argus -k -f -a '(__argus_candidates)'
