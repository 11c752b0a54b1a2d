import CommandLineKit

/// A small lighthouse keeper's tool that uses every kind of declaration.
enum Toy {
    struct Globals: Sendable, Equatable {
        var server: String?
        var format = Format.table
        var fields: CommaSeparated<String>?
        var quiet = false
        var verbosity = 0
        var wait: Int?
        var isColored: Bool?
    }

    /// What a parsed command hands over: its name and its options, described.
    typealias Invocation = String

    enum Format: String, Choice { case table, json, csv }

    static let info = ToolInfo(
        name: "toy", version: "1.2.3", date: "2025-01-02",
        summary: "Keep lamps and logs of a lighthouse",
        paragraphs: [
            "The tool knows lamps and their log. See \(command: "lamp list") and \(topic: "times")."
        ],
        examples: [Example("toy lamp list", "All lamps")],
        exitStatuses: [
            ExitStatusInfo(0, "Done"),
            ExitStatusInfo(1, name: "failed", "Anything not below"),
            ExitStatusInfo(2, name: "usage", "The command line cannot be understood", retry: "no"),
        ],
        topics: [
            HelpTopic(
                "times", "How times are written",
                paragraphs: [
                    "A time is \(code: "now") or an age such as \(code: "15m").",
                    .items(["\(code: "m")": "minutes"]), .code("toy log --since 2h"),
                ], examples: [Example("toy lamp list --until 2h", "Old lamps")])
        ],
        externals: [
            ExternalCommand("demo", "Try everything without a lighthouse", section: "Manage")
        ])

    static let globals = globalRows.map { $0.inSection("Global options") }

    private static let globalRows: [Flag<Globals>] = [
        .option("server", short: "s", value: "NAME", sets: \.server, "Talk to this server")
            .completing(.dynamic("server")),
        .option("format", value: "FORMAT", sets: \.format, "Print in this format")
            .completing(.formats).guessed(Guess("tab", as: "csv"), "print", "p"),
        .shorthand("json", sets: \.format, to: .json, "Same as --format json"),
        .option("fields", value: "F[,F]", sets: \.fields, "Print these only")
            .completing(.fields),
        .toggle("quiet", short: "q", sets: \.quiet, "Print errors only"),
        .counter("verbose", short: "v", sets: \.verbosity, "Tell more"),
        .optionalValue(
            "wait", value: "MAX", sets: \.wait, bare: 900, "Wait when asked to slow down"),
        .shorthand("color", sets: \.isColored, to: true, "Use colours"),
    ]

    static let tool = makeTool(
        aliases: [
            .synonym("lamps", of: "lamp"), .renamed("lantern", to: "lamp"),
            .renamed("log", to: "lamp list"), .renamed("oil pour", to: "oil fill"),
            .renamed("oil unlock", to: "oil fill --code", withOptions: "oil fill --force"),
        ],
        commands: [
            .noun(
                "lamp", "Look after the lamps",
                runs: "list", verbs: [.verb(LampList.self), .verb(LampShow.self)]),
            .noun(
                "oil", "Count the oil",
                verbs: [.verb(OilFill.self), .verb(OilSecret.self), .verb(OilBurn.self)]),
            .verb(Pair.self, operands: .containing([":"]), verbs: [.verb(PairResume.self)]),
            .verb(Fetch.self).inSection("Manage"),
            .verb(Help.self),
        ])

    static func makeTool(
        _ info: ToolInfo = info, globals: [Flag<Globals>] = globals, aliases: [CommandAlias] = [],
        commands: @escaping @Sendable @autoclosure () -> [CommandNode<Invocation>]
    ) -> CommandLineTool<Globals, Invocation> {
        CommandLineTool(
            info, defaults: Globals(), globals: globals,
            validate: { globals throws(UsageError) in
                if globals.quiet, globals.verbosity > 0 {
                    throw UsageError("--quiet and --verbose exclude each other")
                }
            },
            commands: commands(), aliases: aliases)
    }
}

/// A command of the toy; its invocation is a description of what would run.
protocol ToyCommand: Command where Invocation == Toy.Invocation, Options: Equatable {}

extension ToyCommand {
    static func invocation(_ options: Options) -> String { "\(about.name) \(options)" }
}

extension Toy {
    /// The reply to a completion script; the lamps have hostile names.
    static func completions(of words: [String]) -> String {
        tool.completions(of: words) { query in
            if query.kind == "pot" {
                let begun = query.value.lastIndex(of: ",").map { String(query.value[...$0]) } ?? ""
                return ["Big Pot", "tiny"].map { CompletionCandidate(text: begun + $0) }
            }
            if query.kind == "shelf" {
                return [CompletionCandidate(text: "", description: "no shelf is known yet")]
            }
            if query.kind == "log" {
                return [
                    CompletionCandidate(text: "last", description: "the newest"),
                    CompletionCandidate(text: "b2c", description: "Sun 22:00  storm"),
                    CompletionCandidate(text: "a1", description: "Sun 21:00  calm"),
                ]
            }
            let names = [
                query.globals.server.map { "of-\($0)" }, query.operands.first.map { "after-\($0)" },
            ]
            return names.compactMap { $0 }.map { CompletionCandidate(text: $0) } + [
                CompletionCandidate(text: "Front Door", description: "over the gate"),
                CompletionCandidate(text: "Frank", description: "second"),
                CompletionCandidate(text: "It's $(touch pwned)", description: "third"),
                CompletionCandidate(text: "a:b=c", description: "fourth"),
                CompletionCandidate(text: "e\u{1b}vil"), CompletionCandidate(text: "last"),
            ]
        }
    }
}
