/// How a camera does, as the server's capture service tells.
///
///     {"status":"connected","last_frame_time":"2026-11-20T23:45:58.832075+00:00","error":null}
package struct CameraHealth: Sendable, Equatable {
    /// Such as `connected`, `starting`, `reconnecting`, `disabled`.
    package var status: String?
    package var lastFrameAt: Timestamp?
    package var error: String?

    /// Reads an entry of the health route.
    init(_ view: JSONView) {
        status = view["status"]?.string
        lastFrameAt = view["last_frame_time"]?.string.flatMap(Timestamp.init(serverText:))
        error = view["error"]?.string
    }

    /// Whether pictures come now; `worker_alive` is true of cameras that only try to connect.
    var isOnline: Bool { status == "connected" }
}

/// What a server tells of a camera's live stream.
///
///     {"is_available":true,"default_quality":"medium","current_clients":0,
///      "quality_options":[{"id":"low","resolution":"640x360","fps":5}]}
package struct StreamInfo: Sendable, Equatable {
    package var isAvailable: Bool?
    /// Such as `low 640x360 5 fps`.
    package var qualities: [String]?
    package var clients: Int?

    /// Reads the answer of the stream's route.
    init(_ view: JSONView) {
        isAvailable = view["is_available"]?.bool
        clients = view["current_clients"]?.int.flatMap(Int.init(exactly:))
        guard let options = view["quality_options"], options.kind == .array else { return }
        qualities = options.elements.compactMap { option in
            guard let id = option["id"]?.string else { return nil }
            let rate = option["fps"]?.int.map { "\($0) fps" }
            return [id, option["resolution"]?.string, rate].compactMap(\.self)
                .joined(separator: " ")
        }
    }
}

/// A camera with what only its own routes tell.
package struct CameraDetail: Sendable, Equatable {
    package var camera: Camera
    package var health: CameraHealth?
    package var stream: StreamInfo?
}

/// A picture that a camera gave.
package struct Snapshot: Sendable {
    package var bytes: StoredBytes
    /// When it was taken, by the server's clock.
    package var takenAt: Timestamp?
    /// How old it was when it was sent; never less than nothing.
    package var age: Duration?

    package init(bytes: StoredBytes, takenAt: Timestamp? = nil, age: Duration? = nil) {
        self.bytes = bytes
        self.takenAt = takenAt
        self.age = age
    }

    /// The age by the server's own clock: `Date` less the picture's time, else `Age`
    /// (RFC 9111, section 5.1).
    static func age(of answer: HTTPResponse, takenAt: Timestamp? = nil) -> Duration? {
        let headers = answer.headers
        let takenAt = takenAt ?? headers["last-modified"].flatMap(HTTPDate.parse)
        guard let takenAt, let now = headers["date"].flatMap(HTTPDate.parse) else {
            return headers["age"].flatMap { Int($0) }.map { .seconds(max(0, min($0, 1 << 32))) }
        }
        return max(.zero, now - takenAt)
    }
}
