package import ArgusCore
package import ArgusTransport

/// The routes of cameras, by generation of server.
package enum CameraRoutes {
    private static let cameras = "/api/v1/cameras"
    private static let mobile = "/api/v1/mobile/cameras"

    /// Lists every camera.
    package static let list = Operation<Void, ListedRows<Camera>>(
        "cameras.list", feature: "a list of cameras",
        Route(.current, ResponseBody.rows("cameras", Camera.init)) { RouteRequest(.get, cameras) },
        Route(.mobile, ResponseBody.rows("cameras", Camera.init)) { RouteRequest(.get, mobile) })

    /// Reads one camera with the details that only its own route gives.
    package static let show = Operation<String, JSONView>(
        "cameras.show", feature: "details of a camera",
        Route(.current, ResponseBody.parse) { RouteRequest(.get, cameras, $0) })

    /// Reads the health of the cameras that were started, by id.
    package static let health = Operation<Void, [String: CameraHealth]>(
        "cameras.health", feature: "the health of cameras",
        Route(.current) {
            RouteRequest(.get, cameras, "health").with { $0.isSecondary = true }
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard let listed = body["cameras"], listed.kind == .object else {
                throw .malformed("the health of cameras has no cameras", answer)
            }
            var cameras: [String: CameraHealth] = [:]
            listed.forEachMember { id, health in cameras[id.text] = CameraHealth(health) }
            return cameras
        })

    /// Describes a camera's live stream.
    package static let stream = Operation<String, StreamInfo>(
        "cameras.stream", feature: "streams of cameras",
        Route(.current) { id in
            RouteRequest(.get, cameras, id, "stream", "info").with { $0.isSecondary = true }
        } decode: { answer throws(APIError) in
            StreamInfo(try ResponseBody.parse(answer))
        })

    /// Takes a picture now.
    package static let snapshot = Operation<SnapshotRequest, Snapshot>(
        "cameras.snapshot", feature: "snapshots of cameras",
        Route(.current, streamSnapshot) { input in
            image(cameras, input, "stream", "snapshot").with {
                $0.query = [("quality", input.quality.rawValue)]
            }
        },
        Route(.documented, Snapshot.init) { image(cameras, $0, "snapshot") },
        Route(.mobile, Snapshot.init) { image(mobile, $0, "snapshot") })

    /// Reads the last picture that the capture service holds; the only one of a USB camera.
    package static let preview = Operation<SnapshotRequest, [UInt8]?>(
        "cameras.preview", feature: "previews of cameras",
        Route(.current) {
            image(cameras, $0, "preview")
        } decode: { answer throws(APIError) in
            try ResponseBody.parse(answer)["thumbnail_base64"]?.string
                .flatMap(Base64.decodeDataURI)
        })

    private static func image(
        _ cameras: String, _ input: SnapshotRequest, _ more: String...
    ) -> RouteRequest {
        RouteRequest.image(cameras, input.cameraID).with { request in
            request.path += more
            request.accept = "image/jpeg, image/png, application/json"
            // A camera may take 10 s for a picture.
            request.isSlow = true
        }
    }

    /// Decodes a picture; today's server answers 200 for an offline camera, too
    /// (docs/compatibility.md, trap 23).
    private static func streamSnapshot(_ answer: HTTPResponse) throws(APIError) -> Snapshot {
        let body = try ResponseBody.parse(answer)
        if let picture = body["image_base64"]?.string.flatMap(Base64.decodeDataURI) {
            let takenAt = body["timestamp"]?.timestamp
            return Snapshot(
                bytes: picture, takenAt: takenAt, age: Snapshot.age(of: answer, takenAt: takenAt))
        }
        var error = APIError(.serverError, body["error"]?.string ?? "no picture in the answer")
        error.requestID = answer.requestID
        throw error
    }
}

/// The camera that is to give a picture, and its quality.
package typealias SnapshotRequest = (cameraID: String, quality: SnapshotQuality)
