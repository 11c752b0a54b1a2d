/// A server to which requests go without credentials, such as before a sign-in.
package struct UnverifiedServer: Sendable {
    package var name: String
    package var client: APIClient
    /// The record that was named, whatever account it has had.
    package var record: ServerRecord?
    /// Whether the user chose the name.
    package var isNameGiven: Bool
    /// Whether a record has the address already, so that its proof stands.
    package var isKnown: Bool
    /// The endpoint as a record would keep it.
    package var endpoint: Endpoint
    /// The transport that selects the endpoint of a known server.
    package var endpoints: FailoverTransport?
    /// The permission of plain http that goes with it.
    package var allowance: PlainHTTPAllowance?

    package init(
        name: String, client: APIClient, record: ServerRecord? = nil, isNameGiven: Bool = false,
        isKnown: Bool = false, endpoint: Endpoint, endpoints: FailoverTransport? = nil,
        allowance: PlainHTTPAllowance? = nil
    ) {
        self.name = name
        self.client = client
        self.record = record
        self.isNameGiven = isNameGiven
        self.isKnown = isKnown
        self.endpoint = endpoint
        self.endpoints = endpoints
        self.allowance = allowance
    }

    /// The name in messages before it is settled: the host as it was typed, where a free name for it
    /// would only resemble it.
    package var title: String {
        let host = client.address.origin.host
        let namesItself = host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ":") }
        return isNameGiven || isKnown || namesItself ? name : host
    }
}
