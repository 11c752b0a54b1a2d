import ArgusKit

/// The fields of a known server.
enum ServerView {
    static let fields: [Field<ServerRow>] = [
        .column("name", "the server's name here") { $0.record.name },
        .column("url", "its first address") { $0.record.endpoints.first?.address }.shrinking(
            0, to: 16),
        .column("username", "who is signed in") { $0.record.account?.username },
        .column("sign_in", "password, pairing, token or api_key; null when signed out") {
            $0.record.account?.kind.rawValue
        },
        .column("default", "whether it is the default server") { $0.isDefault },
        .hidden("id", "its id here") { $0.record.id.text }.shortened,
        .hidden("added_at", "when it was added") { $0.record.addedAt },
        .hidden("urls", "all its addresses, the local ones first") {
            $0.record.endpoints.map(\.address)
        },
    ]

    static let detailFields: [Field<ServerDetail>] =
        fields.reading(asColumns: true) { $0.row } + own

    private static let own: [Field<ServerDetail>] = [
        Field("ways", "its addresses, and the proof that each one needs") {
            FieldValue.list(
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
        .column("credential_store", "where its secrets are stored") {
            $0.row.record.credentialStore.text
        },
        Field(
            "way",
            "the address in use: its kind, URL, and target when it was found"
        ) {
            $0.endpoint.map(endpoint) ?? FieldValue.null
        },
        .column(
            "way_proved_at", "when the address in use, remembered for this network, was proved"
        ) {
            $0.endpointProvedAt
        },
        .column("way_steps", "how the address was chosen: what was tried, how long it took") {
            $0.endpointReport?.lines ?? []
        },
        Field("insecure_http", "where plain http was allowed") {
            FieldValue.list($0.row.record.plainHTTPAllowances.map(allowance))
        },
        .column("reachable", "whether it answers now") { $0.isReachable }.coloringNo(.red),
        .column("problem", "why it does not answer, or only in part") { $0.problem }.colored { _ in
            .red
        },
        .column("status", "its health, as it reports") { $0.health?.status }.withStateColors,
        .column("version", "its version") { $0.version },
        .column("setup_complete", "whether its first account has been made") { $0.isSetUp },
        Field("api", "the generation of its API, for each operation so far") {
            FieldValue.object(
                $0.row.record.knowledge.generations.sorted { $0.key < $1.key }.map {
                    .init($0.key, .text($0.value))
                })
        },
    ]

    private static func endpoint(_ target: EndpointTarget) -> FieldValue {
        FieldValue.object([
            .init("via", .text(target.kind.rawValue)),
            .init("url", .text(target.address.description)),
            .init("address", FieldValue(target.proof.socketAddress?.address)),
            .init("port", FieldValue(target.proof.socketAddress.map { Int($0.port) })),
        ])
    }

    private static func allowance(_ allowance: PlainHTTPAllowance) -> FieldValue {
        FieldValue.object([
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

/// The fields of a server's route.
enum RouteView {
    static let fields: [Field<ServerRoutes.Entry>] = [
        .column("method", "the method") { $0.method },
        .column("path", "the path, with parameters in braces") { $0.path },
        .column("summary", "the server's description") { $0.summary }.shrinking(0),
    ]
}
