/// The reason why a word is not a valid value.
///
/// The reason continues a sentence whose subject is the word (`is not a whole number`); it names
/// neither the option nor the word, because the parser does, unless the value is sensitive.
package struct ValueError: Error, Equatable, Sendable {
    package var reason: String
    /// The invalid part if it is not the whole word, such as one entry of a comma-separated list.
    package var part: String?
    /// True if the reason is a complete sentence that quotes the word itself.
    package var isSentence = false
    /// The remedy, if there is a better one than the command's help.
    package var hint: String?

    package init(_ reason: String, part: String? = nil) {
        self.reason = reason
        self.part = part
    }

    /// A reason that quotes the word, such as `invalid date '2026-02-30': …`.
    package init(sentence: String, hint: String? = nil) {
        reason = sentence
        isSentence = true
        self.hint = hint
    }
}

/// A value read from one command-line word.
package protocol ArgumentValue: Sendable {
    static var completion: Completion { get }
    /// The name in help, in capitals, unless the declaration gives one.
    static var placeholder: String { get }
    /// Parses the value; uses nothing outside the process.
    ///
    /// - Throws: `ValueError` with the reason.
    init(argument: String) throws(ValueError)
}

extension ArgumentValue {
    package static var completion: Completion { .none }
    package static var placeholder: String { "VALUE" }
}

extension String: ArgumentValue {
    package static var placeholder: String { "TEXT" }

    package init(argument: String) throws(ValueError) {
        self = argument
    }
}

extension Int: ArgumentValue {
    package static var placeholder: String { "N" }

    package init(argument: String) throws(ValueError) {
        if let number = Int(argument) {
            self = number
            return
        }
        let digits = argument.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let isNumber =
            !digits.isEmpty && argument.utf8.count - digits.count <= 1
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        throw ValueError(isNumber ? "is out of range" : "is not a whole number")
    }
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
    package static var completion: Completion { Wrapped.completion }
    package static var placeholder: String { Wrapped.placeholder }

    package init(argument: String) throws(ValueError) {
        self = .some(try Wrapped(argument: argument))
    }
}

/// An enumeration whose raw values are the words of the command line.
package protocol Choice: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {
    /// The hint for a word that is none of them; by default those that resemble it.
    static func remedy(for word: String) -> String?
}

extension Choice {
    package static var completion: Completion { .choices(allCases.map { $0.rawValue }) }

    package static func remedy(for word: String) -> String? {
        hint(forMistyped: word, among: allCases.map(\.rawValue))
    }

    package init(argument: String) throws(ValueError) {
        guard let value = Self(rawValue: argument) else {
            var error = ValueError("is not " + alternatives(Self.allCases.map(\.rawValue)))
            error.hint = Self.remedy(for: argument)
            throw error
        }
        self = value
    }
}

/// Several values in one word, separated by commas; empty entries are errors.
package struct CommaSeparated<Element: ArgumentValue>: ArgumentValue {
    package var values: [Element] = []

    package static var completion: Completion {
        if case .choices(let words) = Element.completion {
            .list(words)
        } else {
            Element.completion
        }
    }

    package static var placeholder: String { "\(Element.placeholder)[,\(Element.placeholder)]" }

    package init(argument: String) throws(ValueError) {
        for entry in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard !entry.isEmpty else { throw ValueError("has an empty entry") }
            do throws(ValueError) {
                values.append(try Element(argument: String(entry)))
            } catch {
                guard !error.isSentence else { throw error }
                var error = error
                error.part = error.part ?? String(entry)
                throw error
            }
        }
    }
}

/// A list of values, which adds up when its option is repeated.
package protocol ListValue: ArgumentValue {
    /// Appends the values of the option's next occurrence.
    ///
    /// - Throws: `ValueError` if they cannot be combined.
    mutating func append(_ more: Self) throws(ValueError)
}

extension CommaSeparated: ListValue {
    package mutating func append(_ more: Self) { values += more.values }
}

extension CommaSeparated: Equatable where Element: Equatable {}

/// Joins words as a choice: `a`, `a or b`, `a, b or c`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
