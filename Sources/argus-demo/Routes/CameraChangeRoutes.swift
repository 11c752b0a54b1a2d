/// The changes of cameras on today's server.
enum CameraChangeRoutes {
    static func create(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let name = body.required("name", length: 1...100)
        let type = body.word("type", oneOf: ["rtsp", "usb"])
        let rate = body.integer("frame_rate", in: 1...30, default: 5)
        let isEnabled = body.flag("is_enabled") ?? true
        let url = body.optional("rtsp_url", length: 0...500)
        let device = body["device_index"]?.int
        if type == "rtsp",
            url.map({ !$0.hasPrefix("rtsp://") && !$0.hasPrefix("rtsps://") }) ?? true
        {
            body.report(
                "value_error", "rtsp_url",
                "Value error, RTSP URL must start with rtsp:// or rtsps://")
        }
        if type == "usb", device == nil {
            body.report("value_error", "device_index", "Value error, Device index is required")
        }
        try body.finish()
        guard !state.cameras.contains(where: { $0.name == name }) else {
            throw Refusal("Camera with name '\(name)' already exists", status: 409)
        }
        var camera = Camera(
            id: .random(), name: name, source: type == "usb" ? .usb : .rtsp,
            createdAt: request.now, updatedAt: request.now, number: state.cameras.count)
        camera.frameRate = rate
        camera.isEnabled = isEnabled
        // A made-up camera cannot be connected.
        camera.isReachable = false
        state.cameras.append(camera)
        state.events.add(camera)
        return .json(camera.json(inList: false), status: 201)
    }

    /// Changes whether a camera is enabled; the server takes more.
    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try CameraRoutes.find(request, state, asUUID: true)
        var body = try BodyReader(request)
        let isEnabled = body.flag("is_enabled")
        try body.finish()
        state.cameras[index].isEnabled = isEnabled ?? state.cameras[index].isEnabled
        state.cameras[index].updatedAt = request.now
        return .json(state.cameras[index].json(inList: false))
    }

    static func enableCapture(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try setCapture(isDisabled: false, request, &state)
    }

    static func disableCapture(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try setCapture(isDisabled: true, request, &state)
    }

    static func reconnect(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let camera = state.cameras[try CameraRoutes.find(request, state)]
        guard camera.isEnabled else {
            throw Refusal("Camera \(camera.id.text) is disabled. Enable it first.", status: 400)
        }
        let message =
            camera.isReachable
            ? "Camera reconnected successfully" : "Failed to reconnect camera"
        return .json(["success": .bool(camera.isReachable), "message": .text(message)])
    }

    private static func setCapture(
        isDisabled: Bool, _ request: Request, _ state: inout State
    ) throws(Refusal) -> Answer {
        let index = try CameraRoutes.find(request, state)
        state.cameras[index].isCaptureDisabled = isDisabled
        let message = isDisabled ? "Camera capture disabled" : "Camera capture enabled"
        return .json([
            "success": true, "message": .text(message), "capture_disabled": .bool(isDisabled),
        ])
    }
}
