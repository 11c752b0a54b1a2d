/// The routes of devices; each wants one of a device's two ids (backend-facts 7).
package enum DeviceRoutes {
    private static let devices = "/api/v1/devices"

    /// Every device of the user, as the server wrote it.
    package static let list = Operation<Void, [JSONView]>(
        "devices.list", purpose: "a list of devices",
        routes: [
            Route(.current) { _ in
                RouteRequest(.get, devices)
            } decode: { answer throws(APIError) in
                let body = try ResponseBody.parse(answer)
                guard let list = body.kind == .array ? body : body["devices"] ?? body["data"],
                    list.kind == .array
                else { throw .malformed("the list of devices has no devices", answer) }
                return Array(list.elements)
            }
        ])

    /// Gives a device another name; both routes take the id of the row.
    package static let rename = Operation<DeviceChange<String>, JSONView>(
        "devices.rename", purpose: "renaming devices",
        routes: [
            Route(.current) { change in
                var request = RouteRequest(.put, devices, change.id)
                request.body = JSONWriter.object { $0.member("name", change.value) }
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parseChange(answer)
            },
            Route(.documented) { change in
                var request = RouteRequest(.put, devices, change.id, "rename")
                request.body = JSONWriter.object { $0.member("name", change.value) }
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parseChange(answer)
            },
        ])

    /// Changes the quiet hours that were named; takes the device's own id.
    package static let setQuietHours = Operation<DeviceChange<DeviceQuietHours>, JSONView>(
        "devices.preferences", purpose: "quiet hours for each device",
        routes: [
            Route(.current) { change in
                var request = RouteRequest(.put, devices, change.id, "preferences")
                request.body = change.value.json
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.parseChange(answer)
            }
        ])

    /// Ends a device's access; today's servers take the device's own id.
    package static let revoke = Operation<String, Void>(
        "devices.revoke", purpose: "revoking devices",
        routes: [
            Route(.current) { id in
                RouteRequest(.delete, devices, id)
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
            }
        ])
}

/// What is to become of the device with an id.
package struct DeviceChange<Value: Sendable>: Sendable {
    package var id: String
    package var value: Value
}
