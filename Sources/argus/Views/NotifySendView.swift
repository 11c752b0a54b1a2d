import ArgusCore
import ArgusPush
import ArgusTransport

/// A push with its request and, once it was sent, its result.
struct NotifySendRow: Sendable {
    var token: DeliveryToken
    var push: PreparedPush
    /// The result; nil in a dry run.
    var answer: DeliveryAnswer?

    fileprivate var outcome: String? {
        switch answer?.verdict {
        case nil: nil
        case .accepted: push.isSilent ? "silent" : "sent"
        case .gone: "gone"
        case .tokenFailure, .providerFailure: "failed"
        }
    }
}

enum NotifySendView {
    static let fields: [Field<NotifySendRow>] = [
        .column("token_id", "the token's id; null if the command line gave the address") {
            $0.token.id.isEmpty ? nil : $0.token.id
        }.shortened,
        .column("device_name", "the device's name") { $0.token.device.name },
        .column("service", "apns, fcm or webpush") { $0.push.service.rawValue },
        .column("outcome", "sent, silent, gone or failed; null in a dry run") { $0.outcome },
        .column("reason", "why it was not sent") { $0.answer?.reason?.masked }.shrinking(0),
        .column("http_status", "the status of the last try") { $0.answer?.httpStatus },
        .column("attempts", "how often it was tried") { $0.answer?.attempts },
        .column("duration_ms", "how long all tries took, in milliseconds") {
            $0.answer.map { $0.duration.wholeMilliseconds }
        },
        .hidden("url", "where it goes, without its secret") {
            "\($0.push.origin)/\(SecretMask.replacement)"
        },
        Field("headers", "the header fields, without secrets", isColumn: false) { row in
            .object(row.push.headers.map { .init($0.name.lowercased(), .text($0.shown)) })
        }.ofType(.object),
        Field("payload", "the document for the app, before any encryption", isColumn: false) {
            (try? JSONView.parse($0.push.document)).map { FieldValue($0) } ?? .null
        },
        .hidden("size", "the bytes that count against the limit") { $0.push.size },
        .hidden("limit", "the most bytes that the service takes") { $0.push.limit },
    ]
}
