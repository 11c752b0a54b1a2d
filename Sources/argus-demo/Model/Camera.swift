struct Camera: Sendable {
    enum Source: String, Sendable, CaseIterable {
        case rtsp, usb, protect
    }

    var id: Identifier
    var name: String
    var source: Source
    var isDoorbell = false
    var isEnabled = true
    /// True if it delivers pictures.
    var isReachable = true
    var isCaptureDisabled = false
    var fault: CameraFault.Kind?
    /// The time of all its pictures; nil for the time of the request.
    var frozenAt: Moment?
    var createdAt: Moment
    var updatedAt: Moment
    /// Its index, which also determines its colours.
    var number: Int

    /// The type as configured; a camera of a Protect controller is configured as `rtsp`.
    var type: String { source == .usb ? "usb" : "rtsp" }

    var isOnline: Bool { isEnabled && isReachable && !isCaptureDisabled }

    /// The name in characters of the picture font.
    var pictureName: String {
        name.utf8.allSatisfy { $0 < 0x80 } ? name : "CAMERA \(number + 1)"
    }

    var workerStatus: String {
        if isCaptureDisabled { return "disabled" }
        return isReachable ? "connected" : "reconnecting"
    }

    static func generate(
        _ settings: Settings, _ generator: inout SeededGenerator, now: Moment
    ) -> [Camera] {
        (0..<settings.cameras).map { number in
            let made = now + Int64(-60 * 86_400 + number * 5400)
            var camera = Camera(
                id: Identifier(&generator), name: name(number), source: .protect, createdAt: made,
                updatedAt: made + 86_400, number: number)
            switch number % 6 {
            case 0: camera.isDoorbell = true
            case 2: camera.source = .usb
            case 3:
                camera.source = .rtsp
                camera.isReachable = false
            case 5:
                camera.source = .rtsp
                camera.isEnabled = false
            default: break
            }
            if settings.isAllOnline {
                camera.isReachable = true
                camera.isEnabled = true
            }
            camera.fault = settings.condition.fault(ofCamera: camera.name)
            if camera.fault == .frozen { camera.frozenAt = now }
            return camera
        }
    }

    /// The name of the camera of that number.
    static func name(_ number: Int) -> String {
        let names = [
            "Front Door", "Driveway", "Garage", "Porch", "前庭", "Back Garden", "Side Gate",
            "Workshop", "Nursery", "Boathouse", "Café", "Cellar (north)",
        ]
        return number < names.count ? names[number] : "Camera \(number + 1)"
    }
}

extension Camera {
    /// The row of today's server; lists leave the runtime fields null.
    func json(inList: Bool) -> JSON {
        let knowsRuntime = !inList && isEnabled
        return [
            "name": .text(name), "type": .text(type), "frame_rate": 5,
            "is_enabled": .bool(isEnabled), "motion_enabled": true,
            "motion_sensitivity": "medium", "motion_cooldown": 60,
            "motion_algorithm": "mog2", "analysis_mode": "single_frame",
            "homekit_stream_quality": "medium", "id": .text(id.text),
            "rtsp_url": source == .rtsp ? .text("rtsp://192.0.2.\(number + 10):554/stream1") : nil,
            "username": source == .rtsp ? "viewer" : nil,
            "device_index": source == .usb ? .integer(number) : nil, "detection_zones": nil,
            "detection_schedule": nil, "created_at": .text(createdAt.text),
            "updated_at": .text(updatedAt.text),
            // A USB camera reports rtsp.
            "source_type": source == .protect ? "protect" : "rtsp", "protect_controller_id": nil,
            "protect_camera_id": source == .protect ? .text("protect-\(number + 1)") : nil,
            "protect_camera_type": source == .protect
                ? .text(isDoorbell ? "doorbell" : "camera") : nil,
            "smart_detection_types": nil, "is_doorbell": .bool(isDoorbell),
            "audio_enabled": false, "audio_codec": nil, "audio_event_types": nil,
            "audio_threshold": nil,
            "capture_disabled": knowsRuntime ? .bool(isCaptureDisabled) : nil,
            "restart_attempts": knowsRuntime ? .integer(isReachable ? 0 : 5) : nil,
            "worker_status": knowsRuntime ? .text(workerStatus) : nil,
            "worker_alive": knowsRuntime ? .bool(!isCaptureDisabled) : nil,
        ]
    }

    /// The entry in the health map of today's server.
    func health(now: Moment) -> JSON {
        if isCaptureDisabled {
            return [
                "status": "disabled", "worker_alive": false, "thread_alive": false,
                "capture_disabled": true, "restart_attempts": 5,
            ]
        }
        let frames = Int(now.seconds % 86_400) * 5
        return [
            "status": .text(workerStatus),
            "last_frame_time": isReachable ? .text(now.offsetText) : nil,
            "error": isReachable ? nil : "Connection refused", "thread_alive": true,
            "worker_alive": true, "frames_captured": .integer(isReachable ? frames : 0),
            "frames_dropped": .integer(isReachable ? frames / 50 : 0),
            "reconnection_count": .integer(isReachable ? 0 : 37), "capture_disabled": false,
            "restart_attempts": .integer(isReachable ? 0 : 5),
        ]
    }

    /// The entry in the report of today's server about its pipeline.
    var pipelineJSON: JSON {
        [
            "status": .text(workerStatus), "worker_alive": .bool(!isCaptureDisabled),
            "thread_alive": .bool(!isCaptureDisabled),
            "reconnections": .integer(isReachable ? 0 : 37),
        ]
    }

    /// The entry of the mobile API file.
    func mobileJSON(lastEvent: Moment?) -> JSON {
        let summary: JSON = [
            "id": .text(id.text), "name": .text(name), "is_enabled": .bool(isEnabled),
            "is_online": .bool(isOnline), "source_type": .text(source.rawValue),
            "last_event_at": JSON(lastEvent?.text),
        ]
        return summary.withoutNulls
    }
}
