import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum EventsDigest: ArgusCommand {
    struct Options: VerbOptions {
        var digest = DigestOptions()
    }

    static let about = CommandInfo(
        name: "digest", summary: "Tell what happened in a day, in numbers and pictures",
        effect: .reads,
        description: """
            Counts visits by camera and kind, and names alarms, silent cameras, unusual hours,
            strangers, the people and vehicles that the server recognised, rings, packages and
            gaps; of yesterday, unless a filter names other times. Events of one camera and one
            kind are one visit if they follow each other within 10 minutes. docs/digest.md
            explains each number.

            Prints a text, an object with \(flag: "json"), a page with pictures that needs no other
            file with \(flag: "html"), or with \(flag: "mail") a message with text, page and
            pictures, for \(code: "sendmail -t").
            """,
        examples: [
            "argus events digest": "What happened yesterday",
            "argus events digest --during last-week --camera Driveway": "One camera, a week",
            "argus events digest --html yesterday.html": "A page with pictures",
            "argus events digest --mail --to ann@example.org | sendmail -t": "For breakfast",
            "argus events digest --json | jq .strangers": "For programs",
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .objects(DigestView.fields),
        guesses: ["summary", "report"])

    static let flags: [Flag<Options>] = DigestOptions.flags(at: \Options.digest)

    static func validate(_ options: Options) throws(UsageError) {
        try options.digest.validate()
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let output = try DigestOutput(options.digest, in: context)
        let server = try await context.server()
        let zone = try context.displayZone()
        var filter = try await options.digest.filter.resolve(with: server, in: context)
        let span = try options.digest.span(in: context)
        (filter.since, filter.until) = (span.lowerBound, span.upperBound)
        let digester = ServerDigester(server.session, now: context.now)
        let progress = context.console.progress(
            "counting", unit: .items("event", "events"), total: nil)
        defer { progress.finish() }
        let file = server.record.flatMap {
            CheckMemory.file(of: $0.id.text, in: context.system.paths.state)
        }
        var memory = CheckMemory()
        if case .value(let known)? = try? file?.read() { memory = known }
        let result = try await server.attempt(
            "count events",
            await digester.make(
                Digest(of: server.name, span: span, zone: zone), filter, memory,
                rulesIn: options.digest.filter.ruleZone.rules(in: context),
                progress: { count, total in
                    progress.setTotal(total)
                    progress.advance(by: count)
                }, notify: context.console.eventNotice))
        progress.finish()
        if options.digest.filter.rules.isEmpty, let rules = result.rules {
            for rule in rules.rules { context.console.warn(of: rule, rule.problems) }
        }
        if let error = result.ignorance {
            let reason = await server.failure(error, doing: "read the weeks before").message
            context.console.warn("\(reason); silent cameras and unusual hours are not known")
        }
        try await output.write(result.digest) { await digester.images(of: $0) }
        try server.expectComplete(result.unreadableRows, result.gaps)
    }
}
