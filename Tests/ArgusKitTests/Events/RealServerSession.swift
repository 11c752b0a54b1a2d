import ArgusKit
import ArgusTestSupport

extension FakeTransport {
    /// A session with this transport at the other end, signed in with a token.
    var session: Session {
        let origin = Origin(scheme: .https, host: "home.example", port: 443)
        return Session(
            client: APIClient(
                transport: self, address: ServerAddress(origin),
                proof: ServerProof(.publicCertificate(authorities: nil)), userAgent: "test"),
            authorization: .bearer(Redacted("token")))
    }
}
