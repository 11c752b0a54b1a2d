package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// Lists cameras and takes their pictures, as the signed-in user.
package struct CameraService: Sendable {
    let session: Session

    package init(session: Session) { self.session = session }

    /// Lists every camera with the server's own object, and reads the health if the list lacks it.
    ///
    /// Sends both requests in parallel to a server whose list lacked the health before, and a third one
    /// for the newest events if `findsLastEvents`: most servers do not list when a camera's last was.
    /// - Throws: `APIError`.
    package func list(
        findsLastEvents: Bool = false
    ) async throws(APIError) -> ListedRows<Camera> {
        let isExpected = session.client.knowledge.has(CameraRoutes.health)
        async let early = isExpected ? health() : nil
        async let lastEvents = findsLastEvents ? lastEvents() : [:]
        let listed = try await plainList()
        let times = await lastEvents
        let cameras = listed.mapValues { camera in
            var camera = camera
            camera.lastEventAt = camera.lastEventAt ?? times[camera.id]
            return camera
        }
        guard cameras.contains(where: { $0.value.isOnline == nil }) else { return cameras }
        let health = isExpected ? await early : await health()
        return cameras.mapValues { $0.judged(by: health) }
    }

    /// Lists every camera by id and name, in one request.
    /// - Throws: `APIError`.
    package func plainList() async throws(APIError) -> ListedRows<Camera> {
        try await session.call(CameraRoutes.list, ())
    }

    /// Reads one camera, or uses the list's row; `extras` are its health and stream.
    /// - Throws: `APIError`.
    package func show(
        _ listed: Camera, _ view: JSONView, extras: Bool = true
    ) async throws(APIError) -> (detail: CameraDetail, view: JSONView) {
        async let health = extras ? health() : nil
        async let stream =
            extras ? try? await session.call(CameraRoutes.stream, listed.id) : nil
        var camera = listed
        var view = view
        do throws(APIError) {
            view = try await session.call(CameraRoutes.show, listed.id)
            camera = try Camera(view).orMalformed("the answer is not a camera")
        } catch  where error.isUnsupported {}
        let cameras = await health
        camera = camera.judged(by: cameras)
        camera.lastEventAt = camera.lastEventAt ?? listed.lastEventAt
        let detail = CameraDetail(camera: camera, health: cameras?[camera.id], stream: await stream)
        return (detail, view)
    }

    /// Takes a picture now, and returns it as the server sent it.
    /// - Throws: `APIError`; `.serverError` for a camera that is offline.
    package func snapshot(
        of id: String, quality: SnapshotQuality
    ) async throws(APIError) -> Snapshot {
        let request = (cameraID: id, quality: quality)
        do throws(APIError) {
            return try await session.call(CameraRoutes.snapshot, request)
        } catch  where error.status == nil && error.kind == .serverError {
            // A camera without a stream, such as a USB one, still has a preview.
            return try await preview(request, after: error)
        }
    }

    /// - Throws: The failure of the preview or, if the server has none, the failure of the stream's
    ///   picture, with the server's text about the camera.
    private func preview(
        _ request: SnapshotRequest, after failure: APIError
    ) async throws(APIError) -> Snapshot {
        var failure = failure
        do throws(APIError) {
            if let picture = try await session.call(CameraRoutes.preview, request) {
                return Snapshot(bytes: picture)
            }
        } catch {
            switch error.kind {
            case .notFound, .unsupported: break
            case .rejected:
                if !error.detail.isEmpty { failure.detail += "; \(error.detail)" }
            // The stream's failure no longer explains this one.
            default: throw error
            }
        }
        throw failure
    }

    /// The times of the last events by the ids of cameras, as far as the newest 100 events have them.
    private func lastEvents() async -> [String: Timestamp] {
        let query = EventQuery(filter: EventFilter(), limit: 100)
        let page = try? await session.call(EventRoutes.list, query)
        let times = (page?.rows ?? []).compactMap { row -> (String, Timestamp)? in
            guard let id = row.event.cameraID, let time = row.timestamp else { return nil }
            return (id, time)
        }
        return Dictionary(times, uniquingKeysWith: max)
    }

    private func health() async -> [String: CameraHealth]? {
        try? await session.call(CameraRoutes.health, ())
    }
}

extension Camera {
    /// The camera with its online state from the health route, which lists only started cameras.
    fileprivate func judged(by health: [String: CameraHealth]?) -> Camera {
        guard isOnline == nil, let health else { return self }
        var camera = self
        // `worker_alive` is true even for cameras that only try to connect.
        camera.isOnline =
            health[id].map { $0.status == "connected" } ?? (isEnabled == false ? false : nil)
        return camera
    }
}
