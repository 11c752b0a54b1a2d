/// What the command line says about one option at one place.
package enum FlagValue: Sendable, Equatable {
    case on
    /// The negation was given.
    case off
    case word(String)
}

/// One option of a command (or of the tool): its description and its effect on the options.
package struct Flag<Options: Sendable>: Sendable {
    /// A place in the options that a flag writes to.
    ///
    /// Declarations take it unevaluated: making a key path costs more than all else in a row of
    /// the table, and a command line uses few rows.
    package typealias Place<Value> = any WritableKeyPath<Options, Value> & Sendable
    /// Validates and stores, no more: it opens, resolves and contacts nothing.
    package typealias Update = @Sendable (FlagValue, inout Options) throws(ValueError) -> Void

    package var info: FlagInfo
    package var update: Update

    package init(info: FlagInfo, update: @escaping Update) {
        self.info = info
        self.update = update
    }
}

// Switches.
extension Flag {
    /// A switch, with an opposite when `negation` names one; the last given wins.
    package static func toggle(
        _ long: String, short: Character? = nil, negation: String? = nil,
        sets place: @escaping @Sendable @autoclosure () -> Place<Bool>,
        in section: FlagSection = .options, _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, negation: negation, kind: .toggle, section: section,
            summary: summary, details: details)
        return Flag(info: info) { value, options throws(ValueError) in
            options[keyPath: place()] = value == .on
        }
    }

    /// A switch whose absence differs from its negation: nil until one of them is given.
    package static func toggle(
        _ long: String, short: Character? = nil, negation: String? = nil,
        sets place: @escaping @Sendable @autoclosure () -> Place<Bool?>,
        in section: FlagSection = .options, _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, negation: negation, kind: .toggle, section: section,
            summary: summary, details: details)
        return Flag(info: info) { value, options throws(ValueError) in
            options[keyPath: place()] = value == .on
        }
    }

    /// A switch that stores a fixed value, such as `--json` for a format.
    package static func shorthand<Value: Sendable>(
        _ long: String, short: Character? = nil,
        sets place: @escaping @Sendable @autoclosure () -> Place<Value>, to fixed: Value,
        in section: FlagSection = .options, _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .toggle, section: section, summary: summary,
            details: details)
        return Flag(info: info) { _, options throws(ValueError) in
            options[keyPath: place()] = fixed
        }
    }

    /// A switch that may be repeated and adds one each time.
    package static func counter(
        _ long: String, short: Character? = nil,
        sets place: @escaping @Sendable @autoclosure () -> Place<Int>,
        in section: FlagSection = .options, _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .counter, section: section, summary: summary,
            details: details)
        return Flag(info: info) { _, options throws(ValueError) in
            options[keyPath: place()] += 1
        }
    }
}

// Options with a value.
extension Flag {
    /// An option with one value; the last given wins.
    package static func option<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, value name: String? = nil,
        sets place: @escaping @Sendable @autoclosure () -> Place<Value>,
        in section: FlagSection = .options, _ summary: String,
        details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .single, valueName: name ?? Value.placeholder,
            section: section, summary: summary, details: details, completion: Value.completion)
        return Flag(info: info) { value, options throws(ValueError) in
            options[keyPath: place()] = try Value(argument: value.word)
        }
    }

    /// An option with one whole number inside a range; the last given wins.
    package static func option(
        _ long: String, short: Character? = nil, value name: String = Int.placeholder,
        sets place: @escaping @Sendable @autoclosure () -> Place<Int>,
        within range: ClosedRange<Int>,
        in section: FlagSection = .options, _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .single, valueName: name, section: section,
            summary: summary, details: details)
        return Flag(info: info) { value, options throws(ValueError) in
            options[keyPath: place()] = try Int.read(value.word, in: range)
        }
    }

    /// An option with one whole number inside a range, nil until it is given.
    package static func option(
        _ long: String, short: Character? = nil, value name: String = Int.placeholder,
        sets place: @escaping @Sendable @autoclosure () -> Place<Int?>,
        within range: ClosedRange<Int>,
        in section: FlagSection = .options, _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .single, valueName: name, section: section,
            summary: summary, details: details)
        return Flag(info: info) { value, options throws(ValueError) in
            options[keyPath: place()] = try Int.read(value.word, in: range)
        }
    }

    /// An option that may be repeated; all values are kept in order.
    package static func repeatable<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, value name: String? = nil,
        appends place: @escaping @Sendable @autoclosure () -> Place<[Value]>,
        in section: FlagSection = .options, _ summary: String,
        details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .repeated, valueName: name ?? Value.placeholder,
            section: section, summary: summary, details: details, completion: Value.completion)
        return Flag(info: info) { value, options throws(ValueError) in
            options[keyPath: place()].append(try Value(argument: value.word))
        }
    }

    /// A switch that may carry a value after `=`; without one it stores `bare`.
    package static func optionalValue<Value: ArgumentValue>(
        _ long: String, short: Character? = nil, value name: String? = nil,
        sets place: @escaping @Sendable @autoclosure () -> Place<Value>, bare: Value,
        in section: FlagSection = .options,
        _ summary: String, details: [Paragraph] = []
    ) -> Self {
        let info = FlagInfo(
            long: long, short: short, kind: .optionalValue,
            valueName: name ?? Value.placeholder, section: section, summary: summary,
            details: details, completion: Value.completion)
        return Flag(info: info) { value, options throws(ValueError) in
            if case .word(let word) = value {
                options[keyPath: place()] = try Value(argument: word)
            } else {
                options[keyPath: place()] = bare
            }
        }
    }
}

extension Flag {
    /// The same flag with another answer for the shell.
    package func completing(_ completion: Completion) -> Self {
        changing { $0.completion = completion }
    }

    /// The same flag whose value no error repeats.
    package func sensitive() -> Self { changing { $0.isSensitive = true } }

    /// The same flag, working but shown nowhere.
    package func hidden() -> Self { changing { $0.isHidden = true } }

    private func changing(_ change: (inout FlagInfo) -> Void) -> Self {
        var copy = self
        change(&copy.info)
        return copy
    }
}

extension FlagValue {
    /// The word of an option that always has one.
    fileprivate var word: String {
        guard case .word(let word) = self else {
            preconditionFailure("the scanner gives every single or repeated option a word")
        }
        return word
    }
}
