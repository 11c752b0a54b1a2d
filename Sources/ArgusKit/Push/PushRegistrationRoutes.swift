import ArgusCore
import ArgusEvents
import ArgusTransport

/// The routes of native push tokens; only the documents' store more than the token.
enum PushRegistrationRoutes {
    private static let tokens = "/api/v1/push/mobile/tokens"
    private static let mobile = "/api/v1/mobile/push"
    static let unregisterAllPath = "/api/v1/mobile/push/unregister"
    private static let devices = "/api/v1/devices"

    struct Answer: Sendable {
        var view: JSONView
        /// True if the server made a row; nil if it does not report that.
        var isNew: Bool?
        var generation: Generation
    }

    /// Registers a device, which has the row `known` on the server, or replaces its token.
    static func register(_ device: PushDevice, known: Device?) -> Operation<Void, Answer> {
        withTokens(
            "push.register", of: device.service,
            documented: route(.documented, isNew: "preferences_created") {
                RouteRequest(.post, "/api/v1/push/mobile/register").sending(device.writeDocumented)
            },
            mobile: Route(.mobile) {
                mobileRegistration(device.id, device.token)
            } decode: { answer throws(APIError) in
                Answer(
                    view: try ResponseBody.parseChange(answer), isNew: answer.status == 201,
                    generation: .mobile)
            },
            current: route(.current, isNew: "is_new") {
                RouteRequest(.post, devices).sending {
                    device.writeCurrent(to: &$0, knownAs: known)
                }
            })
    }

    /// Replaces the token of a device; `namesService` also sends the service, for a device with both.
    static func update(
        _ deviceID: String, _ service: PushService, namesService: Bool, token: PushToken
    ) -> Operation<Void, Answer> {
        withTokens(
            "push.update", of: service,
            documented: route(.documented) {
                RouteRequest(.put, tokens, deviceID).sending { writer in
                    writer.member("device_token", token.text.reveal())
                    if namesService { writer.member("push_service", service.rawValue) }
                }
            },
            mobile: route(.mobile) { mobileRegistration(deviceID, token) },
            current: route(.current) {
                RouteRequest(.put, devices, deviceID, "token").sending {
                    $0.member("push_token", token.text.reveal())
                }
            })
    }

    /// The operation with the routes that take tokens of a service; `mobile` takes those of APNs only.
    private static func withTokens(
        _ name: String, of service: PushService, documented: Route<Void, Answer>,
        mobile: Route<Void, Answer>, current: Route<Void, Answer>
    ) -> Operation<Void, Answer> {
        Operation(
            name, feature: "push tokens of \(service.name)",
            routes: service == .apns ? [documented, mobile, current] : [documented, current])
    }

    private static func route(
        _ generation: Generation, isNew: String? = nil,
        request: @escaping @Sendable () -> RouteRequest
    ) -> Route<Void, Answer> {
        Route(generation) {
            request()
        } decode: { answer throws(APIError) in
            let view = try ResponseBody.parseChange(answer)
            return Answer(
                view: view, isNew: isNew.flatMap { view[$0]?.bool }, generation: generation)
        }
    }

    private static func mobileRegistration(_ deviceID: String, _ token: PushToken) -> RouteRequest {
        RouteRequest(.post, mobile + "/register").sending { writer in
            writer.member("device_token", token.text.reveal())
            writer.member("device_id", deviceID)
        }
    }

    /// Removes the token of a device from the server; the service is sent for a device with both.
    ///
    /// `rowID` is the id of its row on today's server; `mayEndAll` allows a route that names no device and
    /// ends all registrations of the account.
    static func unregister(
        _ deviceID: String, _ service: PushService?, rowID: String?, mayEndAll: Bool
    ) -> Operation<Void, PushRegistrar.Ended> {
        func route(
            _ generation: Generation, ends ended: PushRegistrar.Ended,
            request: @escaping @Sendable () -> RouteRequest
        ) -> Route<Void, PushRegistrar.Ended> {
            Route(generation) {
                request()
            } decode: { answer throws(APIError) in
                try ResponseBody.expectDone(answer)
                return ended
            }
        }
        var routes = [
            route(.documented, ends: .registration) {
                RouteRequest(
                    .delete, tokens, deviceID, query: [("push_service", service?.rawValue)])
            }
        ]
        if mayEndAll {
            routes.append(
                route(.mobile, ends: .all) { RouteRequest(.delete, unregisterAllPath) })
        }
        if let rowID {
            routes.append(
                route(.current, ends: .token) {
                    // The row stays, since the device may be paired; an empty token counts as none.
                    RouteRequest(.put, devices, rowID).sending { $0.member("push_token", "") }
                })
        }
        return Operation(
            "push.unregister", feature: "removing the push token of such a device",
            routes: routes)
    }
}
