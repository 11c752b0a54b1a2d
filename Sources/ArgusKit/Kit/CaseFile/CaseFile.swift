package import ArgusArchive
package import ArgusCore
package import ArgusEvents
package import ArgusTransport

/// A file with events and all that is kept of them, for an insurer or the police: what it tells of
/// itself (docs/evidence.md).
package struct CaseFile: Sendable {
    /// The server that the events are from.
    package struct Server: Sendable {
        package var name: String
        package var address: String
        /// The SHA-256 of its certificate; nil for plain http, or if it is not known.
        package var fingerprint: String?
        /// The server's clock minus this machine's; nil if it is not known.
        package var clockOffset: Duration?

        package init(
            name: String, address: String, fingerprint: String? = nil, clockOffset: Duration? = nil
        ) {
            (self.name, self.address) = (name, address)
            (self.fingerprint, self.clockOffset) = (fingerprint, clockOffset)
        }
    }

    /// The user and the machine that made the file.
    package struct Exporter: Sendable {
        /// The account on the server; nil for an archive, which needs none.
        package var account: String?
        package var user: String
        package var host: String
        /// The program with its version.
        package var program: String

        package init(account: String? = nil, user: String, host: String, program: String) {
            (self.account, self.user) = (account, user)
            (self.host, self.program) = (host, program)
        }
    }

    /// Where the files were read.
    package enum Origin: Sendable {
        case server
        /// An archive, with the end of its last complete sync.
        case archive(lastSync: Timestamp?)
    }

    package var server: Server
    package var exporter: Exporter
    package var origin: Origin
    /// When it was made; nil if that is not recorded, so that an archive gives the same bytes again.
    package var exportedAt: Timestamp?
    /// How the events were chosen, in words.
    package var selection: String
    /// The text of `--note`.
    package var note: String?
    package var zone: TimeZoneRules
    /// The IANA name of the zone; nil if it has none.
    package var zoneName: String?
    package var events: [CaseEvent]

    package init(
        server: Server, exporter: Exporter, origin: Origin, exportedAt: Timestamp?,
        selection: String, note: String?, zone: TimeZoneRules, zoneName: String?,
        events: [CaseEvent]
    ) {
        (self.server, self.exporter, self.origin) = (server, exporter, origin)
        (self.exportedAt, self.selection, self.note) = (exportedAt, selection, note)
        (self.zone, self.zoneName) = (zone, zoneName)
        self.events = events.sorted { left, right in
            (left.event.timestamp?.microseconds ?? .max, left.event.id)
                < (right.event.timestamp?.microseconds ?? .max, right.event.id)
        }
    }

    /// The latest time at which something in it was read from the server.
    var collectedUntil: Timestamp? {
        events.lazy.flatMap(\.files).compactMap(\.collectedAt).max()
    }
}

/// An event of a case file.
package struct CaseEvent: Sendable {
    package var event: Event
    /// The server's own object, then its picture, frames and video.
    package var files: [CaseItem] = []
    package var absences: [CaseAbsence] = []
    /// When a sync first missed it on the server; nil while it is there.
    package var deletedAt: Timestamp?

    package init(_ event: Event) { self.event = event }
}

/// A kept file of an event.
package struct CaseItem: Sendable {
    /// The kind of the file.
    package enum Kind: Sendable, Equatable {
        /// The server's own object.
        case object
        case picture
        case frame(Int)
        case video

        /// The word in `manifest.json`.
        var word: String {
            switch self {
            case .object: "event"
            case .picture: "picture"
            case .frame: "frame"
            case .video: "video"
            }
        }

        /// The kind for people, such as `frame 3`.
        package var title: String {
            if case .frame(let number) = self { "frame \(number)" } else { word }
        }
    }

    package var kind: Kind
    package var content: SpooledBytes
    package var fileExtension: String
    /// The path of the URL that the server gave it at; nil if that is not known.
    package var source: String?
    package var capturedAt: Timestamp?
    /// When it was read from the server; nil if that is not known.
    package var collectedAt: Timestamp?
    /// The SHA-256 that an archive noted when it was collected.
    package var archivedSHA256: String?
    /// A remark, such as that a video is shorter than it says.
    package var remark: String?
}

/// Something of an event that a case file has not got.
package struct CaseAbsence: Sendable {
    /// The kind of the file, such as `picture`.
    package var what: String
    package var reason: String
    /// True if it may exist all the same.
    package var isFailure: Bool
    /// True if it was in the archive, and is damaged there.
    package var isDamage = false
}

/// The reason why a case file cannot be made, read or signed.
package enum CaseFileError: Error, Sendable, CustomStringConvertible {
    /// libzip is not there; the cause.
    case libraryMissing(String)
    /// libzip failed, in its words.
    case zip(String)
    /// A ZIP file that is no case file; the reason.
    case notCaseFile(String)
    case file(FileSystemError)
    case archive(ArchiveError)
    case api(APIError)
    /// ssh-keygen is not there, or failed; what it printed.
    case signing(String)

    package var description: String {
        switch self {
        case .libraryMissing(let cause): "cannot use libzip: \(cause)"
        case .zip(let words): "not a sound ZIP file: \(words)"
        case .notCaseFile(let reason): "not a case file: \(reason)"
        case .file(let error): "\(error)"
        case .archive(let error): "\(error)"
        case .api(let error): "\(error)"
        case .signing(let words): words
        }
    }
}
