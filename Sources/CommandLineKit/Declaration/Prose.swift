/// Running text whose references are resolved against the table of commands.
///
/// Written as a string literal with typed interpolations:
/// `"Stops after \(value: "N") events; see \(flag: "all") and \(topic: "times")."`
package struct Prose: Sendable, Equatable {
    /// One stretch of text or one reference.
    package enum Part: Sendable, Equatable {
        case text(String)
        /// A long option by name: of the command `of` (blank-separated path), else of the described
        /// command, else a global one.
        case flag(String, of: String?)
        /// A command by its blank-separated path, without the tool's name.
        case command(String)
        case topic(String)
        /// Words to be typed literally.
        case code(String)
        /// The name of a value, such as `NUM`.
        case value(String)
    }

    package var parts: [Part]

    package init(_ parts: [Part]) {
        self.parts = parts
    }
}

extension Prose: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self.init([.text(text)])
    }

    package init(stringInterpolation: Interpolation) {
        self.init(stringInterpolation.parts)
    }

    /// Collects the parts of a literal.
    package struct Interpolation: StringInterpolationProtocol, Sendable {
        var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) {
            if !text.isEmpty { parts.append(.text(text)) }
        }

        /// Inserts plain text.
        package mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }

        /// Refers to an option by its long name without dashes.
        package mutating func appendInterpolation(flag: String, of command: String? = nil) {
            parts.append(.flag(flag, of: command))
        }

        /// Refers to a command by its blank-separated path.
        package mutating func appendInterpolation(command: String) {
            parts.append(.command(command))
        }

        /// Refers to a help topic by name.
        package mutating func appendInterpolation(topic: String) { parts.append(.topic(topic)) }

        /// Inserts words to be typed literally.
        package mutating func appendInterpolation(code: String) { parts.append(.code(code)) }

        /// Inserts the name of a value.
        package mutating func appendInterpolation(value: String) { parts.append(.value(value)) }
    }
}

/// A block of a description.
package enum Paragraph: Sendable, Equatable {
    /// A term and its explanation.
    package struct Item: Sendable, Equatable {
        package var term: Prose
        package var explanation: Prose
    }

    case text(Prose)
    /// Lines printed verbatim, without wrapping.
    case code(String)
    /// Terms and their explanations, as in a list of variables.
    case list([Item])
    /// Options with all that there is to say about them.
    case options([FlagInfo])

    /// A list of terms and their explanations.
    package static func items(_ items: KeyValuePairs<Prose, Prose>) -> Paragraph {
        .list(items.map { Item(term: $0.key, explanation: $0.value) })
    }
}

extension Paragraph: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self = .text(Prose(stringLiteral: text))
    }

    package init(stringInterpolation: Prose.Interpolation) {
        self = .text(Prose(stringInterpolation: stringInterpolation))
    }
}
