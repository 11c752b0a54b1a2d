import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// The routes of a pairing whose code is that of the samples.
enum PairingScript {
    static let start = "/api/v1/mobile/auth/pair"
    static let status = "/api/v1/mobile/auth/status/376529"
    static let exchange = "/api/v1/mobile/auth/exchange"
}

extension TestSystem {
    /// A code, and what the server says of it one time after another.
    func stubPairing(_ states: String...) throws {
        fake.stub(.post, PairingScript.start, body: try Samples.text("mobile-pair"))
        for state in states {
            fake.stub(.get, PairingScript.status, body: try Samples.text("mobile-status-\(state)"))
        }
    }

    /// An exchange whose token names a user: `{"sub":"u1","username":"ann"}`.
    func stubPairingExchange() {
        fake.stub(
            .post, PairingScript.exchange,
            body: #"{"access_token":"e30.eyJzdWIiOiJ1MSIsInVzZXJuYW1lIjoiYW5uIn0.x","#
                + #""refresh_token":"r","expires_in":900,"device_id":"row-1"}"#)
    }
}
