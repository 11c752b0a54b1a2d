/// One option of a command (or of the tool): its description and its effect on the options.
package struct Flag<Options: Sendable>: Sendable {
    /// The key path at which a flag writes to the options.
    package typealias OptionPath<Value> = any WritableKeyPath<Options, Value> & Sendable
    /// Validates and stores the value, nil for none; opens and contacts nothing.
    package typealias Update = @Sendable (String?, inout Options) throws(ValueError) -> Void

    package var info: FlagInfo
    package var update: Update

    package init(info: FlagInfo, update: @escaping Update) {
        self.info = info
        self.update = update
    }

    /// An option that always has a value, which is read from its word; `store` stores it.
    private static func valued<Value: ArgumentValue>(
        _ kind: FlagInfo.Kind, _ long: String, _ short: Character?, _ valueName: String?,
        _ summary: String, _ details: [Paragraph],
        store: @escaping @Sendable (Value, inout Options) throws(ValueError) -> Void
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: kind, valueName: valueName ?? Value.placeholder,
            summary: summary, details: details, completion: Value.completion)
        return Flag(info: info) { word, options throws(ValueError) in
            guard let word else { throw ValueError("is missing") }
            try store(try Value(argument: word), &options)
        }
    }
}

// Switches.
extension Flag {
    /// A switch.
    package static func toggle(
        _ long: String, short: Character? = nil,
        sets path: OptionPath<Bool>,
        _ summary: String, details: [Paragraph] = []
    ) -> Self {
        shorthand(long, short: short, sets: path, to: true, summary, details: details)
    }

    /// A switch that stores a fixed value, such as `--json` for a format.
    package static func shorthand<Value: Sendable>(
        _ long: String, short: Character? = nil,
        sets path: OptionPath<Value>, to fixed: Value,
        _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .toggle, summary: summary, details: details)
        return Flag(info: info) { _, options in options[keyPath: path] = fixed }
    }

    /// A switch that may be repeated and adds one each time.
    package static func counter(
        _ long: String, short: Character? = nil,
        sets path: OptionPath<Int>, _ summary: String
    ) -> Self {
        let info = FlagInfo(long: long, short: short, kind: .counter, summary: summary)
        return Flag(info: info) { _, options in options[keyPath: path] += 1 }
    }
}

// Options with a value.
extension Flag {
    /// An option with one value; the last given wins.
    package static func option<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, value name: String? = nil,
        sets path: OptionPath<Value>,
        _ summary: String, details: [Paragraph] = []
    ) -> Self {
        valued(.single, long, short, name, summary, details) { (value: Value, options) in
            options[keyPath: path] = value
        }
    }

    /// An option that must be given; the last given wins.
    package static func option<Value: ArgumentValue>(
        _ long: String, value name: String,
        sets path: OptionPath<Required<Value>>,
        _ summary: String
    ) -> Self {
        valued(.single, long, nil, name, summary, []) { (value: Value, options) in
            options[keyPath: path] = Required(wrappedValue: value)
        }.changing { $0.isRequired = true }
    }

    /// An option for the path of a file.
    package static func file(
        _ long: String, short: Character? = nil,
        sets path: OptionPath<String?>, _ summary: String,
        details: [Paragraph] = []
    ) -> Self {
        option(long, short: short, value: "FILE", sets: path, summary, details: details)
            .completing(.file)
    }

    /// An option for a count, which is at least 1.
    package static func count(
        _ long: String, short: Character? = nil,
        sets path: OptionPath<Int?>, _ summary: String
    ) -> Self {
        option(long, short: short, value: "N", sets: path, summary).within(1...Int.max)
    }

    /// An option that may be repeated; all values are kept in order.
    package static func repeatable<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, value name: String? = nil,
        appends path: OptionPath<[Value]>,
        _ summary: String, details: [Paragraph] = []
    ) -> Self {
        valued(.repeated, long, short, name, summary, details) { (value: Value, options) in
            options[keyPath: path].append(value)
        }
    }

    /// An option with a list; the values of repeated ones add up.
    package static func list<Value: ListValue>(
        _ long: String, value name: String? = nil,
        adds path: OptionPath<Value?>,
        _ summary: String, details: [Paragraph] = []
    ) -> Self {
        valued(.repeated, long, nil, name, summary, details) {
            (more: Value, options) throws(ValueError) in
            var list = options[keyPath: path]
            try list?.append(more)
            options[keyPath: path] = list ?? more
        }
    }

    /// A switch that may carry a value after `=`; without one it stores `bare`.
    package static func optionalValue<Value: ArgumentValue>(
        _ long: String, value name: String,
        sets path: OptionPath<Value>, bare: Value,
        _ summary: String
    ) -> Self {
        let info = FlagInfo(
            long: long, kind: .optionalValue, valueName: name, summary: summary,
            completion: Value.completion)
        return Flag(info: info) { word, options throws(ValueError) in
            options[keyPath: path] = if let word { try Value(argument: word) } else { bare }
        }
    }
}

extension Flag {
    /// The same flag with other completions.
    package func completing(_ completion: Completion) -> Self {
        changing { $0.completion = completion }
    }

    /// The same flag under another heading of the help, and explained by a topic if one is named.
    package func inSection(_ section: String, explainedBy topic: String? = nil) -> Self {
        changing { ($0.section, $0.topic) = (section, topic) }
    }

    /// The same flag, with the value that counts if it is left out.
    package func byDefault(_ value: String) -> Self { changing { $0.defaultValue = value } }

    /// The same flag, also accepted by names that it had in an earlier release.
    package func formerly(_ names: String...) -> Self { changing { $0.formerNames = names } }

    /// The same flag, which is suggested to those who try one of these names.
    package func guessed(_ guesses: Guess...) -> Self { changing { $0.guesses = guesses } }

    /// The same flag, which may be given once only.
    package func once() -> Self { changing { $0.isUnique = true } }

    /// The same flag, whose value no error repeats.
    package func sensitive() -> Self { changing { $0.isSensitive = true } }

    /// The same flag, in whose values blanks are usual.
    package func withBlanks() -> Self { changing { $0.hasBlanks = true } }

    /// The same option for a whole number, which must lie inside a range.
    package func within(_ range: ClosedRange<Int>) -> Self {
        let update = update
        return Flag(info: info) { word, options throws(ValueError) in
            if let word, !range.contains(try Int(argument: word)) {
                throw ValueError(
                    range.upperBound == .max
                        ? "is less than \(range.lowerBound)"
                        : "is not between \(range.lowerBound) and \(range.upperBound)")
            }
            try update(word, &options)
        }
    }

    private func changing(_ change: (inout FlagInfo) -> Void) -> Self {
        var copy = self
        change(&copy.info)
        return copy
    }
}
