/// The routes of cameras, by generation of server.
package enum CameraRoutes {
    /// Every camera, as the server wrote it.
    package static let list = Operation<Void, [JSONView]>(
        "cameras.list", purpose: "a list of cameras",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, "/api/v1/cameras")
            } decode: { answer throws(APIError) in
                try cameras(answer)
            },
            Route(.mobile) { _ in
                RouteRequest(.get, "/api/v1/mobile/cameras")
            } decode: { answer throws(APIError) in
                try cameras(answer)
            },
        ])

    /// One camera with what only its own route tells.
    package static let show = Operation<String, JSONView>(
        "cameras.show", purpose: "details of a camera",
        routes: [
            Route(.current) { id in
                RouteRequest(.get, "/api/v1/cameras", id)
            } decode: { answer throws(APIError) in
                try ResponseBody.parse(answer)
            }
        ])

    /// How the cameras do that were started, by id.
    package static let health = Operation<Void, [String: CameraHealth]>(
        "cameras.health", purpose: "the health of cameras",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, "/api/v1/cameras/health")
            } decode: { answer throws(APIError) in
                let body = try ResponseBody.parse(answer)
                guard let listed = body["cameras"], listed.kind == .object else {
                    throw .malformed("the health of cameras has no cameras", answer)
                }
                var cameras: [String: CameraHealth] = [:]
                listed.forEachMember { id, health in
                    cameras[id.text] = CameraHealth(health)
                }
                return cameras
            }
        ])

    /// What the server tells of a camera's live stream.
    package static let stream = Operation<String, StreamInfo>(
        "cameras.stream", purpose: "streams of cameras",
        routes: [
            Route(.current) { id in
                RouteRequest(.get, "/api/v1/cameras", id, "stream", "info")
            } decode: { answer throws(APIError) in
                StreamInfo(try ResponseBody.parse(answer))
            }
        ])

    /// A picture taken now.
    package static let snapshot = Operation<SnapshotRequest, Snapshot>(
        "cameras.snapshot", purpose: "snapshots of cameras",
        routes: [
            Route(.current) { input in
                var request = image("/api/v1/cameras", input, "stream", "snapshot")
                request.query = [("quality", input.quality.rawValue)]
                return request
            } decode: { answer throws(APIError) in
                try streamSnapshot(answer)
            },
            Route(.documented) {
                image("/api/v1/cameras", $0, "snapshot")
            } decode: {
                Snapshot(bytes: $0.stored, age: Snapshot.age(of: $0))
            },
            Route(.mobile) {
                image("/api/v1/mobile/cameras", $0, "snapshot")
            } decode: {
                Snapshot(bytes: $0.stored, age: Snapshot.age(of: $0))
            },
        ])

    /// The last picture that the capture service holds; the only one of a USB camera.
    package static let preview = Operation<SnapshotRequest, StoredBytes?>(
        "cameras.preview", purpose: "previews of cameras",
        routes: [
            Route(.current) {
                image("/api/v1/cameras", $0, "preview")
            } decode: { answer throws(APIError) in
                try ResponseBody.picture("thumbnail_base64", in: answer).picture
            }
        ])

    private static func image(
        _ cameras: String, _ input: SnapshotRequest, _ more: String...
    ) -> RouteRequest {
        var request = RouteRequest.image(cameras, input.cameraID)
        request.path += more
        request.accept = "image/jpeg, image/png, application/json"
        // A camera may take 10 s to give a picture (backend-facts 0.7).
        request.isSlow = true
        return request
    }

    private static func cameras(_ answer: HTTPResponse) throws(APIError) -> [JSONView] {
        let body = try ResponseBody.parse(answer)
        guard let list = body.kind == .array ? body : body["cameras"] ?? body["data"],
            list.kind == .array
        else { throw .malformed("the list of cameras has no cameras", answer) }
        return Array(list.elements)
    }

    /// Today's server answers 200 for a camera that is offline, too (backend-facts 6).
    private static func streamSnapshot(_ answer: HTTPResponse) throws(APIError) -> Snapshot {
        let (body, picture) = try ResponseBody.picture("image_base64", in: answer)
        if let picture {
            let takenAt = body["timestamp"]?.timestamp
            return Snapshot(
                bytes: picture, takenAt: takenAt, age: Snapshot.age(of: answer, takenAt: takenAt))
        }
        var error = APIError(.serverError, body["error"]?.string ?? "no picture in the answer")
        error.requestID = answer.headers["x-request-id"]
        throw error
    }
}

/// Which camera is to give a picture, and how good a one.
package struct SnapshotRequest: Sendable {
    package var cameraID: String
    package var quality: SnapshotQuality
}
