import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

/// The options of case files, which are the same for those of a server and of an archive.
struct CaseOptions: OptionGroup, Equatable {
    var path: String?
    var mayOverwrite = false
    var withFrames = false
    var withVideos = false
    var note: String?
    var key: String?

    static let own: [Flag<CaseOptions>] = [
        .file(
            "output", short: "o", sets: \.path,
            "Write to FILE, into the folder DIR/, or to stdout (-)"
        ).guessed(Guess("dir", as: "DIR/"), Guess("folder", as: "DIR/")),
        .toggle("force", sets: \.mayOverwrite, "Overwrite FILE"),
        .toggle("frames", sets: \.withFrames, "Add the frames that the AI analysed"),
        .toggle("video", sets: \.withVideos, "Add the videos"),
        .file("note", sets: \.note, "Add the text of FILE, which the page shows first"),
        .option(
            "sign", value: "KEY", sets: \.key, "Sign with the SSH key in the file KEY",
            details: [
                """
                A private key, or the public key of one that ssh-agent has. ssh-keygen(1) signs, and \
                prompts for the passphrase.
                """
            ]
        ).completing(.file),
    ]

    /// Which files of events are added.
    var scope: CaseScope { CaseScope(withFrames: withFrames, withVideos: withVideos) }

    /// The fields of what the commands print.
    static let fields: [Field<SavedCase>] = [
        .column("path", "the file") { $0.path },
        .column("events", "how many events it has") { $0.eventCount },
        .column("files", "how many files of events it has, the server's objects included") {
            $0.fileCount
        },
        .column("bytes", "its size") { $0.byteCount },
        .column("sha256", "its SHA-256") { $0.sha256 },
        .column("signed", "whether it is signed") { $0.isSigned },
    ]
}

/// A case file that was written.
struct SavedCase: Sendable {
    var path: String?
    var eventCount: Int
    var fileCount: Int
    var byteCount: Int
    var sha256: String
    var isSigned: Bool
}

/// The making of a case file; all that can be wrong with the options is found before the network is
/// used.
struct CaseExport {
    let spool: CaseSpool
    private let options: CaseOptions
    private let target: OutputTarget
    private let printer: Printer<SavedCase>
    private let folder: String
    private let note: String?
    private let signature: CaseSignature?
    private let context: Context

    private static let longestNote = 64 << 10

    init(_ options: CaseOptions, in context: Context) throws(Failure) {
        (self.options, self.context) = (options, context)
        target = try attempt(
            OutputTarget.resolve(options.path, force: options.mayOverwrite))
        printer = try context.printer(of: CaseOptions.fields, .operands(1))
        try attempt(CaseFileWriter.expectLibrary())
        if let key = options.key {
            signature = try attempt(CaseSignature(context.system.environment))
            try attempt(FileContents.expectReadable(key))
        } else {
            signature = nil
        }
        note = try options.note.map { (path) throws(Failure) in
            let bytes = try attempt(
                FileContents(path, trust: .named, limit: Self.longestNote).bytes)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(.usage, "--note: '\(path)' is not text in UTF-8")
            }
            return text
        }
        let place = try attempt(target.path(named: Self.name(nil, in: context)))
        folder =
            place.map(FileRename.folder) ?? context.system.environment["TMPDIR"] ?? "/tmp"
        spool = try attempt(CaseSpool(in: folder))
    }

    /// Writes the case file, and reports it; fails after it if something of an event is missing.
    func write(
        _ events: [CaseEvent], of server: CaseFile.Server, account: String? = nil,
        origin: CaseFile.Origin, at time: Timestamp?, selection: String
    ) throws(Failure) {
        guard !events.isEmpty else {
            throw Failure(.notFound, "no event matches; there is nothing to write")
        }
        let file = CaseFile(
            server: server,
            exporter: CaseFile.Exporter(
                account: account, user: Paths.userFromUserDatabase() ?? "unknown",
                host: context.system.device().name, program: "\(Tool.name) \(Tool.version)"),
            origin: origin, exportedAt: time, selection: selection, note: note,
            zone: context.timeZone,
            zoneName: LocalZone.name(environment: context.system.environment.variables),
            events: events)
        let packed = try attempt(
            CaseFileWriter(file, fields: EventView.fields, in: folder) {
                (manifest) throws(CaseFileError) in
                guard let signature, let key = options.key else { return nil }
                return try signature.sign(manifest, with: key)
            }.pack())
        let path = try save(packed, named: Self.name(events.first, in: context))
        let saved = SavedCase(
            path: path, eventCount: events.count,
            fileCount: events.reduce(0) { $0 + $1.files.count }, byteCount: packed.size,
            sha256: try attempt(packed.sha256), isSigned: signature != nil)
        if !target.isStream { try context.report(saved, with: printer, Self.sentence(saved)) }
        try expectNothingMissing(events)
    }

    private func save(_ packed: SpoolFile, named name: String) throws(Failure) -> String {
        do throws(FileSystemError) {
            let output = try target.open(named: name, for: .owner, force: options.mayOverwrite)
            try output.write(packed)
            try output.commit()
            return output.path
        } catch {
            throw error.isClosedPipe ? .closedPipe : Failure(error)
        }
    }

    private func expectNothingMissing(_ events: [CaseEvent]) throws(Failure) {
        let missing = events.flatMap { event in
            event.absences.filter(\.isFailure).map { (event.event.id, $0) }
        }
        guard !missing.isEmpty else { return }
        let isDamage = missing.contains { $0.1.isDamage }
        var failure = Failure(
            isDamage ? .gap : .partial,
            missing.count == 1 ? "a file is missing" : "\(missing.count) files are missing",
            hint: isDamage
                ? "in a copy of the archive, 'argus archive verify --repair' reads them again"
                : nil,
            reason: isDamage ? "archive_damaged" : nil)
        failure.items = missing.map { id, absence in
            .init(
                id: "\(absence.what) of \(id)", kind: isDamage ? .gap : .serverError,
                message: absence.reason)
        }
        throw failure
    }

    private static func name(_ event: CaseEvent?, in context: Context) -> String {
        let time = event?.event.timestamp?.fileNameText(in: context.timeZone)
        return (["case", time].compactMap(\.self).joined(separator: "-")) + ".zip"
    }

    private static func sentence(_ saved: SavedCase) -> String {
        let events = ListCount(("event", "events")).sentence(for: saved.eventCount)
        let files = ListCount(("file", "files")).sentence(for: saved.fileCount)
        return "'\(saved.path ?? "")' has \(events) with \(files)"
            + (saved.isSigned ? ", signed" : "") + "; SHA-256 \(saved.sha256)"
    }
}

extension EventFilterOptions {
    /// The choice of events in words, for people who do not know argus; `filter` has the times.
    func words(since: Timestamp?, until: Timestamp?) -> String {
        var parts: [String] = []
        func add(_ label: String, _ words: [String]) {
            if !words.isEmpty { parts.append("\(label) \(words.joined(separator: ", "))") }
        }
        add("camera", cameras.map(\.text))
        add("type", typeNames)
        add("from", [since.map { $0.displayText(in: .utc) + " UTC" }].compactMap(\.self))
        add("until", [until.map { $0.displayText(in: .utc) + " UTC" }].compactMap(\.self))
        add("description with", [search.map { "'\($0.text)'" }].compactMap(\.self))
        add("confidence of at least", [minConfidence.map { "\($0) %" }].compactMap(\.self))
        if isAlertsOnly { parts.append("with an alarm") }
        add("source", [source?.rawValue].compactMap(\.self))
        add("person or vehicle", entities.map(\.text))
        add("alert rule", rules.map(\.text))
        return parts.isEmpty ? "all" : parts.joined(separator: "; ")
    }

    /// The choice of events by their names, or by these conditions.
    func words(_ events: [String], since: Timestamp?, until: Timestamp?) -> String {
        guard !events.isEmpty else { return words(since: since, until: until) }
        let isPlain = self == EventFilterOptions()
        let conditions = isPlain ? "" : " (\(words(since: since, until: until)))"
        return "chosen one by one: \(events.joined(separator: ", "))\(conditions)"
    }

    /// - Throws: `Failure` 2 for neither events nor conditions, or for both.
    func expectChoice(_ events: [String]) throws(Failure) {
        guard !events.isEmpty || self != EventFilterOptions() else {
            throw Failure(
                .usage, "name events, or choose some by conditions",
                hint: "such as --camera 'Front Door' --during last-night")
        }
        if !events.isEmpty { try expectLatest(events) }
    }
}
