@_spi(_Unicode) import Swift

/// File names made from text of a server (docs/scripting.md, "Files"): letters and digits of every
/// script and `._-`, in NFC; never hidden, never an option.
package enum SafeFileName {
    /// The longest name made from a text, in bytes.
    private static let lengthLimit = 120
    /// The longest part of an id that is added to a name, in bytes.
    private static let idLimit = 8

    /// Replaces every run of other characters by one `-`, and trims `.` and `-`; may return "".
    ///
    /// A name of more than `limit` bytes is cut between two characters.
    package static func reduce(_ text: String, limit: Int = lengthLimit) -> String {
        var name = ""
        var acceptsMark = false
        for scalar in text._nfc {
            let kind = Kind(scalar)
            // A mark without its letter would change the dot or dash before it.
            let isKept = kind == .punctuation || kind == .letter || (kind == .mark && acceptsMark)
            acceptsMark = isKept && kind != .punctuation
            let kept = isKept ? scalar : "-"
            if name.isEmpty, kept == "." || kept == "-" { continue }
            if !isKept, name.unicodeScalars.last == "-" { continue }
            guard name.utf8.count + UTF8.width(kept) <= limit else {
                var longer = name
                longer.unicodeScalars.append(kept)
                if longer.count == name.count { name.removeLast() }
                break
            }
            name.unicodeScalars.append(kept)
        }
        while let last = name.last, last == "." || last == "-" { name.removeLast() }
        return name
    }

    /// Distinct names, without extension, for several things at once.
    ///
    /// A text that reduces to nothing becomes `noun`, such as `camera`, with `-` and 8 characters
    /// of the id, which names that collide, regardless of case, get as well.
    package static func names(
        for items: [(text: String, id: String)], noun: String, limit: Int = lengthLimit
    ) -> [String] {
        let reduced = items.map { reduce($0.text, limit: limit) }
        var counts: [String: Int] = [:]
        for name in reduced { counts[name.lowercased(), default: 0] += 1 }
        var taken = Set<String>()
        return zip(items, reduced).map { item, name in
            var result = name
            if name.isEmpty || counts[name.lowercased()] != 1 {
                let id = reduce(item.id, limit: idLimit)
                result = (name.isEmpty ? noun : name) + (id.isEmpty ? "" : "-\(id)")
            }
            // Ids may share their first characters, and a name may look like one with an id.
            var number = 2
            let base = result
            while !taken.insert(result.lowercased()).inserted {
                result = "\(base)-\(number)"
                number += 1
            }
            return result
        }
    }

    private enum Kind {
        case letter, mark, punctuation, other

        init(_ scalar: Unicode.Scalar) {
            let properties = scalar.properties
            switch properties.generalCategory {
            // Some letters and marks are invisible.
            case _ where properties.isDefaultIgnorableCodePoint: self = .other
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .decimalNumber, .letterNumber:
                self = .letter
            case .nonspacingMark, .spacingMark: self = .mark
            default: self = "._-".unicodeScalars.contains(scalar) ? .punctuation : .other
            }
        }
    }
}
