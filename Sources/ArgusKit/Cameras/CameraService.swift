/// What a signed-in user can do with cameras.
package struct CameraService: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// Every camera with the server's own words for it.
    ///
    /// Where the list does not say which cameras are online, the health route is asked too.
    package func list() async throws(APIError) -> [(camera: Camera, view: JSONView)] {
        let cameras = try await plainList()
        guard cameras.contains(where: { $0.camera.isOnline == nil }) else { return cameras }
        let online = await health()
        return cameras.map { camera, view in
            var camera = camera
            camera.isOnline = camera.isOnline ?? online[camera.id]
            return (camera, view)
        }
    }

    /// Every camera by id and name, without asking who is online.
    package func plainList() async throws(APIError) -> [(camera: Camera, view: JSONView)] {
        try await session.call(CameraRoutes.list, ()).compactMap { view in
            Camera(view).map { ($0, view) }
        }
    }

    /// One camera with its details; the list's row where the server has no route for one.
    package func show(
        _ listed: Camera, _ view: JSONView
    ) async throws(APIError) -> (camera: Camera, view: JSONView) {
        var camera = listed
        var view = view
        do throws(APIError) {
            view = try await session.call(CameraRoutes.show, listed.id)
            camera = Camera(view) ?? listed
        } catch {
            guard case .unsupported = error.kind else { throw error }
        }
        if camera.isOnline == nil { camera.isOnline = await health()[camera.id] }
        camera.lastEventAt = camera.lastEventAt ?? listed.lastEventAt
        return (camera, view)
    }

    /// A picture that the camera takes now, as the server sent it.
    ///
    /// - Throws: `APIError`; `.serverError` for a camera that is offline.
    package func snapshot(
        of id: String, quality: SnapshotQuality
    ) async throws(APIError) -> [UInt8] {
        let request = SnapshotRequest(cameraID: id, quality: quality)
        do throws(APIError) {
            return try await session.call(CameraRoutes.snapshot, request)
        } catch  where error.status == nil && error.kind == .serverError {
            // A camera without a stream, such as a USB one, still has a preview.
            guard let picture = await preview(request) else { throw error }
            return picture
        }
    }

    private func preview(_ request: SnapshotRequest) async -> [UInt8]? {
        do throws(APIError) {
            let picture = try await session.call(CameraRoutes.preview, request)
            return picture.isEmpty ? nil : picture
        } catch {
            return nil
        }
    }

    /// Which cameras are online; empty where the server cannot tell.
    private func health() async -> [String: Bool] {
        do throws(APIError) {
            return try await session.call(CameraRoutes.health, ())
        } catch {
            return [:]
        }
    }
}
