import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// The routes that change cameras; only today's server has them.
package enum CameraChangeRoutes {
    private static let cameras = "/api/v1/cameras"

    /// The server's report about a change.
    ///
    ///     {"success":true,"message":"Camera capture disabled","capture_disabled":true}
    package struct Outcome: Sendable, Equatable {
        package var isSuccess: Bool
        package var message: String?
    }

    /// Enables or disables a camera; the setting survives a restart of the server.
    package static let setEnabled = Operation<(cameraID: String, isOn: Bool), JSONView>(
        "cameras.enabled", feature: "changes of cameras",
        Route(.current, ResponseBody.parse) { input in
            slow(.put, input.cameraID).sending { $0.member("is_enabled", input.isOn) }
        })

    /// Starts or stops capturing until the server restarts.
    package static let setCapture = Operation<(cameraID: String, isOn: Bool), Outcome>(
        "cameras.capture", feature: "starting and stopping of cameras",
        Route(.current, outcome) { input in
            slow(.post, input.cameraID, input.isOn ? "enable-capture" : "disable-capture")
        })

    /// Makes the server connect to a camera again, which takes up to 15 s.
    package static let reconnect = Operation<String, Outcome>(
        "cameras.reconnect", feature: "reconnection of cameras",
        Route(.current, outcome) { slow(.post, $0, "reconnect") })

    private static func slow(
        _ method: HTTPRequest.Method, _ id: String, _ more: String...
    ) -> RouteRequest {
        RouteRequest(method, cameras, id).with { request in
            request.path += more
            request.isSlow = true
        }
    }

    private static func outcome(_ answer: HTTPResponse) throws(APIError) -> Outcome {
        let body = try ResponseBody.parse(answer)
        let isSuccess = try (body["success"]?.bool)
            .orMalformed("the answer does not report success or failure", in: answer)
        return Outcome(isSuccess: isSuccess, message: body["message"]?.string)
    }
}

/// A change that was made to a camera.
package struct CameraChange: Sendable, Equatable {
    package enum Subject: String, Sendable {
        /// The setting to use the camera, which lasts.
        case setting
        /// Capturing, until the server restarts.
        case capture
        case connection
    }

    package var id: String
    package var name: String?
    package var subject: Subject
    package var isOn: Bool
    package var message: String?

    package init(
        id: String, name: String?, subject: Subject, isOn: Bool, message: String? = nil
    ) {
        (self.id, self.name, self.subject) = (id, name, subject)
        (self.isOn, self.message) = (isOn, message)
    }
}

extension CameraService {
    /// Enables or disables a camera permanently.
    /// - Throws: `APIError`.
    package func setEnabled(_ camera: Camera, to isOn: Bool) async throws(APIError) -> CameraChange
    {
        let view = try await session.call(CameraChangeRoutes.setEnabled, (camera.id, isOn))
        let now = try (view["is_enabled"]?.bool).orMalformed("the answer is not a camera")
        guard now == isOn else {
            throw APIError(.malformedAnswer, "the camera is still \(now ? "enabled" : "disabled")")
        }
        return CameraChange(id: camera.id, name: camera.name, subject: .setting, isOn: isOn)
    }

    /// Starts or stops capturing from a camera, until the server restarts.
    /// - Throws: `APIError`.
    package func setCapture(
        of camera: Camera, to isOn: Bool
    ) async throws(APIError) -> CameraChange {
        let outcome = try await session.call(CameraChangeRoutes.setCapture, (camera.id, isOn))
        return try change(camera, .capture, isOn, outcome)
    }

    /// Makes the server connect to a camera again.
    /// - Throws: `APIError`.
    package func reconnect(_ camera: Camera) async throws(APIError) -> CameraChange {
        let outcome = try await session.call(CameraChangeRoutes.reconnect, camera.id)
        return try change(camera, .connection, true, outcome)
    }

    private func change(
        _ camera: Camera, _ subject: CameraChange.Subject, _ isOn: Bool,
        _ outcome: CameraChangeRoutes.Outcome
    ) throws(APIError) -> CameraChange {
        // A 200 may report a failure (docs/compatibility.md, trap 23).
        guard outcome.isSuccess else {
            throw APIError(.serverError, outcome.message ?? "the server reports a failure")
        }
        return CameraChange(
            id: camera.id, name: camera.name, subject: subject, isOn: isOn,
            message: outcome.message)
    }
}
