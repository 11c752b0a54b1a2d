import FoundationEssentials
import NIOCore

/// The cameras of today's server, and their changes.
enum CameraRoutes {
    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let isEnabled = input.flag(request.field("is_enabled"))
        try input.finish()
        let cameras = state.cameras.filter { isEnabled == nil || $0.isEnabled == isEnabled }
        return .json(.list(cameras.map { $0.json(inList: true) }))
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(state.cameras[try find(request, state, asUUID: true)].json(inList: false))
    }

    static func health(_ request: Request, _ state: inout State) -> Answer {
        let started = state.cameras.filter(\.isEnabled)
        let entries = started.map { camera in
            JSON.Member(name: camera.id.text, value: camera.health(now: request.now))
        }
        return .json([
            "total": .integer(started.count),
            "healthy": .integer(started.count { $0.workerStatus == "connected" }),
            "unhealthy": .integer(started.count { $0.workerStatus == "reconnecting" }),
            "disabled": .integer(started.count { $0.workerStatus == "disabled" }),
            "cameras": .object(entries),
        ])
    }

    static func preview(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let camera = state.cameras[try find(request, state)]
        guard camera.isEnabled else {
            throw Refusal("Camera \(camera.id.text) is disabled", status: 400)
        }
        guard camera.isOnline else {
            throw Refusal("Camera \(camera.id.text) is not currently running", status: 400)
        }
        let now = request.now
        return Answer(
            body: .made {
                let picture = Scene.snapshot(camera, at: now, quality: 75)
                return ByteBuffer(
                    string: "{\"thumbnail_base64\":\"\(Data(picture).base64EncodedString())\"}")
            })
    }

    /// Always returns a 200; the body shows if there is a picture.
    static func snapshot(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let camera = state.cameras[try find(request, state)]
        let quality = request.queryValue("quality") ?? "medium"
        let now = request.now
        var error: String?
        if camera.source == .usb { error = "Camera does not have a stream URL configured" }
        if !camera.isReachable { error = "Failed to capture snapshot" }
        if let error {
            return .json([
                "success": false, "timestamp": .text(now.text), "quality": .text(quality),
                "image_base64": nil, "error": .text(error),
            ])
        }
        let strength = ["low": 60, "high": 90][quality] ?? 75
        return Answer(
            body: .made {
                let picture = Data(Scene.snapshot(camera, at: now, quality: strength))
                    .base64EncodedString()
                // The picture is spliced in: a megabyte need not pass through the JSON writer.
                return ByteBuffer(
                    string: "{\"success\":true,\"timestamp\":\"\(now.text)\",\"quality\":"
                        + JSON.text(quality).description()
                        + ",\"image_base64\":\"data:image/jpeg;base64,\(picture)\",\"error\":null}")
            })
    }

    static func streamInfo(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let camera = state.cameras[try find(request, state)]
        let path = "/api/v1/cameras/\(camera.id.text)/stream"
        func option(_ id: String, _ label: String, _ size: String, _ rate: Int) -> JSON {
            [
                "id": .text(id), "label": .text(label), "resolution": .text(size),
                "fps": .integer(rate),
            ]
        }
        return .json([
            "camera_id": .text(camera.id.text), "type": "websocket",
            "websocket_path": .text(path), "snapshot_path": .text(path + "/snapshot"),
            "quality_options": [
                option("low", "Low", "640x360", 5), option("medium", "Medium", "1280x720", 10),
                option("high", "High", "1920x1080", 15),
            ],
            "default_quality": "medium", "current_clients": 0, "max_clients_available": 10,
            "is_available": .bool(camera.source != .usb),
        ])
    }

    /// Changes whether a camera is enabled; the server takes more.
    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try find(request, state, asUUID: true)
        var body = try BodyReader(request)
        let isEnabled = body.flag("is_enabled")
        try body.finish()
        state.cameras[index].isEnabled = isEnabled ?? state.cameras[index].isEnabled
        state.cameras[index].updatedAt = request.now
        return .json(state.cameras[index].json(inList: false))
    }

    static func reconnect(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let camera = state.cameras[try find(request, state)]
        guard camera.isEnabled else {
            throw Refusal("Camera \(camera.id.text) is disabled. Enable it first.", status: 400)
        }
        let message =
            camera.isReachable
            ? "Camera reconnected successfully" : "Failed to reconnect camera"
        return .json(["success": .bool(camera.isReachable), "message": .text(message)])
    }

    static func setCapture(isDisabled: Bool) -> Route.Handler {
        { request, state throws(Refusal) in
            let index = try find(request, state)
            state.cameras[index].isCaptureDisabled = isDisabled
            return .json([
                "success": true,
                "message": .text("Camera capture \(isDisabled ? "disabled" : "enabled")"),
                "capture_disabled": .bool(isDisabled),
            ])
        }
    }

    /// The index of the camera in the path; a route that parses the id as a UUID accepts capitals
    /// and missing dashes, and returns a 422 for anything else.
    static func find(
        _ request: Request, _ state: State, asUUID: Bool = false
    ) throws(Refusal) -> Int {
        let given = request.parameter("camera_id")
        var index = state.cameras.firstIndex { $0.id.text == given }
        if asUUID {
            let digits = given.lowercased().filter { $0 != "-" }
            guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else {
                var input = Validation()
                let reason = "invalid length: found \(given.utf8.count)"
                input.report(
                    "uuid_parsing", at: ["path", "camera_id"],
                    "Input should be a valid UUID, \(reason)", input: .text(given),
                    context: ["error": .text(reason)])
                throw input.refusal
            }
            index = state.cameras.firstIndex { $0.id.text.filter { $0 != "-" } == digits }
        }
        return try index.orRefuse("Camera \(given) not found")
    }
}
