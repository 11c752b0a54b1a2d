import ArgusKit

/// The fields of a server that this user knows.
enum ServerView {
    static let fields: [Field<ServerRow>] = [
        Field("name", "what the server is called here") { .text($0.record.name) },
        Field("url", "its first address") { FieldValue($0.record.endpoints.first?.address) },
        Field("username", "who is signed in") { FieldValue($0.record.account?.username) },
        Field("sign_in", "password, pairing, token or api_key; null when signed out") {
            FieldValue($0.record.account?.kind.rawValue)
        },
        Field("default", "whether it is used when none is named") { .bool($0.isDefault) },
        Field("id", "its id here", isColumn: false) { .text($0.record.id.text) },
        Field("added_at", "when it was added", isColumn: false) { .time($0.record.addedAt) },
        Field("urls", "all its addresses, the local ones first", isColumn: false) {
            FieldValue($0.record.endpoints.map(\.address))
        },
    ]

    static let detailFields: [Field<ServerDetail>] =
        fields.map { field in
            Field(field.name, field.summary) { field.value($0.row) }
        } + [
            Field("ways", "the addresses by which it is reached, with what each must prove") {
                .list(
                    $0.row.record.endpoints.map { endpoint in
                        .object([
                            .init("via", .text(endpoint.kind.rawValue)),
                            .init("url", .text(endpoint.address)),
                            .init("proof", .text(endpoint.proof.text)),
                            .init("fingerprint", FieldValue(endpoint.fingerprint?.hex)),
                            .init("cacert", FieldValue(endpoint.authorities)),
                            .init("cert", FieldValue(endpoint.certificate)),
                            .init("key", FieldValue(endpoint.key)),
                        ])
                    })
            },
            Field("credential_store", "where its secrets are kept") {
                .text($0.row.record.credentialStore.text)
            },
            Field("way", "the way in use here: its kind, URL, and where it leads when it was found")
            {
                $0.endpoint.map(endpoint) ?? .null
            },
            Field("way_proved_at", "when the way in use, remembered for this network, was proved") {
                FieldValue($0.endpointProvedAt)
            },
            Field("way_steps", "how the way was chosen now: what was tried, how long it took") {
                FieldValue($0.endpointReport?.lines ?? [])
            },
            Field("insecure_http", "where plain http was allowed") {
                .list($0.row.record.plainHTTPAllowances.map(allowance))
            },
            Field("reachable", "whether it answers now") { .bool($0.isReachable) },
            Field("problem", "why it does not answer, or not all of it") { FieldValue($0.problem) },
            Field("status", "what it says of its health") { FieldValue($0.health?.status) },
            Field("version", "its version") { FieldValue($0.version) },
            Field("setup_complete", "whether its first account has been made") {
                FieldValue($0.isSetUp)
            },
            Field("api", "the generation of its API, for each operation used so far") {
                .object(
                    $0.row.record.knowledge.generations.sorted { $0.key < $1.key }.map {
                        .init($0.key, .text($0.value))
                    })
            },
        ]

    private static func endpoint(_ target: EndpointTarget) -> FieldValue {
        .object([
            .init("via", .text(target.kind.rawValue)),
            .init("url", .text(target.address.description)),
            .init("address", FieldValue(target.proof.socketAddress?.address)),
            .init("port", FieldValue(target.proof.socketAddress.map { Int($0.port) })),
        ])
    }

    private static func allowance(_ allowance: PlainHTTPAllowance) -> FieldValue {
        .object([
            .init("url", .text(allowance.origin.description)),
            .init("gateway_mac", FieldValue(allowance.gatewayMAC)),
        ])
    }
}

/// A server in the list of those known.
struct ServerRow: Sendable {
    var record: ServerRecord
    var isDefault: Bool
}

/// A server with its own current information.
struct ServerDetail: Sendable {
    var row: ServerRow
    var isReachable: Bool
    /// The reason why it does not answer, or its first failure.
    var problem: String?
    var health: ServerHealth?
    var version: String?
    var isSetUp: Bool?
    /// The endpoint in use.
    var endpoint: EndpointTarget?
    /// The time of its last proof, if it was remembered.
    var endpointProvedAt: Timestamp?
    /// The report of its selection, if it was not remembered.
    var endpointReport: EndpointReport?
}
