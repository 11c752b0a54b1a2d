/// The changes of cameras on today's server.
enum CameraChangeRoutes {
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
