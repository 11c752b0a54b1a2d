import ArgusCore
import CCurl

/// The number of an attempt at a request within a process, from 1.
package struct TransferID: Hashable, Sendable { let rawValue: UInt64 }

/// An event of a request for `-v` and `--trace`.
///
/// Secrets are masked: observers may print every member, a server's text only sanitised.
package enum TransferEvent: Sendable {
    case started(TransferID, Started)
    case answered(TransferID, Answered)
    case finished(TransferID, Finished)
    case failed(TransferID, TransportError, Timings)

    /// A request before it is sent.
    package struct Started: Sendable {
        package var method: String
        /// The whole URL; values of secret query keys read `<redacted>`.
        package var url: String
        package var headers: [(name: String, value: String)]
        /// The description of the body; nil without a body.
        package var body: String?
        package var usesProxy: Bool

        init(_ submission: Submission, _ describeBody: TransferObservation.BodyDescription) {
            let request = submission.request
            method = request.method.rawValue
            url = request.origin.description + SecretNames.masking(target: request.target)
            headers = request.headers.map { header in
                switch header.value {
                case .plain(let text) where !SecretNames.contains(header.name): (header.name, text)
                default: (header.name, SecretMask.replacement)
                }
            }
            body = request.body.map { describeBody($0.contentType, $0.bytes) }
            usesProxy = submission.proxy != nil
        }
    }

    /// The status line and header fields of an answer.
    package struct Answered: Sendable {
        package var status: Int
        /// Such as `HTTP/1.1`.
        package var version: String
        package var headers: [(name: String, value: String)]

        init(_ head: ResponseHead) {
            status = head.status
            version = head.version
            headers = head.headers.fields.map { field in
                if SecretNames.contains(field.name) { return (field.name, SecretMask.replacement) }
                guard field.name.equalsWithoutCase("Location") else { return field }
                return (field.name, SecretNames.masking(target: field.value))
            }
        }
    }

    /// The end of an answer.
    package struct Finished: Sendable {
        package var status: Int
        /// Bytes of body before decompression.
        package var receivedBytes: Int64
        /// Bytes of body after decompression.
        package var bodyBytes: Int
        /// The description of the body; nil without a body.
        package var body: String?
        package var timings: Timings
    }

    /// The times from the start of a transfer to the end of its phases; zero for one not reached.
    package struct Timings: Sendable {
        package var resolved = Duration.zero
        package var connected = Duration.zero
        package var secured = Duration.zero
        package var firstByte = Duration.zero
        package var total = Duration.zero
        /// The peer's address and port, such as `192.168.1.5:8000`; nil without a connection.
        package var remoteAddress: String?
        package var reusedConnection = false
    }
}

/// The observer of a transport's requests.
package struct TransferObservation: Sendable {
    /// Describes a body without its secrets, by its media type and bytes.
    package typealias BodyDescription = @Sendable (String?, [UInt8]) -> String

    let observer: @Sendable (TransferEvent) -> Void
    let describeBody: BodyDescription

    /// Observes requests; bodies are described by size and type, unless `describeBody` is given.
    ///
    /// `observer` receives events in order on the transport's thread, and must not block.
    package init(
        describeBody: @escaping BodyDescription = { mediaType, bytes in
            "\(bytes.count) bytes of \(mediaType ?? "unknown type")"
        },
        observer: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.observer = observer
        self.describeBody = describeBody
    }
}

extension TransferEvent.Finished {
    init(_ transfer: Transfer, _ describeBody: TransferObservation.BodyDescription) {
        status = transfer.head.status
        receivedBytes = transfer.easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
        bodyBytes = transfer.bodyCount
        let type = transfer.head.headers["Content-Type"]
        if !transfer.body.isEmpty {
            body = describeBody(type, transfer.body)
        } else if transfer.bodyCount > 0 {
            body = "\(transfer.bodyCount) bytes of \(type ?? "unknown type")"
        }
        timings = TransferEvent.Timings(transfer)
    }
}

extension TransferEvent.Timings {
    init(_ transfer: Transfer) {
        let easy = { (info: CURLINFO) in Duration.microseconds(transfer.easy.offset(info)) }
        resolved = easy(CURLINFO_NAMELOOKUP_TIME_T)
        connected = easy(CURLINFO_CONNECT_TIME_T)
        secured = easy(CURLINFO_APPCONNECT_TIME_T)
        firstByte = easy(CURLINFO_STARTTRANSFER_TIME_T)
        total = easy(CURLINFO_TOTAL_TIME_T)
        let address = transfer.easy.text(CURLINFO_PRIMARY_IP) ?? ""
        if !address.isEmpty {
            let host = address.contains(":") ? "[\(address)]" : address
            remoteAddress = "\(host):\(transfer.easy.long(CURLINFO_PRIMARY_PORT))"
        }
        reusedConnection = remoteAddress != nil && transfer.easy.long(CURLINFO_NUM_CONNECTS) == 0
    }
}
