/// What a signed-in user can do with cameras.
package struct CameraService: Sendable {
    let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// Every camera with the server's own words for it.
    ///
    /// Where the list does not say which cameras are online, the health route is asked too.
    package func list() async throws(APIError) -> ListedRows<Camera> {
        let cameras = try await plainList()
        guard cameras.contains(where: { $0.value.isOnline == nil }) else { return cameras }
        let health = await health()
        return cameras.mapValues { $0.judged(by: health) }
    }

    /// Every camera by id and name, without asking who is online.
    package func plainList() async throws(APIError) -> ListedRows<Camera> {
        ListedRows(try await session.call(CameraRoutes.list, ()), read: Camera.init)
    }

    /// One camera with its details; the list's row where the server has no route for one.
    ///
    /// Health and stream are asked for by `extras` only.
    package func show(
        _ listed: Camera, _ view: JSONView, extras: Bool = true
    ) async throws(APIError) -> (detail: CameraDetail, view: JSONView) {
        async let health = extras ? health() : nil
        async let stream = extras ? stream(of: listed.id) : nil
        var camera = listed
        var view = view
        do throws(APIError) {
            view = try await session.call(CameraRoutes.show, listed.id)
            guard let shown = Camera(view) else {
                throw APIError(.malformedAnswer, "the answer is no camera")
            }
            camera = shown
        } catch {
            guard case .unsupported = error.kind else { throw error }
        }
        let cameras = await health
        camera = camera.judged(by: cameras)
        camera.lastEventAt = camera.lastEventAt ?? listed.lastEventAt
        let detail = CameraDetail(camera: camera, health: cameras?[camera.id], stream: await stream)
        return (detail, view)
    }

    /// A picture that the camera takes now, as the server sent it.
    ///
    /// - Throws: `APIError`; `.serverError` for a camera that is offline.
    package func snapshot(
        of id: String, quality: SnapshotQuality
    ) async throws(APIError) -> Snapshot {
        let request = SnapshotRequest(cameraID: id, quality: quality)
        do throws(APIError) {
            return try await session.call(CameraRoutes.snapshot, request)
        } catch  where error.status == nil && error.kind == .serverError {
            // A camera without a stream, such as a USB one, still has a preview.
            return try await preview(request, after: error)
        }
    }

    /// - Throws: what kept the preview back; where there is none to be had, what kept the stream's
    ///   picture back, with what the server says of the camera.
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
            // What the first route says of a stream is no reason any more.
            default: throw error
            }
        }
        throw failure
    }

    /// What the server tells of a camera's stream; nil where it tells nothing.
    private func stream(of id: String) async -> StreamInfo? {
        do throws(APIError) {
            return try await session.call(CameraRoutes.stream, id)
        } catch {
            return nil
        }
    }

    /// How the cameras do; nil where the server cannot tell.
    private func health() async -> [String: CameraHealth]? {
        do throws(APIError) {
            return try await session.call(CameraRoutes.health, ())
        } catch {
            return nil
        }
    }
}

extension Camera {
    /// The camera with what the health route says of it, where it does not say itself.
    ///
    /// The route knows only cameras that were started; one that is switched off is not online.
    fileprivate func judged(by health: [String: CameraHealth]?) -> Camera {
        guard isOnline == nil, let health else { return self }
        var camera = self
        camera.isOnline = health[id]?.isOnline ?? (isEnabled == false ? false : nil)
        return camera
    }
}
