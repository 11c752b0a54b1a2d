/// The description of an operand.
package struct ArgumentInfo: Sendable, Equatable {
    /// The number of words that an operand takes.
    package enum Count: Sendable, Equatable {
        case required
        case optional
        /// All remaining words, at least this many.
        case repeated(atLeast: Int)
    }

    /// The name in help, in capitals, such as `EVENT`.
    package var name: String
    package var count: Count
    /// One line: starts with a capital, no full stop.
    package var summary: String
    package var completion: Completion
    /// True if no error may repeat the word.
    package var isSensitive = false
    /// True if its words must follow a `--`, since they are a command line of their own.
    package var followsDashes = false
    /// The names of options, without dashes, that users try instead.
    package var guesses: [String] = []
    /// A word for it, and its meaning, for a command line without one.
    package var example: Example?

    /// The number of words without which the command line is incomplete.
    package var minimum: Int {
        switch count {
        case .required: 1
        case .optional: 0
        case .repeated(let least): least
        }
    }

    /// True if it takes all remaining words.
    package var isRepeated: Bool {
        if case .repeated = count { true } else { false }
    }
}

/// One operand of a command: its description and its effect on the options.
package struct Argument<Options: Sendable>: Sendable {
    /// The key path at which an operand writes to the options.
    package typealias OptionPath<Value> = any WritableKeyPath<Options, Value> & Sendable

    var info: ArgumentInfo
    /// Validates and stores one word, no more.
    let update: @Sendable (String, inout Options) throws(ValueError) -> Void

    /// An operand whose words are read as values, which `store` stores.
    private static func operand<Value: ArgumentValue>(
        _ name: String, _ count: ArgumentInfo.Count, _ summary: String,
        store: @escaping @Sendable (Value, inout Options) -> Void
    ) -> Self {
        let info = ArgumentInfo(
            name: name, count: count, summary: summary, completion: Value.completion)
        return Argument(info: info) { word, options throws(ValueError) in
            store(try Value(argument: word), &options)
        }
    }

    /// An operand that must be given.
    package static func required<Value: ArgumentValue>(
        _ name: String,
        sets path: OptionPath<Required<Value>>,
        _ summary: String
    ) -> Self {
        operand(name, .required, summary) { (value: Value, options) in
            options[keyPath: path] = Required(wrappedValue: value)
        }
    }

    /// An operand that may be left out; the default value stays then.
    package static func optional<Value: ArgumentValue>(
        _ name: String, sets path: OptionPath<Value>,
        _ summary: String
    ) -> Self {
        operand(name, .optional, summary) { (value: Value, options) in
            options[keyPath: path] = value
        }
    }

    /// All remaining operands, at least `atLeast` of them.
    package static func repeated<Value: ArgumentValue>(
        _ name: String, atLeast least: Int = 0,
        appends path: OptionPath<[Value]>, _ summary: String
    ) -> Self {
        operand(name, .repeated(atLeast: least), summary) { (value: Value, options) in
            options[keyPath: path].append(value)
        }
    }

    /// The same operand with other completions.
    package func completing(_ completion: Completion) -> Self {
        changing { $0.completion = completion }
    }

    /// The same operand, whose words must follow a `--`.
    ///
    /// It is suggested to those who try one of the options `guesses`.
    package func afterDashes(guessed guesses: String...) -> Self {
        changing { ($0.followsDashes, $0.guesses) = (true, guesses) }
    }

    /// The same operand, for which an error suggests a word if it is missing.
    package func suggesting(_ word: String, _ meaning: String) -> Self {
        changing { $0.example = Example(word, meaning) }
    }

    /// The same operand, whose words no error repeats.
    package func sensitive() -> Self { changing { $0.isSensitive = true } }

    private func changing(_ change: (inout ArgumentInfo) -> Void) -> Self {
        var copy = self
        change(&copy.info)
        return copy
    }
}
