/// What was changed of a camera.
package struct CameraChange: Sendable, Equatable {
    /// What a change is about.
    package enum Subject: String, Sendable {
        /// Whether the server uses the camera; lasts.
        case setting
        /// Whether the server captures from it; until the server starts again.
        case capture
        case connection
    }

    package var id: String
    package var name: String?
    package var subject: Subject
    package var isOn: Bool
    /// The server's own words.
    package var message: String?
}

// What a signed-in user can change of cameras.
extension CameraService {
    /// Changes whether the server uses a camera, for good.
    package func setEnabled(_ camera: Camera, _ isOn: Bool) async throws(APIError) -> CameraChange {
        let view = try await session.call(
            CameraChangeRoutes.setEnabled, .init(cameraID: camera.id, isOn: isOn))
        guard let now = view["is_enabled"]?.bool else {
            throw APIError(.malformedAnswer, "the answer is no camera")
        }
        guard now == isOn else {
            throw APIError(.malformedAnswer, "the camera is \(now ? "enabled" : "disabled") still")
        }
        return CameraChange(id: camera.id, name: camera.name, subject: .setting, isOn: isOn)
    }

    /// Starts or stops capturing from a camera, until the server starts again.
    package func setCapture(
        of camera: Camera, to isOn: Bool
    ) async throws(APIError) -> CameraChange {
        let outcome = try await session.call(
            CameraChangeRoutes.setCapture, .init(cameraID: camera.id, isOn: isOn))
        return try change(camera, .capture, isOn, outcome)
    }

    /// Has the server connect to a camera again.
    package func reconnect(_ camera: Camera) async throws(APIError) -> CameraChange {
        try change(
            camera, .connection, true,
            try await session.call(CameraChangeRoutes.reconnect, camera.id))
    }

    private func change(
        _ camera: Camera, _ subject: CameraChange.Subject, _ isOn: Bool,
        _ outcome: CameraChangeRoutes.Outcome
    ) throws(APIError) -> CameraChange {
        // A 200 may say that it did not work (backend-facts 6).
        guard outcome.isSuccess else {
            throw APIError(.serverError, outcome.message ?? "the server says that it did not work")
        }
        return CameraChange(
            id: camera.id, name: camera.name, subject: subject, isOn: isOn,
            message: outcome.message)
    }
}
