/// File names made from text of a server: `[A-Za-z0-9._-]`, never hidden, never an option.
package enum SafeFileName {
    private static let lengthLimit = 100

    /// Replaces every run of other characters by one `-`, and trims `.` and `-`, maybe to nothing.
    package static func reduce(_ text: String) -> String {
        var name = ""
        for character in text.masked.unicodeScalars {
            let byte = UInt8(exactly: character.value) ?? 0
            if byte.isASCIIAlphanumeric || "._-".utf8.contains(byte) {
                name.unicodeScalars.append(character)
            } else if name.last != "-" {
                name.append("-")
            }
            if name.utf8.count >= lengthLimit { break }
        }
        name = String(name.drop { $0 == "." || $0 == "-" })
        while name.last == "-" { name.removeLast() }
        return name
    }

    /// Distinct names, without extension, for several things at once.
    ///
    /// A text that reduces to nothing becomes `noun`, such as `camera`, with `-` and 8 characters
    /// of the id, which names that collide, regardless of case, get as well.
    package static func names(
        for items: [(text: String, id: String)], noun: String
    ) -> [String] {
        let reduced = items.map { reduce($0.text) }
        var counts: [String: Int] = [:]
        for name in reduced { counts[name.lowercased(), default: 0] += 1 }
        var taken = Set<String>()
        return zip(items, reduced).map { item, name in
            var result = name
            if name.isEmpty || counts[name.lowercased()] != 1 {
                let id = reduce(item.id).prefix(8)
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
}
