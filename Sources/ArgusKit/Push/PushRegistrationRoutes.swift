/// The routes of native push tokens; only the documents' store more than the token.
enum PushRegistrationRoutes {
    private static let tokens = "/api/v1/push/mobile/tokens"
    private static let mobile = "/api/v1/mobile/push"
    /// Ends all registrations of the account.
    static let unregisterAllPath = "/api/v1/mobile/push/unregister"
    private static let devices = "/api/v1/devices"

    /// The input of a registration: a device with its token, and its present row on the server.
    struct RegisterInput: Sendable {
        var device: PushDevice
        var known: Device?
    }

    struct Answer: Sendable {
        var view: JSONView
        /// True if the server made a row; nil if it does not report that.
        var isNew: Bool?
        /// The generation of the route, which determines what the server stores beside the token.
        var generation: Generation

        fileprivate static func decoder(
            _ generation: Generation, isNew: String? = nil
        ) -> @Sendable (HTTPResponse) throws(APIError) -> Answer {
            { answer throws(APIError) in
                let view = try ResponseBody.parseChange(answer)
                return Answer(
                    view: view, isNew: isNew.flatMap { view[$0]?.bool }, generation: generation)
            }
        }
    }

    /// Registers a device, or replaces its token.
    static func register(_ service: PushService) -> Operation<RegisterInput, Answer> {
        Operation(
            "push.register", feature: "push tokens of \(service.name)",
            routes: [documented] + (service == .apns ? [api] : []) + [current])
    }

    private static let documented = Route<RegisterInput, Answer>(
        .documented, Answer.decoder(.documented, isNew: "preferences_created")
    ) { input in
        RouteRequest(.post, "/api/v1/push/mobile/register").sending(input.device.writeDocumented)
    }

    private static let api = Route<RegisterInput, Answer>(.mobile) { input in
        mobileRegistration(input.device.id, input.device.token)
    } decode: { answer throws(APIError) in
        Answer(
            view: try ResponseBody.parseChange(answer), isNew: answer.status == 201,
            generation: .mobile)
    }

    private static let current = Route<RegisterInput, Answer>(
        .current, Answer.decoder(.current, isNew: "is_new")
    ) { input in
        RouteRequest(.post, devices).sending {
            input.device.writeCurrent(to: &$0, knownAs: input.known)
        }
    }

    private static func mobileRegistration(_ deviceID: String, _ token: PushToken) -> RouteRequest {
        RouteRequest(.post, mobile + "/register").sending { writer in
            writer.member("device_token", token.text.reveal())
            writer.member("device_id", deviceID)
        }
    }

    /// The input of an update: a new token for a registered device.
    struct UpdateInput: Sendable {
        var deviceID: String
        /// The service; sent only for a device with both.
        var service: PushService?
        var token: PushToken
    }

    /// Replaces the token of a device.
    static func update(_ service: PushService) -> Operation<UpdateInput, Answer> {
        let documented = Route<UpdateInput, Answer>(.documented, Answer.decoder(.documented)) {
            input in
            RouteRequest(.put, tokens, input.deviceID).sending { writer in
                writer.member("device_token", input.token.text.reveal())
                if let service = input.service { writer.member("push_service", service.rawValue) }
            }
        }
        let mobile = Route<UpdateInput, Answer>(.mobile, Answer.decoder(.mobile)) { input in
            mobileRegistration(input.deviceID, input.token)
        }
        let current = Route<UpdateInput, Answer>(.current, Answer.decoder(.current)) { input in
            RouteRequest(.put, devices, input.deviceID, "token").sending {
                $0.member("push_token", input.token.text.reveal())
            }
        }
        return Operation(
            "push.update", feature: "push tokens of \(service.name)",
            routes: [documented] + (service == .apns ? [mobile] : []) + [current])
    }

    /// The input of a removal: a device to get no more native pushes.
    struct RemoveInput: Sendable {
        var deviceID: String
        /// The service; sent only for a device with both.
        var service: PushService?
        /// The id of its row on today's server.
        var rowID: String?
        /// Allows a route that names no device and ends all registrations of the account.
        var mayEndAll: Bool
    }

    /// Removes a token from the server.
    static func unregister(_ input: RemoveInput) -> Operation<RemoveInput, PushRegistrar.Ended> {
        func done(
            _ ended: PushRegistrar.Ended
        ) -> @Sendable (HTTPResponse) throws(APIError) -> PushRegistrar.Ended {
            { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
                return ended
            }
        }
        var routes = [
            Route<RemoveInput, PushRegistrar.Ended>(.documented, done(.registration)) { input in
                RouteRequest(
                    .delete, tokens, input.deviceID,
                    query: [("push_service", input.service?.rawValue)])
            }
        ]
        if input.mayEndAll {
            routes.append(
                Route(.mobile, done(.all)) { _ in RouteRequest(.delete, unregisterAllPath) })
        }
        if let rowID = input.rowID {
            routes.append(
                Route(.current, done(.token)) { _ in
                    // The row stays, since the device may be paired; an empty token counts as none.
                    RouteRequest(.put, devices, rowID).sending { $0.member("push_token", "") }
                })
        }
        return Operation(
            "push.unregister", feature: "removing the push token of such a device",
            routes: routes)
    }
}
