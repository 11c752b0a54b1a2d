import ArgusCore
import CommandLineKit

/// The options of a verb; `init()` makes the defaults.
protocol VerbOptions: Sendable, Equatable {
    init()
}

extension ArgusCommand where Options: VerbOptions {
    static var defaults: Options { Options() }
}

extension CommandInfo {
    /// The description of a verb; `examples` are command lines and their effects.
    ///
    /// `guesses` and `operandOption` are those of `Details`.
    init(
        name: String, summary: String, effect: Effect,
        description: @escaping @Sendable @autoclosure () -> RunningText = "",
        examples: @escaping @Sendable @autoclosure () -> KeyValuePairs<String, String>,
        exitStatuses: @escaping @Sendable @autoclosure () -> [ExitStatus],
        prints output: @escaping @Sendable @autoclosure () -> VerbOutput = VerbOutput(),
        guesses: @escaping @Sendable @autoclosure () -> [Guess] = [],
        operandOption: String? = nil, isHidden: Bool = false
    ) {
        self.init(name: name, summary: summary, effect: effect, isHidden: isHidden) {
            let output = output()
            return Details(
                paragraphs: description().paragraphs,
                examples: examples().map { Example($0.key, $0.value) },
                exitStatuses: exitStatuses(), fields: output.fields, formats: output.formats,
                guesses: guesses(), operandOption: operandOption)
        }
    }
}

/// The fields and formats of a verb's output; a verb that prints no records has neither.
struct VerbOutput {
    var fields: [FieldInfo] = []
    var formats: [String] = []

    static func objects<Record>(_ fields: [Field<Record>]) -> VerbOutput {
        VerbOutput(fields: fields.infos(), formats: OutputFormat.objects)
    }

    static func lists<Record>(_ fields: [Field<Record>]) -> VerbOutput {
        VerbOutput(fields: fields.infos(), formats: OutputFormat.lists)
    }
}

/// Paragraphs of prose, separated by blank lines; a single line break is a blank.
struct RunningText: ExpressibleByStringInterpolation {
    private(set) var paragraphs: [Paragraph] = []
    private var open: [Prose.Part] = []

    init(stringLiteral text: String) {
        self.init(Prose(stringLiteral: text))
    }

    init(stringInterpolation: Prose.Interpolation) {
        self.init(Prose(stringInterpolation: stringInterpolation))
    }

    private init(_ prose: Prose) {
        for part in prose.parts {
            guard case .text(let text) = part else {
                open.append(part)
                continue
            }
            let pieces = text.split(separator: "\n\n", omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                if index > 0 { endParagraph() }
                if !piece.isEmpty { open.append(.text(String(piece.replacing("\n", with: " ")))) }
            }
        }
        endParagraph()
    }

    private mutating func endParagraph() {
        if !open.isEmpty { paragraphs.append(.text(Prose(open))) }
        open = []
    }
}
