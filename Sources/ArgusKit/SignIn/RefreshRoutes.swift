/// The content of a renewal request.
package struct RefreshRequest: Sendable {
    package var refreshToken: Redacted<String>
    /// The access token to replace, expired or not.
    package var accessToken: Redacted<String>
    /// The row id of the device, never its hardware id (backend-facts 3).
    package var deviceRowID: String?

    package init(
        refreshToken: Redacted<String>, accessToken: Redacted<String>, deviceRowID: String? = nil
    ) {
        self.refreshToken = refreshToken
        self.accessToken = accessToken
        self.deviceRowID = deviceRowID
    }

    fileprivate func body(withDevice: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("refresh_token", refreshToken.reveal())
        if withDevice, let deviceRowID { writer.member("device_id", deviceRowID) }
        writer.endObject()
        return writer.bytes
    }
}

/// The routes that renew an access token; none uses the client's credentials.
package enum RefreshRoutes {
    /// Renews the tokens of a sign-in with a password.
    package static let web = Operation<RefreshRequest, TokenGrant>(
        "auth.refresh", purpose: "a renewal of access tokens",
        routes: [
            Route(.current) { refresh in
                post("/api/v1/auth/refresh", refresh.body(withDevice: false))
            } decode: { answer throws(APIError) in
                try grant(answer)
            },
            headerForm,
        ])

    /// Renews the tokens of a paired device.
    package static let mobile = Operation<RefreshRequest, TokenGrant>(
        "auth.refresh-mobile", purpose: "a renewal of a device's access token",
        routes: [
            Route(.current) { refresh in
                post("/api/v1/mobile/auth/refresh", refresh.body(withDevice: true))
            } decode: { answer throws(APIError) in
                try grant(answer)
            },
            headerForm,
        ])

    /// The documents' form: the old access token, and the refresh token in a header field.
    private static let headerForm = Route<RefreshRequest, TokenGrant>(.documented) { refresh in
        var request = post("/api/v1/auth/refresh", nil)
        request.headers = [
            HTTPHeader(
                "Authorization", secret: Redacted("Bearer " + refresh.accessToken.reveal())),
            HTTPHeader("X-Refresh-Token", secret: refresh.refreshToken),
        ]
        return request
    } decode: { answer throws(APIError) in
        try grant(answer)
    }

    private static func post(_ path: String, _ body: [UInt8]?) -> RouteRequest {
        var request = RouteRequest(.post, path)
        request.body = body
        request.isPublic = true
        return request
    }

    private static func grant(_ answer: HTTPResponse) throws(APIError) -> TokenGrant {
        try TokenGrant(answer, try ResponseBody.parseIfAny(answer), of: "renewal")
    }
}
