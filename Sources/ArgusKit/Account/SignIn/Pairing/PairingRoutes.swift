package import ArgusCore
package import ArgusTransport

/// The routes for pairing a device and for confirming one.
package enum PairingRoutes {
    private static let auth = "/api/v1/mobile/auth"

    /// Requests a code for this device, which a signed-in user confirms.
    package static let start = Operation<PairingDevice, PairingOffer>(
        "pairing.start", feature: "codes for a device that wants to pair",
        Route(.current, PairingOffer.init) { device in
            RouteRequest(.post, auth, "pair").withoutCredential.sending(device.write)
        })

    /// Returns the status of a code.
    ///
    /// The mobile API file has no such route: there the exchange is tried instead.
    package static let status = Operation<PairingCode, PairingStatus>(
        "pairing.status", feature: "the state of pairing codes",
        Route(.current, PairingStatus.init) { code in
            RouteRequest(.get, auth, "status", code.text.reveal()).withoutCredential
        })

    /// Exchanges a code that this device requested.
    package static let exchange = Operation<PairingClaim, PairingGrant>(
        "pairing.exchange", feature: "an exchange of pairing codes for tokens",
        routes: ownCodes)

    /// Exchanges a code that a dashboard shows.
    ///
    /// Only the dashboards of the design documents make codes that contain letters.
    package static func redeem(_ code: PairingCode) -> Operation<PairingClaim, PairingGrant> {
        Operation(
            "pairing.redeem", feature: "pairing with a code that a dashboard makes",
            routes: (code.isNumeric ? ownCodes : []) + [relay])
    }

    /// Lists the devices that wait for a confirmation.
    package static let pending = Operation<Void, ListedRows<PendingDevice>>(
        "pairing.pending", feature: "a list of the devices that want to pair",
        Route(.current, ResponseBody.rows("pairings", PendingDevice.init)) {
            RouteRequest(.get, auth, "pending")
        })

    /// Confirms the device with a code.
    package static let confirm = Operation<PairingCode, JSONView>(
        "pairing.confirm", feature: "confirming pairing codes",
        Route(.current) { code in
            RouteRequest(.post, auth, "confirm").sending {
                $0.member("code", code.text.reveal())
            }
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parseChange(answer)
            guard body["confirmed"]?.bool == true else {
                throw .malformed("the answer does not confirm the code", answer)
            }
            return body
        })

    /// Rejects the device with a code.
    package static let reject = Operation<PairingCode, Void>(
        "pairing.reject", feature: "rejecting pairing codes",
        Route(.current, ResponseBody.expectDone) { code in
            RouteRequest(.delete, auth, "pending", code.text.reveal())
        })

    /// Ends the refresh token of a paired device, which signing out does not.
    package static let revoke = Operation<Redacted<String>, Void>(
        "pairing.revoke", feature: "ending the tokens of a paired device",
        Route(.current, ResponseBody.expectDone) { token in
            RouteRequest(.post, auth, "revoke").sending {
                $0.member("refresh_token", token.reveal())
            }
        })

    /// Today's route and that of the mobile API file.
    private static let ownCodes = [
        claim(.current, auth + "/exchange"), claim(.mobile, auth + "/verify"),
    ]

    private static let relay = claim(.documented, "/api/v1/devices/pair")

    /// Makes a route; each server takes those members that it knows.
    private static func claim(
        _ generation: Generation, _ path: String
    ) -> Route<PairingClaim, PairingGrant> {
        Route(generation, PairingGrant.init) { claim in
            RouteRequest(.post, path).withoutCredential.sending { writer in
                writer.member("code", claim.code.text.reveal())
                writer.member("pairing_code", claim.code.text.reveal())
                claim.device.write(to: &writer)
            }
        }
    }
}

extension PairingDevice {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("device_id", hardwareID)
        writer.member("device_name", name)
        writer.member("device_model", model)
        writer.member("platform", platform.rawValue)
    }
}
