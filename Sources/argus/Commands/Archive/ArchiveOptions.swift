import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusEvents
import CommandLineKit

struct ArchiveOptions: OptionGroup, Equatable {
    var folder: String?

    static let own: [Flag<ArchiveOptions>] = [
        .option(
            "archive", value: "DIR", sets: \.folder,
            "Use the archive in DIR, not in archive_dir"
        ).completing(.directory)
    ]

    /// - Throws: `Failure` 2 if no folder is named.
    func folder(in context: Context) throws(Failure) -> ArchiveFolder {
        if let folder {
            guard !folder.isEmpty else { throw Failure(.usage, "--archive: is empty") }
            return ArchiveFolder(context.absolutePath(folder))
        }
        guard let setting = try context.settings[.archiveFolder] else {
            throw Failure(
                .usage, "no archive is named",
                hint:
                    "make one with 'argus archive init DIR'; name one that you have with --archive "
                    + "DIR, or for good with 'argus config set archive_dir DIR'")
        }
        let home = context.system.environment["HOME"]
        guard let folder = ArchiveFolder(setting: setting.text, home: home) else {
            throw Failure(.usage, "\(setting.origin): archive_dir must begin with '/' or '~/'")
        }
        return folder
    }

    /// Opens the archive for changes, once no other process makes any; fails with 13 if one goes on
    /// for too long.
    func changing(in context: Context) async throws(Failure) -> Archive {
        let folder = try folder(in: context)
        return try await attempt(awaiting: await Self.changing(folder, in: context))
    }

    /// Opens an archive as `changing(in:)` does.
    /// - Throws: `ArchiveError`.
    static func changing(
        _ folder: ArchiveFolder, in context: Context
    ) async throws(ArchiveError) -> Archive {
        try await Archive.changing(folder) { error in
            context.console.notice(
                "\(error); waiting up to \(DurationText.short(Archive.lockTimeout))")
        }
    }
}

extension Context {
    func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : (system.workingFolder() ?? "") + "/" + path
    }
}

/// An archive that a command reads, and the server that `--server` names, if any.
///
/// An archive has what servers no longer have, so that the default server of the configuration and
/// `ARGUS_SERVER` hide no others.
struct ArchiveReading {
    let archive: Archive
    let server: Archive.Server?
    /// True if rows of several servers may come.
    let isMixed: Bool

    /// - Throws: `Failure` 2 if none is named, 3 if it has nothing of the server.
    init(_ options: ArchiveOptions, in context: Context) throws(Failure) {
        archive = try attempt(try Archive(reading: try options.folder(in: context)))
        let named = try context.settings[.server]
        let name = named?.origin == .option ? named?.text : nil
        server = try name.map { [archive] name throws(Failure) in try archive.server(named: name) }
        isMixed = try attempt(try archive.servers().count) > 1 && server == nil
    }

    /// Opens an archive, and makes a printer of rows whose first field is their server, which is left
    /// out where all are of one and no option asks for it.
    ///
    /// - Throws: `Failure` 2 for options, before the archive is opened.
    static func begin<Record>(
        _ options: ArchiveOptions, printing fields: [Field<Record>],
        _ shape: Printer<Record>.Shape, as format: OutputFormat? = nil, in context: Context
    ) throws(Failure) -> (reading: ArchiveReading, printer: Printer<Record>) {
        _ = try context.printer(of: fields, shape, as: format)
        let reading = try ArchiveReading(options, in: context)
        let fields = reading.fields(fields, in: context)
        return (reading, try context.printer(of: fields, shape, as: format))
    }

    /// The fields with that of the server, if it is to be shown.
    func fields<Record>(_ all: [Field<Record>], in context: Context) -> [Field<Record>] {
        let isChosen = context.globals.fields?.values.contains(ArchiveView.serverName) ?? false
        return isMixed || isChosen ? all : Array(all.dropFirst())
    }

    /// The choice of events, with the archive's own cameras and types; entities and rules are the
    /// server's.
    func query(
        _ options: EventFilterOptions, in context: Context
    ) async throws(Failure) -> ArchiveQuery {
        let unknown = options.unknownTypes
        let seen = unknown.isEmpty ? [] : try attempt(try archive.types()).map { $0.lowercased() }
        for type in unknown where !seen.contains(type) { context.console.warnOfUnknownType(type) }
        var filter = try options.resolveAllButNames(in: context)
        if !options.entities.isEmpty || !options.rules.isEmpty {
            var named = EventFilterOptions()
            (named.entities, named.rules) = (options.entities, options.rules)
            named.ruleZone = options.ruleZone
            let found = try await named.resolve(with: context.server(), in: context)
            (filter.entities, filter.rules) = (found.entities, found.rules)
        }
        if !options.cameras.isEmpty {
            let cameras = try attempt(try archive.cameras(of: server))
            let names = NameLookup.entries(
                of: options.cameras.map(\.text), among: cameras.compactMap(\.name))
            filter.cameraIDs = try names.map { (name) throws(Failure) in
                try Archive.cameraID(named: name, among: cameras)
            }.distinct
        }
        return ArchiveQuery(filter, of: server)
    }
}

extension Archive {
    /// The server with a name, or the id of a record.
    fileprivate func server(named name: String) throws(Failure) -> Server {
        let known = try attempt(try servers())
        let thing = NamedThing(
            one: "server in the archive", several: "servers in the archive",
            listHint: Self.hint(known.map(\.name)))
        return try NameLookup.find(name, in: known, id: \.record, name: \.name).expectOne(
            name, thing, among: known.map(\.name))
    }

    private static func hint(_ names: [String]) -> String {
        names.isEmpty
            ? "the archive is empty; 'argus archive sync' fills it"
            : "the archive has events of \(names.joined(separator: ", "))"
    }

    fileprivate static func cameraID(
        named name: String, among cameras: [Camera]
    ) throws(Failure) -> String {
        let thing = NamedThing(
            one: "camera", several: "cameras",
            listHint: hint(cameras.map { $0.name ?? $0.id }))
        let found = NameLookup.find(name, in: cameras, id: \.id, name: \.name)
        // Two records of one server give the same ids.
        if let id = found.first?.id, found.allSatisfy({ $0.id == id }) { return id }
        let isOfSeveral = Set(found.map(\.server)).count > 1
        do throws(Failure) {
            return try found.expectOne(name, thing, among: cameras.compactMap(\.name)) { camera in
                "\(camera.id) (\(camera.name ?? "unnamed")"
                    + (isOfSeveral ? ", of \(camera.server.inQuotes))" : ")")
            }.id
        } catch {
            var error = error
            // Servers may give the same ids.
            if isOfSeveral { error.hint = "name the server with --server, or give the whole id" }
            throw error
        }
    }
}

extension ArchiveRows {
    func nextBatch() throws(Failure) -> [EventRow]? { try attempt(try next()) }

    /// - Throws: `Failure` 12, at the end of a list, for events that are damaged.
    func expectNoDamage() throws(Failure) {
        guard let first = damagedIDs.first else { return }
        let what =
            damagedIDs.count == 1
            ? "event \(first)" : "\(damagedIDs.count) events, such as \(first)"
        throw Failure(
            .gap, "the archive's copy of \(what) is damaged",
            hint: "'argus archive verify --repair' reads it again from the server",
            reason: "archive_damaged")
    }
}
