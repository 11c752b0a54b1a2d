import ArgusCore
import ArgusPush
import CommandLineKit

enum NotifyReceiversImport: ArgusCommand {
    struct Options: VerbOptions {
        @Required var file: String
    }

    static let about = CommandInfo(
        name: "import", summary: "Add receivers from a file", effect: .changes,
        description: """
            Reads an object, a list of objects, or an object on each line, and adds each as
            \(command: "notify receivers add") does. An object is a Web Push subscription as a
            browser or a UnifiedPush app prints it, with \(code: "endpoint") and \(code: "keys"),
            or has \(code: "service"), \(code: "token") and the other fields of
            \(command: "notify receivers list"), preferences included.

            Subscriptions must have been made with the key of \(command: "notify key show"); those
            of the server's dashboard are bound to the server's key. If some records are unusable,
            argus adds the others and ends with status 11.
            """,
        examples: [
            "argus notify receivers import subscription.json": "What a browser printed",
            "argus notify receivers import - < tokens.ndjson": "Many, on stdin",
        ],
        exitStatuses: [0, 1, 2, 11], prints: .lists(DeliveryTokenView.addedFields))

    static let arguments: [Argument<Options>] = [
        .required("FILE", sets: \.$file, "The file, or - for stdin").completing(.file)
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: DeliveryTokenView.addedFields, .list)
        let store = try context.receivers()
        let key = try await attempt(awaiting: await store.knownVAPIDKey())?.key.publicKey
        let now = context.now()
        let entries = DeliveryImport.read(try bytes(of: options.file), publicKey: key, at: now)
        guard !entries.isEmpty else { throw Failure(.usage, "\(options.file.inQuotes) is empty") }
        let receivers = entries.compactMap { try? $0.get() }
        let added = try await attempt(
            awaiting: await store.change { all in
                receivers.map { all.put($0.token, $0.preferences, at: now) }
            })
        for (token, result) in added {
            try printer.write(DeliveryTokenRow(token: token, result: result.rawValue))
        }
        try printer.finish(counting: ListCount(("receiver", "receivers")))
        if receivers.contains(where: { $0.token.service == .webPush }) {
            context.console.notice(
                "Web Push works only for subscriptions made with the key of 'argus notify key show'"
            )
        }
        try expectNoFailures(in: entries)
    }

    private static func bytes(of file: String) throws(Failure) -> [UInt8] {
        let limit = DeliveryImport.sizeLimit
        return file == "-"
            ? try attempt(FileContents.standardInput(limit: limit))
            : try attempt(FileContents(file, trust: .named, limit: limit)).bytes
    }

    /// - Throws: `Failure` 11 if some records were unusable, 2 if all were.
    private static func expectNoFailures(in entries: [DeliveryImport.Entry]) throws(Failure) {
        var outcome = BatchResult()
        for (index, entry) in entries.enumerated() {
            var failure: Failure?
            if case .failure(let error) = entry {
                failure = Failure(.usage, "\(error)")
                if error.field == "subscription" {
                    failure?.hint =
                        "'argus notify key show' prints the key that receivers subscribe with"
                }
            }
            outcome.record(failure, of: "record \(index + 1)")
        }
        try outcome.finish()
    }
}
