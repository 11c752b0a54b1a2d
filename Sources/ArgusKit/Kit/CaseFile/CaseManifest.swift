import ArgusCore
import ArgusEvents

/// The list of all files of a case file with their checksums, and what is known of their origin.
struct CaseManifest {
    static let format = "argus-bundle"
    static let version = 1

    /// A file that it lists.
    struct Entry {
        var path: String
        var size: Int
        var sha256: String
        /// What a file of an event is; nil for those that argus made.
        var item: CaseItem?
        var eventID: String?
    }

    var entries: [Entry]

    /// The checksums of the files and of the manifest, as sha256sum(1) reads them.
    func sums(manifest: [UInt8]) -> [UInt8] {
        let lines =
            entries.map { "\($0.sha256)  \($0.path)\n" }
            + ["\(Checksum.sha256(manifest))  \(CasePath.manifest)\n"]
        return Array(lines.joined().utf8)
    }

    /// The manifest as JSON.
    func json(of file: CaseFile) -> [UInt8] {
        var writer = JSONWriter(layout: .pretty)
        writer.object { writer in
            writer.member("format", Self.format)
            writer.member("version", Self.version)
            writer.member("program", file.exporter.program)
            writer.member("exported_at", file.exportedAt)
            writer.object("exported_by") { writer in
                writer.member("account", file.exporter.account)
                writer.member("user", file.exporter.user)
                writer.member("host", file.exporter.host)
            }
            writer.member("selection", file.selection)
            writer.member("time_zone", file.zoneName)
            writer.object("server") { writer in
                writer.member("name", file.server.name)
                writer.member("address", file.server.address)
                writer.member("certificate_sha256", file.server.fingerprint)
                writer.member("clock_offset_seconds", file.server.clockOffset?.inSeconds)
            }
            writer.key("archive")
            if case .archive(let lastSync) = file.origin {
                writer.object { writer in
                    writer.member("last_sync", lastSync)
                    writer.member("collected_until", file.collectedUntil)
                }
            } else {
                writer.null()
            }
            writer.key("files")
            writer.array { writer in for entry in entries { write(entry, to: &writer) } }
            writer.key("absent")
            writer.array { writer in
                for event in file.events {
                    for absence in event.absences {
                        writer.object { writer in
                            writer.member("event_id", event.event.id)
                            writer.member("what", absence.what)
                            writer.member("reason", absence.reason)
                        }
                    }
                }
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ entry: Entry, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", entry.path)
            writer.member("size", entry.size)
            writer.member("sha256", entry.sha256)
            guard let item = entry.item else { return }
            writer.member("kind", item.kind.word)
            writer.member("event_id", entry.eventID)
            writer.member("source", item.source)
            writer.member("captured_at", item.capturedAt)
            writer.member("collected_at", item.collectedAt)
            writer.member("archive_sha256", item.archivedSHA256)
            writer.member("remark", item.remark)
        }
    }
}

extension CaseManifest {
    /// Reads the list of files of a manifest.
    /// - Throws: `CaseFileError.notCaseFile`.
    init(reading bytes: [UInt8]) throws(CaseFileError) {
        guard let view = try? JSONView.parse(bytes), view["format"]?.string == Self.format else {
            throw .notCaseFile("\(CasePath.manifest) is not that of a case file")
        }
        guard let version = view["version"]?.int, version <= Self.version else {
            throw .notCaseFile("a newer argus made it")
        }
        guard let files = view["files"], files.kind == .array else {
            throw .notCaseFile("\(CasePath.manifest) lists no files")
        }
        entries = []
        for file in files.elements {
            guard let path = file["path"]?.string, let size = file["size"]?.int,
                let sha256 = file["sha256"]?.string
            else { throw .notCaseFile("\(CasePath.manifest) has a malformed row") }
            entries.append(Entry(path: path, size: size, sha256: sha256))
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds / 1_000_000_000_000_000) / 1000
    }
}
