package import ArgusCore
package import ArgusTransport

/// The content of a renewal request.
package struct RefreshRequest: Sendable {
    package var refreshToken: Redacted<String>
    /// The access token to replace, expired or not.
    package var accessToken: Redacted<String>
    /// The row id of the device, never its hardware id (docs/compatibility.md, trap 4).
    package var deviceRowID: String?
}

/// The routes that renew an access token; none uses the client's credentials.
package enum RefreshRoutes {
    /// Renews the tokens of a sign-in with a password.
    package static let web = Operation<RefreshRequest, TokenGrant>(
        "auth.refresh", feature: "a renewal of access tokens",
        Route(.current, grant) { refresh in
            post("/api/v1/auth/refresh").sending {
                $0.member("refresh_token", refresh.refreshToken.reveal())
            }
        }, headerForm)

    /// Renews the tokens of a paired device.
    package static let mobile = Operation<RefreshRequest, TokenGrant>(
        "auth.refresh-mobile", feature: "a renewal of a device's access token",
        Route(.current, grant) { refresh in
            post("/api/v1/mobile/auth/refresh").sending { writer in
                writer.member("refresh_token", refresh.refreshToken.reveal())
                if let device = refresh.deviceRowID { writer.member("device_id", device) }
            }
        }, headerForm)

    /// The documents' form: the old access token, and the refresh token in a header field.
    private static let headerForm = Route(.documented, grant) { (refresh: RefreshRequest) in
        post("/api/v1/auth/refresh").with {
            $0.headers = [
                HTTPHeader(
                    "Authorization", secret: Redacted("Bearer " + refresh.accessToken.reveal())),
                HTTPHeader("X-Refresh-Token", secret: refresh.refreshToken),
            ]
        }
    }

    private static func post(_ path: String) -> RouteRequest {
        RouteRequest(.post, path).withoutCredential
    }

    private static func grant(_ answer: HTTPResponse) throws(APIError) -> TokenGrant {
        try TokenGrant(answer, try ResponseBody.parseIfAny(answer), of: "renewal")
    }
}
