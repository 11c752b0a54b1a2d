import ArgusCore
package import ArgusTransport

/// A server that gets requests without credentials, for example before a sign-in.
package struct UnverifiedServer: Sendable {
    package var name: String
    package var client: APIClient
    /// The record that the user named, whatever its account.
    package var record: ServerRecord?
    /// True if the user chose the name.
    package var isNameGiven = false
    /// True if a record already has the address, so that its proof applies.
    package var isKnown = false
    /// The endpoint for the record.
    package var endpoint: Endpoint
    /// The transport that selects the endpoint of a known server.
    package var endpoints: FailoverTransport?
    /// The permission for plain http.
    package var allowance: PlainHTTPAllowance?

    /// The name in messages before it is final: the host as typed, if a free name only resembles it.
    package var title: String {
        let host = client.address.origin.host
        let isName = host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ":") }
        return isNameGiven || isKnown || isName ? name : host
    }
}
