package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// What a check needs to know, each of which is read once for all checks.
package enum HouseInput: Sendable {
    case cameras, pipeline, events, health, metrics, rules, certificate, pictures
    /// What is kept on this machine.
    case local
}

/// What was read of a house at one time; nil for what was not read, or what the server does not have.
package struct HouseReadings: Sendable {
    package typealias Reading<Value: Sendable> = Result<Value, APIError>

    /// The time by the server's clock, by which its events are judged.
    package var now: Timestamp
    /// The time by this machine's clock.
    package var localTime: Timestamp
    package var zone: TimeZoneRules
    /// The address in use, and how long its first answer took.
    package var address = ""
    package var latency: Duration?
    package var cameras: Reading<[Camera]>?
    /// The rows of the list of cameras that argus cannot read.
    package var unreadableCameras = 0
    package var pipeline: Reading<ServerPipeline>?
    /// The state of capturing by the camera's id.
    package var capture: Reading<[String: CameraHealth]>?
    /// The newest events, newest first.
    package var newest: Reading<[Event]>?
    /// The activity of the last weeks, with the newest events.
    package var activity = HouseActivity()
    package var health: Reading<ServerHealth>?
    /// The time by this machine's clock at which the server's report came.
    package var reportTime: Timestamp?
    package var metrics: Reading<ServerMetrics>?
    /// The number of alert rules that are enabled.
    package var rules: Reading<Int>?
    /// Why the server has paused descriptions.
    package var pause: String?
    package var certificate: Reading<PeerCertificate>?
    /// The pictures of enabled cameras by the camera's id.
    package var pictures: [String: Reading<PictureReading>] = [:]
    package var local = LocalReadings()

    package init(now: Timestamp, zone: TimeZoneRules) {
        (self.now, localTime, self.zone) = (now, now, zone)
    }

    /// The failure that kept all of the server's readings away; nil if it answered one request.
    package var outage: APIError? {
        let readings: [APIError??] = [
            cameras.map(\.failure), pipeline.map(\.failure), newest.map(\.failure),
            health.map(\.failure), metrics.map(\.failure), rules.map(\.failure),
        ]
        let asked = readings.compactMap(\.self)
        let errors = asked.compactMap(\.self).filter { !$0.isAnswer }
        return errors.count == asked.count ? errors.first : nil
    }

    /// The refusal of the credentials by a server that answers; nil if it accepts them.
    package var refusal: APIError? {
        // Other requests may be for administrators only.
        [cameras.map(\.failure), newest.map(\.failure)].compactMap { $0 ?? nil }
            .first { $0.isRefusal }
    }

    /// Takes the state of capturing, which tells of cameras what their list does not.
    mutating func take(_ capture: Reading<[String: CameraHealth]>?) {
        self.capture = capture
        guard case .success(let all)? = cameras, case .success(let states)? = capture else {
            return
        }
        cameras = .success(
            all.map { camera in
                var camera = camera
                let status = states[camera.id]?.status
                camera.isCaptureEnabled = camera.isCaptureEnabled ?? status.map { $0 != "disabled" }
                return camera
            })
    }

    /// The time as people read it, near to now.
    func text(_ time: Timestamp) -> String { NearTimeFormat(now: now, zone: zone).text(time) }
}

/// A picture that a camera sent for a check.
package struct PictureReading: Sendable, Equatable {
    /// Hexadecimal.
    package var sha256: String
    /// The time since which the camera sends exactly this picture.
    package var since: Timestamp
    /// The range of brightness in it, 0 to 255, without the darkest and the brightest twentieth.
    package var brightness: ClosedRange<Int>?
    /// Why the brightness is unknown.
    package var reason: String?
}

extension APIError {
    /// True if the server answered, only not as expected.
    fileprivate var isAnswer: Bool {
        switch kind {
        case .malformedAnswer, .notFound, .rejected, .unsteady: true
        default: false
        }
    }

    /// True if the sign-in is not, or no longer, accepted.
    var isRefusal: Bool {
        switch kind {
        case .unauthorized, .forbidden, .renewalBroken, .storeFailed: true
        default: false
        }
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
