/// Cameras by the mobile API file.
enum MobileCameraRoutes {
    static func list(_ request: Request, _ state: inout State) -> Answer {
        let events = state.events
        return .json([
            "cameras": .list(
                state.cameras.map { camera in
                    let last = events.rows.last { events.label(of: $0).id == camera.id.text }
                    return camera.mobileJSON(lastEvent: last?.time)
                })
        ])
    }

    static func snapshot(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try MobileAuthRoutes.limit("snapshot \(request.peer)", 30, request, &state)
        return try livePicture(request, &state)
    }

    /// Returns the live picture, or a 503 for a camera that is offline.
    static func livePicture(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let id = request.parameter("camera_id")
        let known = state.cameras.first { $0.id.text == id }
        let camera = try known.orRefuse("Camera not found")
        guard camera.isOnline else { throw Refusal("Camera is offline", status: 503) }
        let now = request.now
        return .jpeg(headers: [("cache-control", "no-store")]) {
            Scene.snapshot(camera, at: now, quality: 75)
        }
    }
}
