package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// The routes of devices; each takes one of a device's two ids (docs/compatibility.md, trap 4).
package enum DeviceRoutes {
    private static let devices = "/api/v1/devices"

    /// Lists every device of the user.
    package static let list = Operation<Void, ListedRows<Device>>(
        "devices.list", feature: "a list of devices",
        Route(.current, ResponseBody.rows("devices", Device.init)) { RouteRequest(.get, devices) })

    /// Renames a device; both routes take the id of the row.
    package static let rename = Operation<DeviceChange<String>, JSONView>(
        "devices.rename", feature: "renaming devices",
        Route(.current, ResponseBody.parseChange) { change in
            RouteRequest(.put, devices, change.id).sending { $0.member("name", change.value) }
        },
        Route(.documented, ResponseBody.parseChange) { change in
            RouteRequest(.put, devices, change.id, "rename").sending {
                $0.member("name", change.value)
            }
        })

    /// Changes the quiet hours that are set; takes the device's own id.
    package static let setQuietHours = Operation<DeviceChange<DeviceQuietHours>, JSONView>(
        "devices.preferences", feature: "quiet hours for each device",
        Route(.current, ResponseBody.parseChange) { change in
            RouteRequest(.put, devices, change.id, "preferences").sending(change.value.write)
        })

    /// Revokes a device; today's servers take the device's own id.
    package static let revoke = Operation<String, Void>(
        "devices.revoke", feature: "revoking devices",
        Route(.current, ResponseBody.expectDone) { RouteRequest(.delete, devices, $0) })
}

/// A device id and the new value of one of its properties.
package typealias DeviceChange<Value> = (id: String, value: Value)

/// Lists and changes the devices of the signed-in user.
package struct DeviceService: Sendable {
    private let session: Session

    package init(session: Session) { self.session = session }

    /// Lists every device with the server's own object.
    package func list() async throws(APIError) -> ListedRows<Device> {
        try await session.call(DeviceRoutes.list, ())
    }

    /// Renames a device and returns it as stored by the server.
    package func rename(
        _ device: Device, to name: String
    ) async throws(APIError) -> (device: Device, view: JSONView) {
        let view = try await withEitherID([device.id, device.hardwareID]) {
            (id) throws(APIError) in
            try await session.call(DeviceRoutes.rename, (id, name))
        }
        var renamed = Device(view) ?? device
        renamed.name = view["name"]?.string ?? name
        return (renamed, view)
    }

    /// Changes the quiet hours that are set and returns the device as stored by the server.
    /// - Throws: `APIError`; `.unsupported` if the server stores none for each device.
    package func setQuietHours(
        of device: Device, to hours: DeviceQuietHours
    ) async throws(APIError) -> (device: Device, view: JSONView) {
        let view = try await withEitherID([device.hardwareID, device.id]) {
            (id) throws(APIError) in
            try await session.call(DeviceRoutes.setQuietHours, (id, hours))
        }
        return (Device(view) ?? device, view)
    }

    /// Revokes a device, which can then no longer renew its tokens; succeeds if it is absent.
    /// - Throws: `APIError`.
    package func revoke(_ device: Device) async throws(APIError) {
        do throws(APIError) {
            try await withEitherID([device.hardwareID, device.id]) { (id) throws(APIError) in
                try await session.call(DeviceRoutes.revoke, id)
            }
        } catch  where error.kind == .notFound {}
    }

    /// Calls a route with the id that it most likely takes and, after a 404, with the other one.
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
