/// The routes that change cameras; only today's server has them (backend-facts 6).
package enum CameraChangeRoutes {
    /// Which camera is to be switched, and how.
    package struct Switch: Sendable {
        package var cameraID: String
        package var isOn: Bool

        package init(cameraID: String, isOn: Bool) {
            self.cameraID = cameraID
            self.isOn = isOn
        }
    }

    /// What the server says of a change.
    ///
    ///     {"success":true,"message":"Camera capture disabled","capture_disabled":true}
    package struct Outcome: Sendable, Equatable {
        package var isSuccess: Bool
        package var message: String?
    }

    /// Changes the setting, which outlives the server's restart.
    package static let setEnabled = Operation<Switch, JSONView>(
        "cameras.enabled", purpose: "changes of cameras",
        routes: [
            Route(.current) { input in
                var request = RouteRequest(.put, "/api/v1/cameras", input.cameraID)
                request.body = JSONWriter.object { $0.member("is_enabled", input.isOn) }
                request.isSlow = true
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)
            }
        ])

    /// Starts or stops capturing until the server starts again.
    package static let setCapture = Operation<Switch, Outcome>(
        "cameras.capture", purpose: "starting and stopping of cameras",
        routes: [
            Route(.current) { input in
                var request = RouteRequest(
                    .post, "/api/v1/cameras", input.cameraID,
                    input.isOn ? "enable-capture" : "disable-capture")
                request.isSlow = true
                return request
            } decode: { answer throws(APIError) in
                try outcome(answer)
            }
        ])

    /// Has the server connect to a camera again, which takes up to 15 s.
    package static let reconnect = Operation<String, Outcome>(
        "cameras.reconnect", purpose: "reconnection of cameras",
        routes: [
            Route(.current) { id in
                var request = RouteRequest(.post, "/api/v1/cameras", id, "reconnect")
                request.isSlow = true
                return request
            } decode: { answer throws(APIError) in
                try outcome(answer)
            }
        ])

    private static func outcome(_ answer: HTTPResponse) throws(APIError) -> Outcome {
        let body = try ResponseBody.parse(answer)
        guard let isSuccess = body["success"]?.bool else {
            throw .malformed("the answer does not say whether it worked", answer)
        }
        return Outcome(isSuccess: isSuccess, message: body["message"]?.string)
    }
}
