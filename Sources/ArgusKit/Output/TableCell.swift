extension FieldValue {
    /// The value as a person reads it in a table: one line, nothing hidden in it.
    ///
    /// `-` stands for null, so that columns can be told apart.
    func cellText(in zone: TimeZoneRules) -> String {
        switch self {
        case .null: return "-"
        case .bool(let flag): return flag ? "yes" : "no"
        case .integer(let number): return String(number)
        case .number(let number): return number.isFinite ? number.description : "-"
        case .text(let text): return Sanitizer.visible(text)
        case .time(let time): return time.displayText(in: zone)
        case .list(let values):
            return values.isEmpty
                ? "-" : values.map { $0.cellText(in: zone) }.joined(separator: ", ")
        case .object(let members):
            return members.isEmpty
                ? "-"
                : members.map {
                    "\(Sanitizer.visible($0.name)): \($0.value.cellText(in: zone))"
                }.joined(separator: ", ")
        }
    }
}

extension Array<UInt8> {
    /// Appends a cell that takes `used` cells of the terminal, and blanks up to `width`.
    mutating func append(cell text: String, cells used: Int, width: Int) {
        append(contentsOf: text.utf8)
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: Swift.max(width - used, 0)))
    }
}
