import ArgusKit

/// The fields of a server that was found on the network.
enum FoundServerView {
    static let fields: [Field<FoundServer>] = [
        Field("name", "what it calls itself") { .text($0.server.name) },
        Field("address", "where its API is said to be, a URL") { .text($0.url) },
        Field("version", "the version that it says it has") { FieldValue($0.server.version) },
        Field("tls", "whether it speaks https") { .bool($0.server.usesTLS) },
        Field("fingerprint", "the SHA-256 of the certificate that it shows") {
            FieldValue($0.result.certificate?.fingerprint.hex)
        },
        Field("known", "the server of yours that it has proved to be; null when it is new") {
            FieldValue($0.record?.name)
        },
        Field("reachable", "whether it answers") { .bool($0.result.isReachable) },
        Field("round_trip", "seconds from a question to its answer") {
            FieldValue($0.result.roundTrip.map { $0.seconds })
        },
        Field("host", "the name of its machine", isColumn: false) { .text($0.server.host) },
        Field("interface", "the network interface on which it was found", isColumn: false) {
            .text($0.server.interface)
        },
        Field("txt", "everything that it says of itself, unproved", isColumn: false) {
            .object(
                $0.server.txt.map { .init($0.key, FieldValue($0.value)) })
        },
        Field("problem", "why it does not answer", isColumn: false) {
            FieldValue($0.result.problem)
        },
    ]
}

extension Duration {
    /// The length in seconds.
    fileprivate var seconds: Double {
        Double(components.seconds) + (Double(components.attoseconds) / 1e15).rounded() / 1e3
    }
}
