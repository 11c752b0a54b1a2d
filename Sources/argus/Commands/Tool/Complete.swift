import ArgusKit
import CommandLineKit

/// `argus __complete`, which the completion scripts ask: from the cache, never from the network.
enum Complete: ArgusCommand {
    struct Options: Sendable, Equatable {
        var kind = ""
        var word: String?
        /// The operands before the word.
        var operands: [String] = []
    }

    static let about = CommandInfo(
        name: "__complete", summary: "Answer a completion script",
        paragraphs: ["Prints the candidates of a kind, one a line, from what earlier runs saw."],
        examples: [Example("argus __complete cameras Fro", "Cameras whose names begin with Fro")],
        exitStatuses: [0], isHidden: true)

    static let defaults = Options()

    static let arguments: [Argument<Options>] = [
        .required("KIND", sets: \.kind, "What is completed, such as cameras"),
        .optional("WORD", sets: \.word, "The beginning of the word"),
        .repeated("OPERAND", appends: \.operands, "What the line has before the word"),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let word = options.word ?? ""
        let isAnswer = options.kind == CompletionScripts.expansionKind
        for candidate in context.completionCandidates(
            of: options.kind, beginning: word, after: options.operands)
        where isAnswer || candidate.text.lowercased().hasPrefix(word.lowercased()) {
            // A name that is no single line cannot be offered to a shell.
            guard Sanitizer.isPlain(candidate.text) else { continue }
            let description = candidate.description.map { "\t" + Sanitizer.visible($0) } ?? ""
            try context.write(candidate.text + description + "\n")
        }
    }
}
