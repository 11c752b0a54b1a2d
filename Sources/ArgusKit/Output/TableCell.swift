extension FieldValue {
    /// The value for a table cell: one line, sanitised.
    ///
    /// Null is `-`, so that no column looks empty.
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
    /// Appends text that takes `used` cells of the terminal, padded to `width`.
    mutating func append(cell text: String, cells used: Int, width: Int) {
        append(contentsOf: text.utf8)
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: Swift.max(width - used, 0)))
    }
}
