import ArgusKit

/// The fields of a server that was found on the network.
enum FoundServerView {
    static let fields: [Field<FoundServer>] = [
        .column("name", "what it calls itself") { $0.server.name },
        .column("address", "the announced URL of its API") { $0.url }.shrinking(1, to: 12),
        .column("version", "the announced version") { $0.server.version },
        .column("tls", "whether it speaks https") { $0.server.usesTLS },
        .column("fingerprint", "the SHA-256 of the certificate that it shows") {
            $0.result.certificate?.fingerprint.hex
        }.shrinking(0),
        .column("known", "the known server that it has proved to be; null for others") {
            $0.record?.name
        },
        .column("reachable", "whether it answers") { $0.result.isReachable }.coloringNo(.red),
        .column("round_trip", "seconds from a request to its answer") {
            $0.result.roundTrip.map { $0.seconds }
        },
        .hidden("host", "the name of its machine") { $0.server.host },
        .hidden("interface", "the network interface on which it was found") { $0.server.interface },
        Field("txt", "its whole announcement, unproved", isColumn: false) {
            FieldValue.object(
                $0.server.txt.map { .init($0.key, FieldValue($0.value)) })
        },
        .hidden("problem", "why it does not answer") { $0.result.problem },
    ]
}

extension Duration {
    /// The length in seconds.
    fileprivate var seconds: Double {
        Double(components.seconds) + (Double(components.attoseconds) / 1e15).rounded() / 1e3
    }
}
