import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusKit
import ArgusTransport
import CommandLineKit

enum ArchiveBundle: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var output = CaseOptions()
        var archive = ArchiveOptions()
    }

    static let about = CommandInfo(
        name: "bundle", summary: "Save archived events as a case file for others",
        effect: .reads,
        description: """
            Makes the same file as \(command: "events bundle"), without the server, and with the
            checksums that the archive noted when it collected each object and picture.

            The same choice of an archive gives the same bytes, so the file has no time of export: it
            tells when the last of it was collected. \(code: "SOURCE_DATE_EPOCH") may hold a time of
            export to write into it, in seconds since 1970.
            """,
        examples: [
            "argus archive bundle --during yesterday --frames --video -o case.zip":
                "All of yesterday, with what the archive has of it",
            "SOURCE_DATE_EPOCH=$(date +%s) argus archive bundle 8f85eda1 -o case.zip":
                "With the time of export",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .objects(CaseOptions.fields))

    static let flags: [Flag<Options>] =
        CaseOptions.flags(at: \Options.output) + EventFilterOptions.flags(at: \Options.filter)
        + ArchiveOptions.flags(at: \Options.archive)

    static let arguments: [Argument<Options>] = [.events(\.events, atLeast: 0)]

    static func check(_ options: Options, in context: Context) throws(Failure) {
        try options.filter.expectChoice(options.events)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let time = try exportTime(in: context)
        let export = try CaseExport(options.output, in: context)
        let reading = try ArchiveReading(options.archive, in: context)
        var query = try await reading.query(options.filter, in: context)
        query.order = .oldestFirst
        let archive = reading.archive
        let collector = ArchiveCase(archive, options.output.scope, into: export.spool)
        var events: [CaseEvent] = []
        var servers: Set<Int> = []
        func add(_ number: Int) throws(Failure) {
            guard let event = try attempt(collector.collect(number)) else { return }
            events.append(event)
            if let server = try attempt(archive.server(ofEvent: number)) { servers.insert(server) }
        }
        var damage: Failure?
        if options.events.isEmpty {
            let rows = try attempt(ArchiveRows(query, in: archive))
            while try rows.nextBatch() != nil {
                for number in rows.lastNumbers { try add(number) }
            }
            do { try rows.expectNoDamage() } catch { damage = error }
        } else {
            var latest = query
            latest.order = .newestFirst
            var numbers: [Int] = []
            for name in options.events {
                numbers.append(try attempt(archive.find(name, latestOf: latest)).number)
            }
            for number in numbers.distinct { try add(number) }
        }
        guard servers.count <= 1 else {
            throw Failure(
                .usage, "the events are of several servers, and a case file is of one",
                hint: "name one with --server")
        }
        let server = try servers.first.flatMap { (number) throws(Failure) in
            try attempt(archive.server(number))
        }
        try export.write(
            events, of: origin(server, in: context),
            origin: .archive(lastSync: server?.lastSync), at: time,
            selection: options.filter.words(
                options.events, since: query.filter.since, until: query.filter.until))
        if let damage { throw damage }
    }

    /// The server as the archive, and the list of known servers, describe it.
    private static func origin(
        _ server: Archive.Server?, in context: Context
    ) -> CaseFile.Server {
        guard let server else { return CaseFile.Server(name: "unknown", address: "unknown") }
        let list = (try? context.knownServers())?.servers ?? []
        let known = list.first { $0.id.text == server.record }
        let endpoint = known?.endpoints.first { $0.hasAddress(server.address) }
        return CaseFile.Server(
            name: server.name, address: server.address, fingerprint: endpoint?.fingerprint?.hex)
    }

    /// The time of export, as programs give it that make the same bytes again (reproducible-builds.org).
    private static func exportTime(in context: Context) throws(Failure) -> Timestamp? {
        guard let text = context.system.environment["SOURCE_DATE_EPOCH"] else { return nil }
        guard let seconds = Int64(text), (0...Timestamp.latestText.seconds).contains(seconds) else {
            throw Failure(
                .usage, "SOURCE_DATE_EPOCH is \(text.inQuotes), which is no count of seconds")
        }
        return Timestamp(seconds: seconds)
    }
}
