import ArgusArchive
import ArgusCore
import CommandLineKit

enum ArchiveVerify: ArgusCommand {
    struct Options: VerbOptions {
        var archive = ArchiveOptions()
        var repairs = false
    }

    static let about = CommandInfo(
        name: "verify", summary: "Check that nothing is damaged or missing", effect: .changes,
        description: """
            Compares the database, each event and each file with the checksum that it was stored
            with, and lists what is damaged or missing. \(flag: "repair") rebuilds indexes and
            reads the rest again from the server; what the server no longer has stays listed.
            Nothing is removed: files without an event are listed as harmless. If the archive has
            several servers, repair each with \(flag: "server").
            """,
        examples: [
            "argus archive verify": "Once a month, from cron",
            "argus archive verify --repair": "Read again what is damaged",
        ],
        exitStatuses: .requests(3, .damagedArchive, .archiveInUse),
        prints: .lists(ArchiveView.findingFields))

    static let flags: [Flag<Options>] =
        [.toggle("repair", sets: \.repairs, "Read again from the server what is damaged")]
        + ArchiveOptions.flags(at: \Options.archive)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: ArchiveView.findingFields, .list)
        let archive = try await archive(options, in: context)
        let progress = context.console.progress(
            "checking", unit: .items("part", "parts"), total: nil)
        defer { progress.finish() }
        let verifier = ArchiveVerifier(archive) { progress.advance(by: $0) }
        progress.expect(verifier.partCount)
        var found = try attempt(try verifier.findings(wantingFiles: options.repairs))
        if options.repairs, !found.isEmpty {
            found = try await repair(found, by: verifier, archive, in: context) {
                progress.expect(verifier.partCount)
            }
        }
        progress.finish()
        for finding in found.listed { try printer.write(finding) }
        let events = ListCount(("event", "events")).sentence(for: try attempt(archive.eventCount()))
        let files = ListCount(("file", "files")).sentence(for: try attempt(archive.fileCount()))
        try printer.finish(
            whenEmpty: "no damage: \(events) and \(files) are as archived",
            counting: ListCount(("fault", "faults")))
        if found.unlistedCount > 0 {
            context.console.notice(
                ListCount(("more fault is", "more faults are")).sentence(for: found.unlistedCount)
                    + " not listed")
        }
        let awaited = try attempt(try archive.awaitedFileCount(at: context.now()))
        let wanted = try attempt(try archive.wantedFileCount()) - awaited
        if wanted > 0 {
            context.console.notice(
                (wanted == 1 ? "1 file is" : "\(wanted) files are")
                    + " not fetched yet; 'argus archive sync' fetches what the server has")
        }
        if awaited > 0 {
            context.console.notice(
                "the server may still make \(awaited == 1 ? "1 file" : "\(awaited) files") of the last "
                    + "hour; a later sync fetches what it has")
        }
        try expectNoLoss(found, afterRepair: options.repairs)
    }

    private static func expectNoLoss(
        _ found: ArchiveFindings, afterRepair isRepair: Bool
    ) throws(Failure) {
        let count = found.lossCount
        guard count > 0 else { return }
        let isBeyondRepair = found.listed.contains { $0.kind == .database && $0.isLoss }
        let hint =
            if !isRepair {
                "'argus archive verify --repair' reads it again from the server"
            } else if isBeyondRepair {
                "the database itself is damaged: \(ArchiveError.replacement)"
            } else {
                "a backup of the archive may have what the server no longer has"
            }
        throw Failure(
            .gap, count == 1 ? "a part is damaged" : "\(count) parts are damaged", hint: hint,
            reason: "archive_damaged")
    }

    /// Opens the archive; without a repair, also one that is read-only or being changed.
    private static func archive(
        _ options: Options, in context: Context
    ) async throws(Failure) -> Archive {
        if options.repairs { return try await options.archive.changing(in: context) }
        let folder = try options.archive.folder(in: context)
        do throws(ArchiveError) {
            return try await Archive(changing: folder)
        } catch {
            switch error {
            case .running, .readOnly:
                context.console.notice(
                    "\(error), so the index of words and stray files are not checked")
                return try attempt(try Archive(reading: folder))
            default: throw Failure(error)
            }
        }
    }

    /// Repairs what can be repaired, and checks everything again after `recheck`.
    private static func repair(
        _ found: ArchiveFindings, by verifier: ArchiveVerifier, _ archive: Archive,
        in context: Context, recheck: () -> Void
    ) async throws(Failure) -> ArchiveFindings {
        try attempt(try verifier.restore(found))
        var scopes: [EventArchiver.Scope] = []
        // Files first: a damaged database may end the comparison of events.
        if found.has(.file) { scopes.append(EventArchiver.Scope(onlyFiles: true)) }
        if !found.damagedEvents.isEmpty {
            scopes.append(EventArchiver.Scope(isFull: true, damaged: found.damagedEvents))
        }
        for scope in scopes {
            do throws(Failure) {
                let server = try await ArchiveSync.server(in: context)
                do throws(ArchiveError) {
                    _ = try await ArchiveSync.sync(archive, from: server, scope, in: context)
                } catch {
                    throw await ArchiveSync.failure(error, of: server)
                }
            } catch {
                let advice = error.hint.map { "; \($0)" } ?? ""
                context.console.warn("not everything was repaired: \(error.message)\(advice)")
            }
        }
        try attempt(try verifier.restoreWords(for: found))
        recheck()
        return found.repaired(leaving: try attempt(try verifier.findings()))
    }
}
