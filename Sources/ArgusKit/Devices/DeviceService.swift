/// What a signed-in user can do with devices.
package struct DeviceService: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// Every device with the server's own words for it.
    package func list() async throws(APIError) -> ListedRows<Device> {
        ListedRows(try await session.call(DeviceRoutes.list, ()), read: Device.init)
    }

    /// Gives a device another name, and returns it as the server has it then.
    package func rename(
        _ device: Device, to name: String
    ) async throws(APIError) -> (device: Device, view: JSONView) {
        let view = try await withEitherID([device.id, device.hardwareID]) {
            (id) throws(APIError) in
            try await session.call(DeviceRoutes.rename, DeviceChange(id: id, value: name))
        }
        var renamed = Device(view) ?? device
        renamed.name = view["name"]?.string ?? name
        return (renamed, view)
    }

    /// Changes the quiet hours that were named, and returns the device as the server has it then.
    ///
    /// - Throws: `APIError`; `.unsupported` where the server keeps none for each device.
    package func setQuietHours(
        of device: Device, to hours: DeviceQuietHours
    ) async throws(APIError) -> (device: Device, view: JSONView) {
        let view = try await withEitherID([device.hardwareID, device.id]) {
            (id) throws(APIError) in
            let change = DeviceChange(id: id, value: hours)
            return try await session.call(DeviceRoutes.setQuietHours, change)
        }
        return (Device(view) ?? device, view)
    }

    /// Ends a device's access, after which it can renew its tokens no longer.
    ///
    /// One that is gone already is no failure.
    package func revoke(_ device: Device) async throws(APIError) {
        do throws(APIError) {
            try await withEitherID([device.hardwareID, device.id]) { (id) throws(APIError) in
                try await session.call(DeviceRoutes.revoke, id)
            }
        } catch  where error.kind == .notFound {
            return
        }
    }

    /// Calls a route with the id that it most likely wants, and after a 404 with the other one:
    /// the documents do not say which they mean.
    ///
    /// - Throws: `.unsupported` for an id with a slash, which no server finds in a path.
    private func withEitherID<Value>(
        _ ids: [String?], _ work: (String) async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        let ids = ids.compactMap { $0 }
        var missing: APIError?
        for id in ids where !id.contains("/") {
            do throws(APIError) {
                return try await work(id)
            } catch  where error.kind == .notFound {
                missing = missing ?? error
            }
        }
        if ids.contains(where: { $0.contains("/") }) {
            throw APIError(.unsupported("a route for a device whose own id has a '/' in it"))
        }
        throw missing ?? APIError(.notFound, "Device not found", status: 404)
    }
}
