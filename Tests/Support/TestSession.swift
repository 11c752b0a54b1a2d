package import ArgusAccount
import ArgusCore
package import ArgusTransport

extension APIClient {
    /// A client of `https://home.example` above a transport of the test.
    package static func test(
        _ transport: any Transport, _ authorization: Authorization = .none,
        knowledge: [String: String] = [:]
    ) -> APIClient {
        APIClient(
            transport: transport,
            address: ServerAddress(Origin(scheme: .https, host: "home.example", port: 443)),
            proof: ServerProof(.publicCertificate(authorities: nil)),
            authorization: authorization, knowledge: RouteKnowledge(knowledge),
            userAgent: "argus/test")
    }
}

extension Session {
    /// A session with an access token, above a transport of the test.
    package static func test(
        _ transport: any Transport, knowledge: [String: String] = [:]
    ) -> Session {
        Session(
            client: .test(transport, knowledge: knowledge),
            authorization: .bearer(Redacted("token-1")))
    }

    /// A session with an API key, above a transport of the test.
    package static func testWithKey(_ transport: any Transport) -> Session {
        Session(client: .test(transport), authorization: .apiKey(Redacted("key-1")))
    }
}
