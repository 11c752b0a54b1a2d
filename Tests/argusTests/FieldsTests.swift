import ArgusCore
import ArgusEvents
import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

/// The lists are written out again on purpose: scripts rely on names and order (docs/scripting.md,
/// "Fields").
@Suite("canonical fields")
struct FieldsTests {
    private func names<Record>(_ fields: [Field<Record>]) -> String {
        fields.map(\.name).joined(separator: " ")
    }

    @Test("events")
    func events() {
        let list = """
            id camera_id camera_name timestamp type objects confidence description \
            is_doorbell_ring alert_triggered carrier source has_thumbnail entity_id entity_name
            """
        #expect(names(EventView.fields) == list)
        #expect(
            names(EventView.detailFields)
                == list + """
                     analysis_mode provider created_at correlated_event_ids feedback frame_count \
                    has_video
                    """)
    }

    @Test("links of a drill")
    func drill() {
        #expect(names(DrillView.fields) == "link subject state at seconds event_id explanation")
    }

    @Test("digests")
    func digests() {
        let list = """
            since until source events visits cameras hours unusual_hours alarms strangers entities \
            packages rings silent gaps pictures pictures_left_out
            """
        #expect(names(DigestView.fields) == list)
    }

    @Test("archives")
    func archives() {
        #expect(names(ArchiveView.listFields) == "server " + names(EventView.fields))
        #expect(names(ArchiveView.statisticsFields) == "server " + names(StatisticsView.fields))
        #expect(
            names(ArchiveView.detailFields)
                == "server " + names(EventView.detailFields) + " archived_at deleted_at files")
        #expect(
            names(ArchiveView.reportFields)
                == "added changed deleted returned pictures videos absent_files broken_files "
                + "unreadable_rows")
        #expect(names(ArchiveView.findingFields) == "kind state subject reason")
        #expect(names(ArchiveView.planFields) == "events bytes until")
        #expect(names(CaseOptions.fields) == "path events files bytes sha256 signed")
        #expect(names(CaseView.findingFields) == "problem path")
    }

    @Test("cameras")
    func cameras() {
        let list = "id name enabled online source is_doorbell last_event_at"
        #expect(names(CameraView.fields) == list)
        #expect(
            names(CameraView.detailFields)
                == list + """
                     model capture_enabled created_at updated_at status last_frame_at error \
                    stream_available stream_qualities stream_clients
                    """)
    }

    @Test("alert rules, and people and vehicles")
    func rulesAndEntities() {
        let rule = """
            id name enabled matches types cameras camera_ids between days min_confidence entity \
            entity_name package_delivery carriers cooldown_minutes dashboard webhook \
            webhook_headers last_triggered_at trigger_count created_at updated_at problems
            """
        #expect(names(RuleView.fields) == rule)
        #expect(names(RuleView.detailFields) == rule)
        #expect(
            names(RuleExplanation.fields)
                == "event_id rule_id rule_name matches condition explanation")
        let entity =
            "id name type occurrences first_seen_at last_seen_at vip blocked notes has_thumbnail"
        #expect(names(EntityView.fields) == entity)
        #expect(names(EntityView.detailFields) == entity)
        #expect(
            names(MuteView.fields)
                == "number server_id from until camera_id camera_name type reason")
        #expect(names(EntityMerge.fields) == "id name merged_id merged_name moved_events")
    }

    @Test("pictures")
    func pictures() {
        #expect(
            names(SavedSnapshot.fields)
                == "camera_id path bytes sha256 captured_at age_seconds frozen")
        #expect(
            names(SavedWall.fields) == "server path bytes sha256 captured_at cameras pictures")
        #expect(names(SavedFilm.fields) == "path bytes frames skipped since until")
    }

    @Test("devices")
    func devices() {
        #expect(
            names(DeviceView.fields)
                == """
                id hardware_id name platform model last_seen_at paired inactive this_device \
                created_at quiet_hours_enabled quiet_hours_start quiet_hours_end \
                quiet_hours_timezone quiet_hours_override_critical gets_pushes
                """)
        #expect(names(DeviceView.detailFields) == names(DeviceView.fields))
    }

    @Test("push registrations, subscriptions and preferences")
    func push() {
        #expect(
            names(PushRegistrationView.fields)
                == """
                id device_id platform service token_type model os_version app_version bundle_id \
                created_at updated_at last_used_at active failure_count last_failure_at \
                last_failure_reason preferences_created result
                """)
        #expect(
            names(SubscriptionView.fields)
                == "id mine endpoint user_agent created_at last_used_at")
        #expect(names(PushTestView.fields) == "id delivered error endpoint subscriptions failures")
        #expect(
            names(NotificationView.fields)
                == """
                title body event_id camera_id camera_name smart_detection_type thumbnail_url url \
                timestamp actions category sound priority silent tag received_at
                """)
        #expect(names(ListenTestView.fields) == "server milliseconds address title")
        #expect(
            names(PushPreferencesView.fields)
                == """
                id device_id endpoint token_id cameras camera_names types quiet_hours_enabled \
                quiet_hours_start quiet_hours_end quiet_hours_timezone \
                quiet_hours_override_critical sound updated_at quiet_now changes_at summary
                """)
    }

    @Test("web sessions and API keys")
    func accounts() {
        #expect(
            names(SessionView.fields)
                == "id current device ip_address created_at last_active_at")
        let key = """
            id name prefix scopes active expires_at last_used_at usage_count \
            rate_limit_per_minute created_at revoked_at
            """
        #expect(names(KeyView.fields) == key)
        #expect(names(KeyView.madeFields) == key + " key path")
    }

    @Test("the user, and how he is signed in")
    func account() {
        #expect(
            names(AccountView.fields)
                == """
                id username role active created_at last_login must_change_password server url via \
                sign_in credentials expires_at
                """)
    }

    @Test("pairings, and the devices that wait")
    func pairings() {
        #expect(
            names(PairingView.fields)
                == """
                state code expires_at server url username device_id hardware_id device_name \
                platform
                """)
        #expect(
            names(PendingDeviceView.fields)
                == "code state device_name device_model platform created_at expires_at")
    }

    @Test("servers, and the version")
    func others() {
        let list = "name url username sign_in default id added_at urls"
        #expect(names(ServerView.fields) == list)
        #expect(
            names(ServerView.detailFields)
                == list
                + " ways credential_store way way_proved_at way_steps insecure_http reachable problem"
                + " status version setup_complete api dashboard_url")
        #expect(names(VersionCommand.fields) == "version date")
    }

    @Test("each command's help lists what it prints")
    func help() {
        func names(_ words: String...) -> [String] {
            Tool.commandLine.description.command(words)?.about.fields.map(\.name) ?? []
        }
        #expect(names("events", "list") == EventView.fields.map(\.name))
        #expect(names("events", "show") == EventView.detailFields.map(\.name))
        #expect(names("events", "thumbnail").first == "event_id")
        #expect(names("cameras", "list") == CameraView.fields.map(\.name))
        #expect(names("cameras", "show") == CameraView.detailFields.map(\.name))
        #expect(names("cameras", "snapshot").first == "camera_id")
        #expect(names("whoami") == AccountView.fields.map(\.name))
        #expect(names("login") == AccountView.fields.map(\.name))
        #expect(names("pair") == PairingView.fields.map(\.name))
        #expect(names("pair", "resume") == PairingView.fields.map(\.name))
        for verb in ["pending", "confirm", "reject"] {
            #expect(names("pair", verb) == PendingDeviceView.fields.map(\.name))
        }
        #expect(names("server", "list") == ServerView.fields.map(\.name))
        #expect(names("server", "show") == ServerView.detailFields.map(\.name))
    }
}
