import CommandLineKit

/// A list of values, `all` (nil) or `none`.
struct ListOrAll<Element: ArgumentValue & Equatable>: ListValue, Equatable {
    var elements: [Element]?

    static var completion: Completion {
        guard case .choices(let words) = Element.completion else { return Element.completion }
        return .list(words, alone: ["all", "none"])
    }

    init(argument: String) throws(ValueError) {
        let words = argument.split(separator: ",")
        if argument == "all" || argument == "none" {
            elements = argument == "all" ? nil : []
        } else if let word = words.first(where: { $0 == "all" || $0 == "none" }) {
            throw ValueError("stands alone, not in a list", part: String(word))
        } else {
            elements = try CommaSeparated<Element>(argument: argument).values
        }
    }

    mutating func append(_ more: Self) throws(ValueError) {
        guard self != more else { return }
        guard let own = elements, let others = more.elements, !own.isEmpty, !others.isEmpty
        else { throw ValueError("cannot be combined with the values before it") }
        elements = own + others
    }
}
