/// The routes of native push tokens.
///
/// The documents' routes come first: they keep all that a registration says, today's server keeps
/// the token in the device's row and no more.
enum PushRegistrationRoutes {
    private static let tokens = "/api/v1/push/mobile/tokens"
    private static let mobile = "/api/v1/mobile/push"
    /// Ends all registrations of the account.
    static let endingAll = "/api/v1/mobile/push/unregister"
    private static let devices = "/api/v1/devices"

    /// A device with its token, and the row that the server has of it already.
    struct Registering: Sendable {
        var device: PushDevice
        var known: Device?
    }

    /// What a server says to a registration.
    struct Answer: Sendable {
        var view: JSONView
        /// Whether it made a row; nil when it does not say.
        var isNew: Bool?
        /// Whose route it was, and so what the server keeps beside the token.
        var generation: Generation
    }

    /// Registers a device, or puts a token in the place of the one that the server has.
    static func register(_ service: PushService) -> Operation<Registering, Answer> {
        Operation(
            "push.register", purpose: "push tokens of \(service.name)",
            routes: [documented] + (service == .apns ? [api] : []) + [current])
    }

    private static let documented = Route<Registering, Answer>(.documented) { input in
        var request = RouteRequest(.post, "/api/v1/push/mobile/register")
        request.body = input.device.documentedJSON
        return request
    } decode: { answer throws(APIError) in
        let view = try ResponseBody.parseChange(answer)
        return Answer(view: view, isNew: view["preferences_created"]?.bool, generation: .documented)
    }

    private static let api = Route<Registering, Answer>(.mobile) { input in
        var request = RouteRequest(.post, mobile + "/register")
        request.body = JSONWriter.object { writer in
            writer.member("device_token", input.device.token.text.reveal())
            writer.member("device_id", input.device.id)
        }
        return request
    } decode: { answer throws(APIError) in
        Answer(
            view: try ResponseBody.parseChange(answer), isNew: answer.status == 201,
            generation: .mobile)
    }

    private static let current = Route<Registering, Answer>(.current) { input in
        var request = RouteRequest(.post, devices)
        request.body = input.device.currentJSON(knownAs: input.known)
        return request
    } decode: { answer throws(APIError) in
        let view = try ResponseBody.parseChange(answer)
        return Answer(view: view, isNew: view["is_new"]?.bool, generation: .current)
    }

    /// Another token for a device that is registered.
    struct Updating: Sendable {
        var deviceID: String
        /// Said only where a device has both.
        var service: PushService?
        var token: PushToken
    }

    /// Puts a token in the place of the one that the server has.
    static func update(_ service: PushService) -> Operation<Updating, Answer> {
        var routes = [
            Route<Updating, Answer>(.documented) { input in
                var request = RouteRequest(.put, tokens, input.deviceID)
                request.body = JSONWriter.object { writer in
                    writer.member("device_token", input.token.text.reveal())
                    if let service = input.service {
                        writer.member("push_service", service.rawValue)
                    }
                }
                return request
            } decode: { answer throws(APIError) in
                try Answer(updating: answer, .documented)
            }
        ]
        if service == .apns {
            routes.append(
                Route(.mobile) { input in
                    var request = RouteRequest(.post, mobile + "/register")
                    request.body = JSONWriter.object { writer in
                        writer.member("device_token", input.token.text.reveal())
                        writer.member("device_id", input.deviceID)
                    }
                    return request
                } decode: { answer throws(APIError) in
                    try Answer(updating: answer, .mobile)
                })
        }
        routes.append(
            Route(.current) { input in
                var request = RouteRequest(.put, devices, input.deviceID, "token")
                request.body = JSONWriter.object {
                    $0.member("push_token", input.token.text.reveal())
                }
                return request
            } decode: { answer throws(APIError) in
                try Answer(updating: answer, .current)
            })
        return Operation(
            "push.update", purpose: "push tokens of \(service.name)", routes: routes)
    }

    /// A device that is to get no more native pushes.
    struct Removing: Sendable {
        var deviceID: String
        /// Said only where a device has both.
        var service: PushService?
        /// The row that today's server has of it.
        var rowID: String?
        /// Whether a route may be used that names no device and ends all of the account.
        var mayEndAll: Bool
    }

    /// Takes a token away from the server.
    static func unregister(_ input: Removing) -> Operation<Removing, PushRegistrar.Ended> {
        var routes = [
            Route<Removing, PushRegistrar.Ended>(.documented) { input in
                var request = RouteRequest(.delete, tokens, input.deviceID)
                if let service = input.service {
                    request.query = [("push_service", service.rawValue)]
                }
                return request
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
                return .registration
            }
        ]
        if input.mayEndAll {
            routes.append(
                Route(.mobile) { _ in
                    RouteRequest(.delete, endingAll)
                } decode: { answer throws(APIError) in
                    try ResponseBody.expectDone(answer)
                    return .all
                })
        }
        if let rowID = input.rowID {
            routes.append(
                Route(.current) { _ in
                    // The row stays, for it may be paired; an empty token is none.
                    var request = RouteRequest(.put, devices, rowID)
                    request.body = JSONWriter.object { $0.member("push_token", "") }
                    return request
                } decode: { answer throws(APIError) in
                    try ResponseBody.expectDone(answer)
                    return .token
                })
        }
        return Operation(
            "push.unregister", purpose: "taking back the push token of such a device",
            routes: routes)
    }
}

extension PushRegistrationRoutes.Answer {
    fileprivate init(
        updating answer: HTTPResponse, _ generation: Generation
    ) throws(APIError) {
        view = try ResponseBody.parseChange(answer)
        self.generation = generation
    }
}
