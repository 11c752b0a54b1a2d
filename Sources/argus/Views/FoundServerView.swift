import ArgusKit

/// The fields of a server that was found on the network.
enum FoundServerView {
    static let fields: [Field<FoundServer>] = [
        .column("name", "its announced name") { $0.server.name },
        .column("address", "its announced URL") { $0.url }.shrinking(1, to: 12),
        .column("version", "its announced version") { $0.server.version },
        .column("tls", "whether it speaks https") { $0.server.usesTLS },
        .column("fingerprint", "the SHA-256 of the certificate that it presents") {
            $0.result.certificate?.fingerprint.hex
        }.shrinking(0),
        .column("known", "your server that it proved to be; null if none") {
            $0.record?.name
        },
        .column("reachable", "whether it answers") { $0.result.isReachable }.coloringNo(.red),
        .column("round_trip", "seconds from request to answer") {
            $0.result.roundTrip.map { ($0 / .milliseconds(1)).rounded() / 1000 }
        },
        .hidden("host", "the name of its machine") { $0.server.host },
        .hidden("interface", "the network interface on which it was found") { $0.server.interface },
        Field("txt", "everything that it announces; proves nothing", isColumn: false) {
            FieldValue.object(
                $0.server.txt.map { .init($0.key, FieldValue($0.value)) })
        },
        .hidden("problem", "why it does not answer") { $0.result.problem },
    ]
}
