import CommandLineKit

enum LampList: ToyCommand {
    struct Options: Sendable, Equatable, CustomStringConvertible {
        var limit = 20
        var colors: [Color] = []
        var follow = false
        var until: String?
        var description: String {
            "limit=\(limit) colors=\(colors.map(\.rawValue)) follow=\(follow) until=\(until ?? "-")"
        }
    }

    enum Color: String, Choice { case red, green, white }

    static let about = CommandInfo(
        name: "list", summary: "List lamps, brightest first",
        paragraphs: [
            "Prints at most \(value: "N") lamps (\(flag: "limit")), see \(topic: "times").",
            .code("lamp-1  red\nlamp-2  green"),
        ],
        examples: [
            Example("toy lamp list -n 5 --json", "The five brightest as JSON"),
            Example("toy lamp --json | jq -r '.[].id' > ids.txt", "Their ids into a file"),
        ],
        exitStatuses: [0, 1, ExitStatus(2, "The colour is unknown")],
        fields: [
            FieldInfo("id", "its id", type: "text"), FieldInfo("color", "its colour", type: "text"),
        ],
        formats: ["table", "json", "csv"],
        guesses: ["lights", "oil lamps", Guess("glow", as: "--hue HUE")])
    static let defaults = Options()
    static let flags: [Flag<Options>] = [
        .option(
            "limit", short: "n", value: "N", sets: \.limit, "Show at most N lamps",
            details: ["More than \(code: "500") would be slow; see \(flag: "server")."]
        ).within(1...500).byDefault("20").inSection("Filters").formerly("max", "count"),
        .repeatable("hue", value: "HUE", appends: \.colors, "Only this colour")
            .byDefault("all").inSection("Filters"),
        .toggle("follow", short: "f", sets: \.follow, "Keep printing new lamps")
            .guessed("stream"),
        .option("until", value: "TIME", sets: \.until, "Nothing newer")
            .inSection("Filters", explainedBy: "times")
            .guessed("before", Guess("days", as: "{}d"), Guess("night", as: "TIME")),
    ]
}

enum LampShow: ToyCommand {
    struct Options: Sendable, Equatable, CustomStringConvertible {
        var lamps: [String] = []
        var output: String?
        var description: String { "lamps=\(lamps) output=\(output ?? "-")" }
    }

    static let about = CommandInfo(
        name: "show", summary: "Show lamps",
        examples: [Example("toy lamp show 'Front Door'", "One lamp by name")],
        exitStatuses: [0, 1, 2], fields: [FieldInfo("id", "its id", type: "text")],
        formats: ["table", "json"])
    static let defaults = Options()
    static let flags: [Flag<Options>] = [
        .option("output", short: "o", value: "FILE", sets: \.output, "Write to FILE")
            .completing(.file)
    ]
    static let arguments: [Argument<Options>] = [
        .repeated("LAMP", atLeast: 1, appends: \.lamps, "Name or id of a lamp")
            .completing(.dynamic("lamp"))
    ]
}

enum OilFill: ToyCommand {
    struct Options: Sendable, Equatable, CustomStringConvertible {
        @Required var liters: Int
        var kinds: CommaSeparated<Kind>?
        var drips: String?
        var pots: String?
        var shelf: String?
        var entry: String?
        var description: String {
            "liters=\(liters) kinds=\(kinds?.values.map(\.rawValue) ?? [])"
        }
    }

    enum Kind: String, Choice { case rapeseed, whale, paraffin }

    static let about = CommandInfo(
        name: "fill", summary: "Fill up", examples: [Example("toy oil fill 5", "Five litres")],
        exitStatuses: [0, 1, 2])
    static let defaults = Options()
    static let flags: [Flag<Options>] = [
        .option("kinds", value: "K[,K]", sets: \.kinds, "Only these kinds"),
        .option("drips", value: "D[,D]|all", sets: \.drips, "Into these trays")
            .completing(.list(["left", "right"], alone: ["all", "lost"])),
        .option("pots", value: "P[,P]", sets: \.pots, "Into these pots")
            .completing(.dynamicList("pot")).withBlanks(),
        .option("shelf", value: "SHELF", sets: \.shelf, "From this shelf")
            .completing(.dynamic("shelf")),
        .option("entry", value: "ENTRY", sets: \.entry, "Into this entry of the log")
            .completing(.dynamic("log")),
    ]
    static let arguments: [Argument<Options>] = [
        .required("LITERS", sets: \.$liters, "How much")
    ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.liters > 100 { throw UsageError("the tank holds 100 litres") }
    }
}

enum OilSecret: ToyCommand {
    struct Options: Sendable, Equatable {
        var code = 0
        var number = 0
    }

    static let about = CommandInfo(name: "unlock", summary: "Unlock the tank", isHidden: true)
    static let defaults = Options()
    static let flags: [Flag<Options>] = [
        .option("code", short: "c", value: "CODE", sets: \.code, "The code").sensitive()
    ]
    static let arguments: [Argument<Options>] = [
        .optional("NUMBER", sets: \.number, "The number").sensitive()
    ]
}

enum OilBurn: ToyCommand {
    struct Options: Sendable, Equatable {
        var command: [String] = []
    }

    static let about = CommandInfo(name: "burn", summary: "Burn for a program", isHidden: true)
    static let defaults = Options()
    static let arguments: [Argument<Options>] = [
        .repeated("COMMAND", appends: \.command, "The program").completing(.command).afterDashes(
            guessed: "exec")
    ]
}

enum Pair: ToyCommand {
    struct Options: Sendable, Equatable, CustomStringConvertible {
        var url: String?
        var waits = true
        var description: String { "url=\(url ?? "-") waits=\(waits)" }
    }

    static let about = CommandInfo(
        name: "pair", summary: "Pair with a lighthouse",
        examples: [Example("toy pair https://tower.example", "Pair by address")],
        exitStatuses: [0, 2])
    static let defaults = Options()
    static let flags: [Flag<Options>] = [
        .shorthand("no-wait", sets: \.waits, to: false, "Do not wait for the keeper")
    ]
    static let arguments: [Argument<Options>] = [
        .optional("URL", sets: \.url, "Address of the lighthouse")
    ]
}

enum PairResume: ToyCommand {
    static let about = CommandInfo(
        name: "resume", summary: "Go on waiting", examples: [Example("toy pair resume", "Go on")],
        exitStatuses: [0], operandOption: "--server")
    typealias Options = NoOptions
}

enum Fetch: ToyCommand {
    struct Options: Sendable, Equatable, CustomStringConvertible {
        var method = "GET"
        @Required var path: String
        var description: String { "\(method) \(path)" }
    }

    static let about = CommandInfo(
        name: "fetch", summary: "Send one request",
        examples: [Example("toy fetch POST /lamps", "Make a lamp")], exitStatuses: [0, 1])
    static let defaults = Options()
    static let arguments: [Argument<Options>] = [
        .optional("METHOD", sets: \.method, "How").completing(.choices(["GET", "POST"])),
        .required("PATH", sets: \.$path, "What"),
    ]
}

enum Help: ToyCommand {
    struct Options: Sendable, Equatable {
        var words: [String] = []
    }

    static let about = CommandInfo(
        name: "help", summary: "Show a page of help",
        examples: [Example("toy help times", "How times are written")], exitStatuses: [0, 2])
    static let defaults = Options()
    static let arguments: [Argument<Options>] = [
        .repeated("TOPIC", appends: \.words, "A topic or a command").completing(.topics)
    ]
}

extension CommandInfo {
    /// A description with everything at once, as the toys have it.
    init(
        name: String, summary: String, paragraphs: [Paragraph] = [], examples: [Example],
        exitStatuses: [ExitStatus], fields: [FieldInfo] = [], formats: [String] = [],
        guesses: [Guess] = [], operandOption: String? = nil
    ) {
        let details = Details(
            paragraphs: paragraphs, examples: examples, exitStatuses: exitStatuses, fields: fields,
            formats: formats, guesses: guesses, operandOption: operandOption)
        self.init(name: name, summary: summary) { details }
    }
}
